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
}
