/// The common case: a known device reports what it reported before.
extension DeviceFold {
    /// Whether what arrived between two states says only that the device is still there. What it holds and runs stays the same,
    /// and only the times at which it was last heard from and last reported change.
    ///
    /// Then none of its stored spans, phases and cohorts changes, so none of them has to be read.
    ///
    /// - Parameters:
    ///   - listed: the surfaces whose list arrived in between. A surface's first list begins its cohorts.
    ///   - dueAt: changes that time alone makes from then on have not been counted yet.
    ///   - now: the device must not have fallen silent by then, and its report must still count.
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
        // This includes what time alone will change: a span can end when certainty fades (R8).
        return spans(of: start) == spans(of: state)
    }
}
