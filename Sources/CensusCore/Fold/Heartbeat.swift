/// The ordinary case: a known device reports what it reported before.
extension DeviceFold {
    /// Whether what arrived between two states says only that the device is still there: what it holds and runs stays as it
    /// was, and only the times at which it was last heard from and last reported move.
    ///
    /// Then none of its stored spans, phases and cohorts changes, and none need be read.
    ///
    /// - Parameters:
    ///   - listed: the surfaces whose list arrived in between. A surface's first list begins its cohorts.
    ///   - dueAt: what time alone changes from then on has not been counted yet.
    ///   - now: the device has not fallen silent by then, and its report still counts.
    public func isHeartbeat(
        from start: DeviceState, to state: DeviceState, listed: some Collection<Surface>, dueAt: Timestamp?,
        now: Timestamp
    ) -> Bool {
        guard let installation = start.installation, installation == state.installation,
            start.isCloned == state.isCloned,
            (start.circumstances?.osVersion).hasBytes(of: state.circumstances?.osVersion),
            listed.allSatisfy({ start.surfaces[$0]?.lastReport != nil }),
            let silentAt = silentAt(of: start), now < silentAt, let dueAt, dueAt <= silentAt,
            reportingUntil(of: start).map({ now < $0 && dueAt <= $0 }) ?? (state.reportedAt == nil),
            start.phases == state.phases
        else { return false }
        // With what time alone will change: a span may end when certainty fades (R8).
        return spans(of: start) == spans(of: state)
    }
}
