/// One reading of a device's observations: everything by which the ledger counts the device.
public struct DeviceReading: Hashable, Sendable {
    /// An open span ends at ``silentAt``.
    public var spans: [Span]
    /// In order of time. If the last one is open, it ends at ``silentAt``.
    public var phases: [Phase]
    /// When the device leaves every count.
    public var silentAt: Timestamp
    /// Until when its last successful report counts; nil if it has none.
    public var reportingUntil: Timestamp?
    /// Changes that time alone causes are counted if they are before this instant; nil: all are counted.
    public var dueAt: Timestamp?
    /// The time zone of the days by which the device is counted.
    public var zone: ReportingZone
    public var uses = DeviceUses()
    public var cohorts = Cohorts()
    /// Nil if it was never heard from.
    public var firstHeard: FirstHeard?
    /// Before this day the device did and held the same as in the reading that this one replaces, so both may leave those days
    /// out.
    public var changedFrom = Day.first

    /// When the device was first heard from, and its platform as last heard.
    public struct FirstHeard: Hashable, Sendable {
        public var at: Timestamp
        public var platform: Platform

        public init(at: Timestamp, platform: Platform) {
            self.at = at
            self.platform = platform
        }
    }

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

    /// For this many days a silent device counts as one that might hold what it held.
    public static let silentDays = 365

    /// The first instant after `now` at which time alone changes how the device is counted; nil if there is none.
    ///
    /// - Parameter earlier: returned instead if it is after `now` and before that instant. A wasted check is cheaper than
    ///   rewriting the index on every report.
    public static func due(
        silentAt: Timestamp, reportingUntil: Timestamp?, zone: ReportingZone, after now: Timestamp,
        orAt earlier: Timestamp? = nil
    ) -> Timestamp? {
        let times = [silentAt, reportingUntil, expiry(silentAt: silentAt, zone: zone)].compactMap { $0 }
        guard let due = times.filter({ $0 > now }).min() else { return nil }
        guard let earlier, now < earlier else { return due }
        return min(earlier, due)
    }

    /// When a device that fell silent at `silentAt` stops counting as silent.
    static func expiry(silentAt: Timestamp, zone: ReportingZone) -> Timestamp {
        zone.start(of: zone.day(of: silentAt) + silentDays)
    }

    /// The spans and phases with the ends by which they are counted, and the silences between the phases and after the last
    /// one.
    var drawn: (spans: [Span], phases: [Phase], silences: [Silence]) {
        let (spans, phases) = ended
        return (spans, phases, silences(spans, phases))
    }

    private func silences(_ spans: [Span], _ phases: [Phase]) -> [Silence] {
        var silences: [Silence] = []
        for (index, phase) in phases.enumerated() {
            guard var start = phase.to else { continue }
            let isLast = index == phases.count - 1
            if isLast { start = min(start, silentAt) }
            let next = isLast ? nil : phases[index + 1].from
            guard next != start else { continue }
            let held = spans.filter { $0.to == start && $0.ended?.cause == .silent && $0.level.possible > 0 }
            guard !held.isEmpty else { continue }
            let from = zone.day(of: start)
            let expires =
                isLast && !isDrawn(DeviceReading.expiry(silentAt: start, zone: zone))
                ? Day.last
                : from + DeviceReading.silentDays
            silences.append(
                Silence(
                    kinds: Set(held.map { KindCell(day: .first, $0) }),
                    days: Days(from: from, to: min(expires, next.map(zone.day(of:)) ?? .last))))
        }
        return silences
    }

    /// Whether the device has fallen silent by the time up to which it is counted.
    var isSilent: Bool { isDrawn(silentAt) }

    private var ended: (spans: [Span], phases: [Phase]) {
        var spans = spans
        var phases = phases
        if let last = phases.last, last.to == nil, last.traits.isReporting, let reportingUntil,
            isDrawn(reportingUntil), reportingUntil < silentAt
        {
            // Under another window, a clone can have extended the device's activity further.
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

    /// Whether another reading counts the device in the same way, apart from the days on which it was heard from and its uses
    /// on them.
    func holdsLike(_ other: DeviceReading) -> Bool {
        guard zone == other.zone, cohorts == other.cohorts, changedFrom == other.changedFrom,
            firstHeard == other.firstHeard
        else { return false }
        let (mine, theirs) = (drawn, other.drawn)
        return mine.phases == theirs.phases && mine.silences == theirs.silences
            && mine.spans.count == theirs.spans.count
            // A heartbeat's are one array, which costs no comparison.
            && (mine.spans == theirs.spans || Set(mine.spans) == Set(theirs.spans))
    }

    private func isDrawn(_ time: Timestamp) -> Bool { dueAt.map { time < $0 } ?? true }
}

/// A period in which a device was silent, with the kinds that it held when it fell silent.
struct Silence: Hashable, Sendable {
    /// Each with the day ``Day/first``.
    var kinds: Set<KindCell>
    /// The days at whose ends the device counts as silent: at most a year.
    var days: Days
}
