/// How long a device counts after it was last heard from (R8).
public struct ActivityWindow: Hashable, Sendable {
    /// Days, the one on which the device was heard included.
    public var days: Int
    public var zone: ReportingZone

    public init(days: Int = 28, zone: ReportingZone = .utc) {
        self.days = days
        self.zone = zone
    }

    /// The end of the last day on which a device counts that was last heard from at `lastHeard`.
    public func end(lastHeard: Timestamp) -> Timestamp {
        zone.start(of: zone.day(of: lastHeard) + days)
    }

    /// The end for `lastHeard`, when it lies before `time`.
    func end(lastHeard: Timestamp, ifBefore time: Timestamp) -> Timestamp? {
        // Days differ by an hour where clocks change, and by a whole one where a zone moved over the date line: most
        // observations follow so soon that no calendar need be asked.
        guard time - lastHeard > .hours(Int64(days - 1) * 24 - 26) else { return nil }
        let end = end(lastHeard: lastHeard)
        return end < time ? end : nil
    }
}
