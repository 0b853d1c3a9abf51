/// R4 `reinstall`: a new installation id on a known device means that the app was deleted, and its widgets with it.
///
/// What the new installation's lists then claim is suspect: see ``DeviceState/ruleOfSuspicion(of:)``.
extension DeviceState {
    /// Begins the observation's installation and ends the previous one.
    mutating func begin(_ observation: Observation) {
        let isReinstall = installation != nil
        if let installation {
            endedInstallations.insert(installation.id)
            history.closeAll(at: endOfInstallation(before: observation), change: Change(.reinstalled, by: .reinstall))
            surfaces = [:]
        }
        installation = Installation(
            id: observation.installation, firstLaunchedAt: observation.circumstances.firstLaunchedAt,
            isReinstall: isReinstall)
    }

    /// When the previous installation ended: at the new one's first launch, but not before the old one was last heard from,
    /// and not after the new one was.
    func endOfInstallation(before observation: Observation) -> Timestamp {
        let launched = observation.circumstances.firstLaunchedAt ?? observation.at
        return min(max(launched, lastHeardAt ?? launched), observation.at)
    }
}
