/// The device's phases while it is heard from: its versions, and whether its reports still count.
extension DeviceState {
    /// Applies what time alone changed before `limit`: a report that no longer counts, then silence (R8).
    mutating func passPhase(until limit: Timestamp, window: ActivityWindow) {
        guard let lastHeardAt, let open = phaseHistory.open else { return }
        // A clone may have extended the phases beyond what was heard, under another window.
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

    /// Begins a phase with what this observation says of the device, unless it says the same as before.
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

    /// An ended installation went on sending: from now on the device exists twice.
    mutating func noticeClone(at time: Timestamp, window: ActivityWindow) {
        isCloned = true
        // If it is silent by then, the next observation applies that: the window may be another by then.
        guard lastHeardAt != nil, silentAt(before: time, window) == nil else { return }
        passPhase(until: time, window: window)
        guard var traits = phaseHistory.open?.traits else { return }
        traits.isCloned = true
        phaseHistory.set(traits, at: time)
    }
}
