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
        let launched = firstLaunch(of: observation)
        let asSent = launched.map { $0 - (observation.at - observation.occurredAt) }
        installation = Installation(
            id: observation.installation, firstLaunchedAt: launched, isReinstall: isReinstall,
            launchAsSent: asSent == launched ? nil : asSent)
    }

    /// The first launch of a new installation, unless something contradicts it.
    ///
    /// - Returns: nil if a clock that was never set wrote it, or if the previous installation was heard from after it.
    private func firstLaunch(of observation: Observation) -> Timestamp? {
        guard let launched = observation.firstLaunch, launched >= lastHeardAt ?? launched else { return nil }
        return launched
    }

    /// When the previous installation ended: at the new one's first launch, but not before the old one was last heard from, and
    /// not after the new one was first heard from.
    func endOfInstallation(before observation: Observation) -> Timestamp {
        let launched = observation.firstLaunch ?? observation.at
        return min(max(launched, lastHeardAt ?? launched), observation.at)
    }
}

extension Observation {
    /// The first launch that its batch names; nil if only a clock that was never set can have written it.
    fileprivate var firstLaunch: Timestamp? {
        guard let launched = circumstances.firstLaunchedAt else { return nil }
        // Check it with and without the correction, because another clock might have written it.
        return min(launched, launched - (at - occurredAt)) >= .firstWidgets ? launched : nil
    }
}
