/// R8 `silent`: a device not heard from leaves every count at the end of its activity window, and returns with its next
/// observation.
extension DeviceState {
    /// Closes the spans of a device that fell silent before this observation.
    ///
    /// - Returns: whether it did.
    mutating func endSilence(before observation: Observation, window: ActivityWindow) -> Bool {
        guard let lastHeardAt else { return false }
        let end = window.end(lastHeard: lastHeardAt)
        // Heard at the very end, it never left a count.
        guard end < observation.at else { return false }
        // Deleted before it fell silent: R4 says when.
        if installation?.id != observation.installation, endOfInstallation(before: observation) < end { return false }
        history.closeAll(at: end, change: Change(.silent, by: .silent))
        return true
    }

    /// Draws again what the device still holds.
    mutating func resume(at time: Timestamp) {
        for (surface, state) in surfaces {
            for (placement, level) in state.holdings {
                set(placement, to: level, on: surface, at: time, change: Change(.returned, by: .silent))
            }
        }
    }
}
