/// How long a device counts after it was last heard from (R8).
public struct ActivityWindow: Hashable, Sendable {
    /// The number of days, including the one on which the device was heard from.
    public var days: Int
    public var zone: ReportingZone

    public init(days: Int = 28, zone: ReportingZone = .utc) {
        self.days = days
        self.zone = zone
    }

    /// The end of the last day on which a device counts, if it was last heard from at `lastHeard`.
    public func end(lastHeard: Timestamp) -> Timestamp {
        zone.start(of: zone.day(of: lastHeard) + days)
    }

    /// The end for what was last seen at `seen`, but never before `heardAt`, because the history up to then is fixed.
    ///
    /// The end would be earlier if the device was folded with another window or zone until then, from observations that are no
    /// longer kept.
    public func end(lastSeen seen: Timestamp, notBefore heardAt: Timestamp) -> Timestamp {
        max(end(lastHeard: seen), heardAt)
    }

    /// The end for what was last seen at `seen`, if it is before `time`.
    func end(lastSeen seen: Timestamp, notBefore heardAt: Timestamp?, ifBefore time: Timestamp) -> Timestamp? {
        guard let end = end(lastHeard: seen, ifBefore: time) else { return nil }
        let fixed = max(end, heardAt ?? end)
        return fixed < time ? fixed : nil
    }

    /// The end for `lastHeard`, if it is before `time`.
    package func end(lastHeard: Timestamp, ifBefore time: Timestamp) -> Timestamp? {
        // Most observations follow so soon that the calendar isn't needed. A day can be an hour shorter where clocks change,
        // and missing where a zone moved across the date line.
        guard time - lastHeard > .hours(Int64(days - 1) * 24 - 26) else { return nil }
        let end = end(lastHeard: lastHeard)
        return end < time ? end : nil
    }
}
