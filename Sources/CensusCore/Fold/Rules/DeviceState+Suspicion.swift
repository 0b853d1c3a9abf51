/// R5 `fresh_install`, and what R4 and R5 have in common: which lists are suspect, and what is learned of suspects before
/// any boot.
extension DeviceState {
    /// How soon after the first launch a list comes that may be older than the installation (R5).
    static let freshness: Duration = .minutes(10)

    /// The rule that makes suspects of all that a report claims; nil when none does.
    func ruleOfSuspicion(of observation: Observation) -> Rule? {
        guard let installation, !installation.isSettled, surfaces[observation.surface]?.lastReport == nil else {
            return nil
        }
        // R4: whatever the first report of the surface claims before a reboot is suspect, however late it comes.
        if installation.isReinstall { return .reinstall }
        // R5: a lost device id, or a restored phone: we can't know yet.
        guard let launched = installation.firstLaunchedAt, observation.at - launched <= DeviceState.freshness else {
            return nil
        }
        return .freshInstall
    }

    func suspect(_ state: inout SurfaceState, _ observation: Observation, by rule: Rule) {
        state.suspectSince = state.suspectSince ?? observation.at
        state.claim =
            state.claim
            ?? Claim(
                platform: observation.circumstances.platform, osVersion: observation.circumstances.osRelease, rule: rule
            )
    }

    /// Writes into the past which suspects were there: those that were used (R7), and those that left the list although the
    /// device has not booted: a ghost does not go before.
    mutating func credit(
        _ before: [Placement: Int], to after: [Placement: Int], used: [Placement.Model: Placement],
        on surface: Surface, _ observation: Observation
    ) {
        guard let since = surfaces[surface]?.suspectSince else { return }
        var gone: [Placement.Model: Int] = [:]
        for (placement, count) in before { gone[placement.model, default: 0] += count }
        for (placement, count) in after { gone[placement.model, default: 0] -= count }
        let left = Set(before.filter { $0.value > after[$0.key] ?? 0 }.keys)
        let hasNotBooted = isKnownNotToHaveBooted(observation)
        for (model, count) in gone where count > 0 {
            let isUsed = used.keys.contains { $0.covers(model) }
            let real = hasNotBooted ? count : min(count, isUsed ? 1 : 0)
            guard real > 0 else { continue }
            history.creditEnded(surface, model, since: since, stillThere: real, preferring: left)
        }
    }

    private func isKnownNotToHaveBooted(_ observation: Observation) -> Bool {
        guard let launched = installation?.firstLaunchedAt, let booted = observation.circumstances.bootedAt else {
            return false
        }
        return booted <= launched
    }
}
