/// R4 `reinstall`: a new installation id on a known device means that the app was deleted, and its widgets with it.
extension DeviceState {
    /// Begins the installation of `observation`, ending the one before.
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

    /// At the new installation's first launch, yet not before the old one was last heard nor after the new one was.
    func endOfInstallation(before observation: Observation) -> Timestamp {
        let launched = observation.circumstances.firstLaunchedAt ?? observation.at
        return min(max(launched, lastHeardAt ?? launched), observation.at)
    }
}
