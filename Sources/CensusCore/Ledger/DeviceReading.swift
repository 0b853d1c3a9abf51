/// Everything by which one device is counted, according to one reading of its observations.
public struct DeviceReading: Hashable, Sendable {
    /// A span that still lasts ends at ``silentAt``.
    public var spans: [Span]
    /// By time; the last one, if it still lasts, ends at ``silentAt``.
    public var phases: [Phase]
    /// When the device leaves every count.
    public var silentAt: Timestamp
    /// Until when its last successful report counts; nil when none ever succeeded.
    public var reportingUntil: Timestamp?
    /// What time alone changes from then on is not counted yet; nil: all of it is.
    public var dueAt: Timestamp?
    /// The zone by whose days the device is counted.
    public var zone: ReportingZone

    public init(
        spans: [Span], phases: [Phase], silentAt: Timestamp, reportingUntil: Timestamp?, dueAt: Timestamp?,
        zone: ReportingZone
    ) {
        self.spans = spans
        self.phases = phases
        self.silentAt = silentAt
        self.reportingUntil = reportingUntil
        self.dueAt = dueAt
        self.zone = zone
    }

    /// The first instant after `now` at which time alone changes what the device counts for; nil when there is none.
    public static func due(silentAt: Timestamp, reportingUntil: Timestamp?, after now: Timestamp) -> Timestamp? {
        [silentAt, reportingUntil].compactMap { $0 }.filter { $0 > now }.min()
    }

    /// The spans and phases, each with the end by which it is counted: as `census.counted_span` and `counted_phase` have them.
    var drawn: (spans: [Span], phases: [Phase]) {
        let isSilent = isDrawn(silentAt)
        var spans = spans
        var phases = phases
        if let last = phases.last, last.to == nil, last.traits.isReporting, let reportingUntil,
            isDrawn(reportingUntil), reportingUntil < silentAt
        {
            // Activity of a clone may have been drawn further, in another window.
            let end = max(reportingUntil, last.from)
            phases[phases.count - 1].to = end
            var traits = last.traits
            traits.isReporting = false
            phases.append(Phase(from: end, traits: traits))
        }
        guard isSilent else { return (spans, phases) }
        for index in spans.indices where spans[index].to ?? .max > silentAt {
            spans[index].to = silentAt
            spans[index].ended = Change(.silent, by: .silent)
        }
        if let last = phases.last, last.to == nil { phases[phases.count - 1].to = max(silentAt, last.from) }
        return (spans, phases)
    }

    /// Whether another reading counts the device the same way.
    public func countsLike(_ other: DeviceReading) -> Bool {
        guard zone == other.zone else { return false }
        let (mine, theirs) = (drawn, other.drawn)
        return mine.phases == theirs.phases && mine.spans.count == theirs.spans.count
            && Set(mine.spans) == Set(theirs.spans)
    }

    private func isDrawn(_ time: Timestamp) -> Bool { dueAt.map { time < $0 } ?? true }
}
