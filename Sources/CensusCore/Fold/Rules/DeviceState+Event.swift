/// R3 `event`: between reports, events add and take one; the next report overrides them.
extension DeviceState {
    /// How long after a report an event only repeats it: the app sent its list and its own difference of lists.
    static let echo: Duration = .seconds(60)

    /// - Parameter isDoubted: as in `report`: apps derive the event from the same list.
    mutating func install(_ placement: Placement, _ observation: Observation, isDoubted: Bool) {
        let surface = observation.surface
        var state = surfaces[surface] ?? SurfaceState()
        var level = state.holdings[placement] ?? .none
        if isEcho(observation) {
            // Where the list has none of them, the event can't come from the list: then it is an open question.
            guard !state.holdings.contains(where: { $0.key.mayBe(placement) && $0.value.reported > 0 }) else { return }
            level.presumed += 1
        } else if let installation, installation.isReinstall, !installation.isSettled {
            // Apps derive the event from the very list that may be stale.
            level.suspect += 1
            suspect(&state, observation, by: .reinstall)
        } else if isDoubted {
            level.presumed += 1
        } else {
            level.certain += 1
        }
        surfaces[surface] = state
        set(placement, to: level, on: surface, at: observation.at, change: Change(.installed, by: .event))
    }

    /// Takes one from what is certain, else from what is possible, else nothing.
    mutating func remove(_ placement: Placement, _ observation: Observation) {
        let surface = observation.surface
        let isEcho = isEcho(observation)
        // Where the list did not become shorter, the event can't come from the list: then it is an open question.
        if isEcho, surfaces[surface]?.lostAtReport?.contains(where: { $0.mayBe(placement.model) }) ?? true { return }
        let held = (surfaces[surface]?.holdings ?? [:]).filter {
            $0.key.mayBe(placement) && $0.value.possible > 0
        }
        guard Set(held.keys.map(\.model)).count <= 1 else {
            return removeOne(of: held, asked: Placement(kind: placement.kind), isOpen: isEcho, observation)
        }
        let exact = held.filter { $0.key.matches(placement) }
        // It may have been configured since: then any of its model. A report just before knows what is configured.
        let matching = (exact.isEmpty && !isEcho ? held : exact).sorted { $0.key < $1.key }
        guard
            let (held, level) = matching.first(where: { $0.value.certain > 0 })
                ?? matching.first(where: { $0.value.suspect > 0 }) ?? matching.first
        else { return }
        var rest = level
        if isEcho {
            guard rest.certain > 0 else { return }
            rest.certain -= 1
            rest.presumed += 1
        } else if rest.certain > 0 {
            rest.certain -= 1
            forgetUse(of: held.model, on: surface)
        } else if rest.suspect > 0 {
            rest.suspect -= 1
            // The list from which the app derived the event is true by now: the suspect is not on it (R6).
            if installation?.isSettled == true { history.settleOne(of: .init(surface: surface, placement: held)) }
        } else {
            rest.presumed -= 1
        }
        set(held, to: rest, on: surface, at: observation.at, change: Change(.removed, by: .event))
        closeFamilies(ofKind: held.kind, observation)
    }

    /// Where nothing of a kind is left, no family of it has any.
    mutating func closeFamilies(ofKind kind: String, _ observation: Observation) {
        let surface = observation.surface
        let ofKind = (surfaces[surface]?.holdings ?? [:]).filter { $0.key.kind.hasBytes(of: kind) }
        guard ofKind.values.allSatisfy({ $0.possible == 0 }) else { return }
        for (placement, level) in ofKind.sorted(by: { $0.key < $1.key }) where level.either > 0 {
            set(
                placement, to: Level(reported: level.reported), on: surface, at: observation.at,
                change: Change(.removed, by: .event))
        }
    }

    /// Takes one of several families that the event does not tell apart: each has one less for certain, and the kind has one
    /// less in all. What is left of the kind is counted where no family is known.
    ///
    /// Where nothing of them is certain, nothing changes: which suspect it was, a report tells.
    ///
    /// - Parameter isOpen: whether it is open, too, that one was taken at all.
    mutating func removeOne(
        of held: [Placement: Level], asked: Placement, isOpen: Bool, _ observation: Observation
    ) {
        let surface = observation.surface
        let ofFamilies = Dictionary(grouping: held.filter { $0.value.certain > 0 }.keys, by: \.model)
        guard !ofFamilies.isEmpty else { return }
        var levels = surfaces[surface]?.holdings ?? [:]
        let taken = ofFamilies.values.compactMap { $0.min() }.sorted()
        for placement in taken {
            levels[placement]?.certain -= 1
            levels[placement]?.either += 1
        }
        levels[asked, default: .none].certain += taken.count - 1
        levels[asked, default: .none].presumed += isOpen ? 1 : 0
        for placement in Set(taken + [asked]).sorted() {
            set(
                placement, to: levels[placement] ?? .none, on: surface, at: observation.at,
                change: Change(placement == taken.first ? .removed : .configured, by: .event))
        }
        forgetUse(of: asked.model, on: surface)
    }

    /// What was removed may have been the one that was used (R7); then no suspect was.
    private mutating func forgetUse(of model: Placement.Model, on surface: Surface) {
        guard let used = surfaces[surface]?.usedSuspects, !used.isEmpty else { return }
        surfaces[surface]?.usedSuspects = used.filter { !$0.key.mayBe(model) }
    }

    /// Whether an event comes so soon after a report that it tells what that report said.
    func isEcho(_ observation: Observation) -> Bool {
        guard observation.circumstances.platform.isWidgetKit,
            let report = surfaces[observation.surface]?.lastReport
        else { return false }
        return observation.at - report.at <= DeviceState.echo
    }
}
