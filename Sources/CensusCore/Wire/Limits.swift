/// The limits of docs/reference/contract.md.
public struct Limits: Hashable, Sendable {
    /// Bytes of a body on the wire, and inflated.
    public var bodyBytes = 1 << 20
    public var inflatedBytes = 8 << 20
    public var eventsPerBatch = 1_000
    public var widgetsPerReport = 1_000
    public var count = 1...1_000
    /// Unicode scalars, as PostgreSQL counts characters.
    public var stringLength = 200
    /// Bytes of UTF-8. Several strings together must fit into one index entry.
    public var stringBytes = 500
    public var eventIDLength = 100
    public var jsonDepth = 16
    /// For a whole request, from the first byte to the last.
    public var requestDeadline: Duration = .seconds(10)
    /// How far the device's clock can be off before its times are corrected.
    public var clockTolerance: Duration = .minutes(5)
    /// How far in the future an event can be after the correction.
    public var aheadTolerance: Duration = .hours(1)
    /// How old an event can be when it is received.
    public var retention: Duration = .days(90)

    public init() {}
}
