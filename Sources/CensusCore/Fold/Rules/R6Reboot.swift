/// R6 `reboot`: once the device has booted, the OS's list is true again, and the next successful report ends all suspicion.
extension DeviceState {
    /// How long after the first launch a boot must be before we trust that order, because clocks are not exact.
    static let bootMargin: Duration = .minutes(2)

    /// Whether an observation proves a boot since the installation's first launch.
    func isSettled(by observation: Observation) -> Bool {
        if let rebooted = observation.circumstances.rebooted { return rebooted }
        guard let launched = installation?.launches?.upperBound, let booted = observation.circumstances.bootedAt,
            // A batch sent after a boot can carry events from before it.
            booted <= observation.at
        else { return false }
        return booted - launched > DeviceState.bootMargin
    }

    /// Records the outcome of the suspects: those still listed were real, and the others were ghosts.
    mutating func settle(_ surface: Surface, claimed: [Placement: Int], at time: Timestamp) {
        guard let state = surfaces[surface], let since = state.suspectSince else { return }
        let suspects = state.holdings.filter { $0.value.suspect > 0 }.sorted { $0.key < $1.key }
        var unmatched: [Placement.Model: Int] = [:]
        for (placement, count) in claimed { unmatched[placement.model, default: 0] += count }
        // A used widget might have been a suspect (R7). Then it isn't certain in addition to the suspects.
        let used = state.usedSuspects.filter { model, _ in
            // A suspect that an event added explains one of the listed widgets. The used widget is counted in addition to the
            // suspects.
            let told = DeviceState.count(of: model, state.holdings.mapValues(\.possible)) - 1
            return !state.claimsMore(of: model, claimed)
                || DeviceState.count(of: model, claimed) <= told
        }
        func certain(_ placement: Placement, _ level: Level) -> Int {
            // The app might have derived its removals from this very list, so they prove no more than the list does.
            let listed = level.reported - level.presumed - (state.reportedSuspects[placement] ?? 0)
            return max(listed, level.certain - (used[placement.model] == placement ? 1 : 0))
        }
        for (placement, level) in state.holdings { unmatched[placement.model, default: 0] -= certain(placement, level) }

        // First match suspects whose exact configuration is still listed, then those that might have been reconfigured. A
        // suspect without a family matches whatever else is listed of its kind.
        var stillThere: [Placement: Int] = [:]
        for (placement, level) in suspects {
            let own = min(level.suspect, max(0, (claimed[placement] ?? 0) - certain(placement, level)))
            stillThere[placement] = own
            unmatched[placement.model]? -= own
        }
        var ofModel: [Placement.Model: Int] = [:]
        let named = suspects.filter { $0.key.family != nil }
        for (placement, level) in named + suspects.filter({ $0.key.family == nil }) {
            guard var found = stillThere[placement] else { continue }
            for (model, count) in unmatched where placement.model.covers(model) {
                let more = min(level.suspect - found, max(0, count))
                found += more
                unmatched[model] = count - more
            }
            stillThere[placement] = found
            ofModel[placement.model, default: 0] += found
        }
        history.settleOpen(surface, stillThere: stillThere, at: time)
        let proved = Set(stillThere.filter { $0.value > 0 }.keys)
        for (model, count) in ofModel {
            history.creditEnded(surface, model, since: since, stillThere: count, preferring: proved)
        }
    }

    func isKnownNotToHaveBooted(_ observation: Observation) -> Bool {
        if let rebooted = observation.circumstances.rebooted { return !rebooted }
        guard let launched = installation?.launches?.lowerBound, let booted = observation.circumstances.bootedAt else {
            return false
        }
        return booted <= launched
    }
}

extension DeviceState.Installation {
    /// The time of the first launch, with and without the correction of the sender's clock. Conclusions must hold for both.
    fileprivate var launches: ClosedRange<Timestamp>? {
        guard let firstLaunchedAt, firstLaunchedAt >= .firstWidgets else { return nil }
        let other = launchAsSent ?? firstLaunchedAt
        return min(firstLaunchedAt, other)...max(firstLaunchedAt, other)
    }
}
