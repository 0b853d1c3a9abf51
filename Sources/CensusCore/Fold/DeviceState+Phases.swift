/// The device's phases: its versions, and whether its reports still count.
extension DeviceState {
    /// Applies the changes that time alone makes before `limit`: a report stops counting, then the device falls silent (R8).
    mutating func passPhase(until limit: Timestamp, window: ActivityWindow) {
        guard let lastHeardAt, let open = phaseHistory.open else { return }
        // Under another window, a clone can have extended the phases beyond what was heard.
        let drawnThrough = max(lastHeardAt, open.from)
        let silentAt = self.silentAt(before: limit, window)
        if open.traits.isReporting, let reportedAt,
            let end = window.end(lastSeen: reportedAt, notBefore: drawnThrough, ifBefore: silentAt ?? limit)
        {
            var traits = open.traits
            traits.isReporting = false
            phaseHistory.set(traits, at: end)
        }
        if let silentAt { phaseHistory.close(at: max(silentAt, drawnThrough)) }
    }

    /// Begins a phase with what this observation says about the device, unless it says the same as before.
    mutating func enterPhase(_ observation: Observation, isNewInstallation: Bool) {
        let circumstances = observation.circumstances
        if case .reported = observation.event { reportedAt = observation.at }
        if isNewInstallation { galleryPolicy = nil }
        galleryPolicy = circumstances.galleryPolicy ?? galleryPolicy
        phaseHistory.set(
            Phase.Traits(
                platform: circumstances.platform,
                osRelease: circumstances.osRelease,
                appVersion: circumstances.appVersion,
                galleryPolicy: galleryPolicy,
                isReporting: reportedAt == observation.at || phaseHistory.open?.traits.isReporting == true,
                isCloned: isCloned), at: observation.at)
    }

    /// Notes that an ended installation went on sending, so that the device exists twice from now on.
    mutating func noticeClone(at time: Timestamp, window: ActivityWindow) {
        isCloned = true
        // If the device is silent by then, the next observation applies that, because the window might be another by then.
        guard lastHeardAt != nil, silentAt(before: time, window) == nil else { return }
        passPhase(until: time, window: window)
        guard var traits = phaseHistory.open?.traits else { return }
        traits.isCloned = true
        phaseHistory.set(traits, at: time)
    }
}
