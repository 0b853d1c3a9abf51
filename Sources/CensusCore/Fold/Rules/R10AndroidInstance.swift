/// R10 `android_instance`: Android's placements are a set of instances.
///
/// An instance is certain once it was installed, configured or opened. One that was only reported might be a phantom. Suspicion
/// after a reinstall (R4 to R7) would add nothing to that, because phantoms outlive reboots.
extension DeviceState {
    mutating func noticeInstances(_ event: Event, _ observation: Observation) {
        switch event {
        case .reported(let claimed): reportInstances(claimed, observation)
        case .happened(let act, to: let widget):
            let isNamed = widget.instance != nil
            switch act.sign {
            case .added: if isNamed { prove(widget, observation) } else { addUnnamed(widget, observation) }
            case .used: if isNamed { prove(widget, observation) } else { useWithoutInstance(widget, observation) }
            case .gone: if isNamed { removeInstance(widget, observation) } else { removeUnnamed(widget, observation) }
            case .rendered: break
            }
        case .restored(let instances): rename(instances, observation)
        case .readFailed, .appOpened: break
        }
    }

    private mutating func reportInstances(_ claimed: [Placement: Int], _ observation: Observation) {
        let surface = observation.surface
        var state = surfaces[surface] ?? SurfaceState()
        let before = state.holdings
        var proven = state.proven
        var after: [Placement: Level] = [:]
        var stillProven: [Placement: Int] = [:]
        var listed: Set<Placement> = []
        for placement in claimed.keys.sorted() {
            guard let claim = claimed[placement] else { continue }
            // An instance that is listed twice, for example with two families, counts once.
            let isRepeated = placement.instance != nil && !listed.insert(placement.identity).inserted
            let count = isRepeated ? 0 : placement.instance == nil ? claim : 1
            if placement.instance == nil, let before = before[placement]?.reported, before > count {
                // The ones that left might be the proved ones.
                proven[placement] = max(0, (proven[placement] ?? 0) - (before - count))
            }
            let certain = min(count, proven[placement.identity] ?? 0)
            stillProven[placement.identity, default: 0] += certain
            after[placement] = Level(certain: certain, presumed: count - certain, reported: claim)
        }
        state.questions = InstanceQuestion.asked(state.questions, before: before, after: &after)
        let causes = ReportCauses(
            before: before, after: after, isUpdate: state.isUpdate(observation), areInstances: true)
        state.proven = stillProven.filter { $0.value > 0 }
        state.begin(observation)
        surfaces[surface] = state

        let identities = Set(before.keys.map(\.identity)).intersection(after.keys.map(\.identity))
        for placement in Set(before.keys).union(after.keys).sorted() {
            let isSame = placement.instance != nil && identities.contains(placement.identity)
            let isRenamed = isSame && (before[placement] == nil || after[placement] == nil)
            set(
                placement, to: after[placement] ?? .none, on: surface, at: observation.at,
                change: isRenamed && !causes.isReturn(of: placement)
                    ? Change(.configured, by: .androidInstance) : causes.change(of: placement))
        }
    }

    /// Makes an instance certain, because one that was installed or used is on a screen.
    private mutating func prove(_ placement: Placement, _ observation: Observation) {
        let surface = observation.surface
        let own = surfaces[surface]?.holdings.keys.filter { $0.isInstance(of: placement) }.min()
        let target = own ?? placement
        guard surfaces[surface]?.holdings[target]?.certain ?? 0 == 0 else { return }
        let wasTold = doubtUnnamed(placement, observation)
        var level = surfaces[surface]?.holdings[target] ?? .none
        if level.presumed > 0 { level.presumed -= 1 } else { level.either = max(0, level.either - 1) }
        level.certain += 1
        surfaces[surface, default: SurfaceState()].proven[target.identity] = level.certain
        let cause: Cause = wasTold ? .configured : .installed
        set(target, to: level, on: surface, at: observation.at, change: Change(cause, by: .androidInstance))
    }

    private mutating func removeInstance(_ placement: Placement, _ observation: Observation) {
        let surface = observation.surface
        doubtUnnamed(placement, observation)
        let holdings = surfaces[surface]?.holdings ?? [:]
        surfaces[surface]?.proven[placement.identity] = nil
        for held in holdings.keys.filter({ $0.isInstance(of: placement) }).sorted() {
            guard let level = holdings[held] else { continue }
            set(
                held, to: Level(reported: level.reported), on: surface, at: observation.at,
                change: Change(.removed, by: .androidInstance))
        }
        closeFamilies(ofKind: placement.kind, observation)
    }

    /// Gives the held instances their new names. Like a configuration, this is neither a removal nor an installation.
    private mutating func rename(_ instances: [Text: String], _ observation: Observation) {
        let surface = observation.surface
        withdrawQuestions(observation)
        func renamed(_ placement: Placement) -> Placement {
            guard let instance = placement.instance, let new = instances[Text(instance)] else { return placement }
            var placement = placement
            placement.instance = new
            return placement
        }
        // Instances that get the same name are one: the list was faster than the event, or one widget had two ids.
        let held = surfaces[surface]?.holdings ?? [:]
        for (_, same) in Dictionary(grouping: held.keys, by: { renamed($0).identity }).sorted(by: { $0.key < $1.key })
        where same.count > 1 && same.contains(where: { renamed($0) != $0 }) {
            merge(same.sorted { (renamed($0) == $0 ? 0 : 1, $0) < (renamed($1) == $1 ? 0 : 1, $1) }, observation)
        }
        let before = surfaces[surface]?.holdings ?? [:]
        let after = Dictionary(before.map { (renamed($0.key), $0.value) }, uniquingKeysWith: { one, _ in one })
        let proven = surfaces[surface]?.proven ?? [:]
        surfaces[surface]?.proven = Dictionary(
            proven.map { (renamed($0.key), $0.value) }, uniquingKeysWith: max)
        // What began at this very instant keeps its cause under the new name.
        var changes: [Placement: Change] = [:]
        for placement in before.keys.sorted() where renamed(placement) != placement {
            changes[renamed(placement)] = history.beginning(
                of: .init(surface: surface, placement: placement), at: observation.at)
        }
        // The past keeps the old names: a span ends under the old one, and another begins under the new one. To rename the past
        // would change days that nobody reads again.
        for placement in Set(before.keys).union(after.keys).sorted() {
            set(
                placement, to: after[placement] ?? .none, on: surface, at: observation.at,
                change: changes[placement] ?? Change(.configured, by: .androidInstance))
        }
    }

    /// Merges placements that turned out to be one. The first goes on, and is as certain as any of them was.
    private mutating func merge(_ placements: [Placement], _ observation: Observation) {
        let levels = placements.compactMap { surfaces[observation.surface]?.holdings[$0] }
        guard let first = placements.first, var level = levels.first else { return }
        let change = Change(.configured, by: .androidInstance)
        let possible = levels.reduce(level.possible) { max($0, $1.possible) }
        level.certain = levels.reduce(level.certain) { max($0, $1.certain) }
        level.presumed = max(0, possible - level.certain)
        for placement in placements.dropFirst() {
            set(placement, to: .none, on: observation.surface, at: observation.at, change: change)
        }
        set(first, to: level, on: observation.surface, at: observation.at, change: change)
    }
}

extension Placement {
    /// Identifies an Android placement: its instance or, without one, everything that is known about it.
    var identity: Placement {
        instance == nil ? self : Placement(kind: kind, instance: instance)
    }

    func isInstance(of other: Placement) -> Bool {
        other.instance != nil && identity == other.identity
    }
}
