/// Which lists are suspect, how a list is split into certain and suspect, and what is learned about suspects before a boot. R4
/// and R5 create suspects, R6 and R7 resolve them, and R1 carries them along.
extension DeviceState {

    /// The rule by which everything that a report claims is suspect; nil if there is none.
    func ruleOfSuspicion(of observation: Observation) -> Rule? {
        guard let installation, !installation.isSettled, surfaces[observation.surface]?.lastReport == nil else {
            return nil
        }
        // R4: before a reboot, everything in a surface's first report is suspect, however late the report arrives.
        if installation.isReinstall { return .reinstall }
        // R5: the device lost its id, or the phone was restored. Nobody can know yet.
        return installation.isFresh(at: observation.at) ? .freshInstall : nil
    }

    func suspect(_ state: inout SurfaceState, _ observation: Observation, by rule: Rule) {
        state.suspectSince = state.suspectSince ?? observation.at
        state.claim =
            state.claim
            ?? Claim(
                platform: observation.circumstances.platform, osVersion: observation.circumstances.osRelease, rule: rule
            )
    }

    /// Records which suspects were real: those that were used (R7), and those that left the list although the device hasn't
    /// booted, because a ghost stays until then.
    mutating func credit(
        _ before: [Placement: Int], to after: [Placement: Int], used: [Placement.Model: Placement],
        on surface: Surface, _ observation: Observation
    ) {
        guard let since = surfaces[surface]?.suspectSince else { return }
        var gone: [Placement.Model: Int] = [:]
        for (placement, count) in before { gone[placement.model, default: 0] += count }
        for (placement, count) in after { gone[placement.model]? -= count }
        let left = Set(before.filter { $0.value > after[$0.key] ?? 0 }.keys)
        let hasNotBooted = isKnownNotToHaveBooted(observation)
        for (model, count) in gone {
            let isUsed = used.keys.contains { $0.covers(model) }
            let real = hasNotBooted ? count : min(count, isUsed ? 1 : 0)
            guard real > 0 else { continue }
            history.creditEnded(surface, model, since: since, stillThere: real, preferring: left)
        }
    }

    /// Splits a list into certain and suspect.
    ///
    /// If the intent or configuration of a suspect changed, the suspect is looked for among its model, first where the list
    /// grew. It might be the same widget, and to call it certain would go beyond the evidence. There are never more suspects
    /// than listed placements.
    static func apportion(
        _ claimed: [Placement: Int], suspects: [Placement: Int], before: [Placement: Level] = [:]
    ) -> [Placement: Level] {
        guard !suspects.isEmpty else {
            return claimed.mapValues { Level(certain: $0, reported: $0) }
        }
        var missing: [Placement.Model: Int] = [:]
        for (placement, count) in suspects {
            missing[placement.model, default: 0] += max(0, count - (claimed[placement] ?? 0))
        }
        var levels = Dictionary(
            uniqueKeysWithValues: claimed.map { placement, count in
                let suspect = min(suspects[placement] ?? 0, count)
                return (placement, Level(certain: count - suspect, suspect: suspect, reported: count))
            })
        for keepsCertain in [true, false] {
            for placement in claimed.keys.sorted() {
                guard var level = levels[placement] else { continue }
                let free = level.certain - (keepsCertain ? min(level.certain, before[placement]?.certain ?? 0) : 0)
                let moved = min(free, missing[placement.model] ?? 0)
                level.certain -= moved
                level.suspect += moved
                levels[placement] = level
                missing[placement.model, default: 0] -= moved
            }
        }
        return levels
    }
}
