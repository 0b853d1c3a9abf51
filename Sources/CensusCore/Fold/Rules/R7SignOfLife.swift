/// R7 `sign_of_life`: somebody uses a widget, so one is there.
///
/// It is either a suspect or was placed since the last report. Until the next report both are possible.
extension DeviceState {
    mutating func use(_ placement: Placement, _ observation: Observation) {
        let surface = observation.surface
        let held = (surfaces[surface]?.holdings ?? [:]).filter {
            $0.key.isCompatible(with: placement) && $0.value.possibleInFamily > 0
        }
        let certain = held.filter { $0.value.certain > 0 }.keys
        if certain.contains(where: { placement.family == nil || $0.model == placement.model }) { return }
        if let unnamed = certain.min() { return name(unnamed, placement, observation) }
        // Prefer the exact placement if the event names it, then one of its model, then one of an unknown family.
        func rank(_ held: Placement) -> Int { held.model != placement.model ? 2 : held.matches(placement) ? 0 : 1 }
        let ranked = held.sorted { (rank($0.key), $0.key) < (rank($1.key), $1.key) }
        guard !ranked.isEmpty else {
            // The widget was placed since the last report, but the report might list one that was removed.
            let level = surfaces[surface]?.holdings[placement] ?? .none
            return prove(placement, level, Change(.installed, by: .signOfLife), observation)
        }
        if placement.family == nil, ranked.contains(where: { $0.key.family != nil }) {
            return useWithoutFamily(Placement(kind: placement.kind), held, observation)
        }
        guard
            let (used, known) = ranked.first(where: { $0.value.presumed > 0 })
                ?? ranked.first(where: { $0.value.either > 0 }) ?? ranked.first
        else { return }
        var level = known
        if level.presumed > 0 {
            if used.isLessNamed(than: placement) { return name(used, placement, observation) }
            level.presumed -= 1
            prove(used, level, Change(.returned, by: .signOfLife), observation)
        } else if level.either > 0 {
            level.either -= 1
            prove(used, level, Change(.configured, by: .signOfLife), observation)
        } else {
            surfaces[surface]?.usedSuspects[used.model] = used
            let proved = used.isLessNamed(than: placement) ? placement : used
            prove(proved, surfaces[surface]?.holdings[proved] ?? .none, proofOfSuspect(on: surface), observation)
        }
    }

    /// One of several families was used, or a widget placed since. The kind certainly has one, but no single family does.
    private mutating func useWithoutFamily(
        _ unnamed: Placement, _ held: [Placement: Level], _ observation: Observation
    ) {
        let surface = observation.surface
        let presumed = Dictionary(grouping: held.filter { $0.value.presumed > 0 }.keys, by: \.model)
        var level = held[unnamed] ?? .none
        guard !presumed.isEmpty else {
            surfaces[surface]?.usedSuspects[unnamed.model] = unnamed
            return prove(unnamed, level, proofOfSuspect(on: surface), observation)
        }
        let change = Change(.returned, by: .signOfLife)
        for placement in presumed.values.compactMap({ $0.min() }).sorted() where placement != unnamed {
            guard var rest = held[placement] else { continue }
            rest.presumed -= 1
            rest.either += 1
            level.presumed += 1
            set(placement, to: rest, on: surface, at: observation.at, change: change)
        }
        level.presumed -= 1
        prove(unnamed, level, change, observation)
    }

    /// A placement of an unknown family is held, or might be, and the used widget might be that one. Either its family is known
    /// now, or there are two widgets.
    private mutating func name(_ unnamed: Placement, _ placement: Placement, _ observation: Observation) {
        let surface = observation.surface
        let holdings = surfaces[surface]?.holdings ?? [:]
        guard var rest = holdings[unnamed] else { return }
        let own = holdings.filter { $0.key.model == placement.model }
        let target =
            own.filter { $0.value.either > 0 }.keys.min() ?? own.filter { $0.value.presumed > 0 }.keys.min()
            ?? own.keys.filter { $0.matches(placement) }.min() ?? placement
        var level = holdings[target] ?? .none
        if rest.certain > 0 {
            rest.certain -= 1
            rest.presumed += 1
        }
        if level.either > 0 {
            level.either -= 1
            rest.presumed -= 1
        } else {
            level.presumed = max(0, level.presumed - 1)
        }
        let change = Change(.configured, by: .signOfLife)
        set(unnamed, to: rest, on: surface, at: observation.at, change: change)
        prove(target, level, change, observation)
    }

    private func proofOfSuspect(on surface: Surface) -> Change {
        Change(surfaces[surface]?.claim?.causeOfProof ?? .reinstalled, by: .signOfLife)
    }

    /// Makes one more certain than `level` says.
    private mutating func prove(
        _ placement: Placement, _ level: Level, _ change: Change, _ observation: Observation
    ) {
        var level = level
        level.certain += 1
        set(placement, to: level, on: observation.surface, at: observation.at, change: change)
    }

    /// Forgets a use, because the removed widget might be the used one, and then no suspect was used.
    mutating func forgetUse(of model: Placement.Model, on surface: Surface) {
        guard let used = surfaces[surface]?.usedSuspects, !used.isEmpty else { return }
        surfaces[surface]?.usedSuspects = used.filter { !$0.key.isCompatible(with: model) }
    }

    /// The suspects minus those that turned out to be the used ones: one for each used model. For a use without a family it is
    /// one of the kind, provided that only one of its families has suspects.
    static func without(
        _ used: [Placement.Model: Placement], _ suspects: [Placement: Int]
    ) -> [Placement: Int] {
        guard !used.isEmpty else { return suspects }
        var rest = suspects
        for (model, placement) in used {
            let ofModel = rest.keys.filter { model.covers($0.model) }
            let isOneFamily = Set(ofModel.map(\.model)).count == 1
            let proved = rest[placement] != nil ? placement : isOneFamily ? ofModel.min() : nil
            guard let proved, let count = rest[proved] else { continue }
            rest[proved] = count - 1
        }
        return rest
    }

    /// How many placements there are of a model or, if it has no family, of its kind.
    static func count(of model: Placement.Model, _ counts: [Placement: Int]) -> Int {
        counts.reduce(0) { $0 + (model.covers($1.key.model) ? $1.value : 0) }
    }
}

extension Placement {
    fileprivate func isLessNamed(than other: Placement) -> Bool { !model.namesFamily && other.model.namesFamily }
}

extension DeviceState.SurfaceState {
    /// Whether a report lists more of a model than the previous one did, less what events removed since. Then the widget used
    /// in between was the new one, whether or not the app sent an event for it.
    func claimsMore(of model: Placement.Model, _ claimed: [Placement: Int]) -> Bool {
        let removed = removedSinceReport.reduce(0) { $0 + ($1.key.isCompatible(with: model) ? $1.value : 0) }
        return DeviceState.count(of: model, claimed)
            > DeviceState.count(of: model, holdings.mapValues(\.reported)) - removed
    }
}
