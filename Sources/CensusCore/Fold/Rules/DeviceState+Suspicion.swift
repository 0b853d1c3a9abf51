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
                platform: observation.circumstances.platform, osVersion: observation.circumstances.osVersion, rule: rule
            )
    }

    /// Writes into the past which suspects were there: those that were used (R7), and those that left the list although the
    /// device has not booted: a ghost does not go before.
    ///
    /// - Parameter gone: suspects fewer than at the report before, by model, the used ones included.
    mutating func credit(
        _ gone: [Placement.Model: Int], used: [Placement.Model: Placement], on surface: Surface,
        _ observation: Observation
    ) {
        guard let since = surfaces[surface]?.suspectSince else { return }
        let hasNotBooted = isKnownNotToHaveBooted(observation)
        for (model, count) in gone {
            let real = hasNotBooted ? count : min(count, used[model] == nil ? 0 : 1)
            if real > 0 { history.creditEnded(surface, model, since: since, stillThere: real) }
        }
    }

    private func isKnownNotToHaveBooted(_ observation: Observation) -> Bool {
        guard let launched = installation?.firstLaunchedAt, let booted = observation.circumstances.bootedAt else {
            return false
        }
        return booted <= launched
    }

    /// How many suspects of each model there are less than before.
    static func loss(from before: [Placement: Int], to after: [Placement: Int]) -> [Placement.Model: Int] {
        guard !before.isEmpty else { return [:] }
        var loss: [Placement.Model: Int] = [:]
        for (placement, count) in before { loss[placement.model, default: 0] += count }
        for (placement, count) in after { loss[placement.model, default: 0] -= count }
        return loss.filter { $0.value > 0 }
    }
}
