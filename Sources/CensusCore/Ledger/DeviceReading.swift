/// All by which one device is counted, as one reading of its observations has it.
public struct DeviceReading: Hashable, Sendable {
    /// A span that lasts ends at ``silentAt``.
    public var spans: [Span]
    /// By time; the last, when it lasts, ends at ``silentAt``.
    public var phases: [Phase]
    /// When the device leaves every count.
    public var silentAt: Timestamp
    /// Until when its last successful report counts; nil when none ever succeeded.
    public var reportingUntil: Timestamp?
    /// What time alone changes from here on is not counted yet; nil: all of it is.
    public var dueAt: Timestamp?
    /// In whose days it is counted.
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

    /// The first instant after `now` at which time alone changes what the device counts for; nil when all lies behind.
    public static func due(silentAt: Timestamp, reportingUntil: Timestamp?, after now: Timestamp) -> Timestamp? {
        [silentAt, reportingUntil].compactMap { $0 }.filter { $0 > now }.min()
    }

    /// What time alone changed, drawn: every span and phase has the end by which it is counted.
    var drawn: (spans: [Span], phases: [Phase]) {
        let isSilent = isDrawn(silentAt)
        var spans = spans
        var phases = phases
        if let last = phases.last, last.to == nil, last.traits.isReporting, let reportingUntil,
            isDrawn(reportingUntil), reportingUntil < silentAt
        {
            // A clone may have drawn more, in another window.
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

    /// Whether the device is counted as by another reading of the same spans and phases.
    public func countsLike(_ other: DeviceReading) -> Bool {
        guard zone == other.zone else { return false }
        let (mine, theirs) = (drawn, other.drawn)
        return mine.phases == theirs.phases && mine.spans.count == theirs.spans.count
            && Set(mine.spans) == Set(theirs.spans)
    }

    private func isDrawn(_ time: Timestamp) -> Bool { dueAt.map { time < $0 } ?? true }
}
