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
    /// What time alone changes from then on is not counted yet; nil if everything is.
    public var dueAt: Timestamp?
    /// The zone by whose days the device is counted.
    public var zone: ReportingZone
    public var uses = DeviceUses()
    public var cohorts = Cohorts()
    /// Kinds that were ever marked legacy, whose overlaps with others are counted; each with the day ``Day/first``.
    public var legacyKinds: [KindCell] = []
    /// What the device did and held on days before this one is the same as in the reading that this one replaces, and may be
    /// left out of both.
    public var changedFrom = Day.first

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

    /// How many days a silent device still counts as one that may hold what it held.
    public static let silentDays = 365

    /// The first instant after `now` at which time alone changes what the device counts for; nil when there is none.
    ///
    /// - Parameter earlier: an instant that may be used instead, as long as it is also after `now`, and no later: to visit the device
    ///   then, in vain, costs less than to move it with every report.
    public static func due(
        silentAt: Timestamp, reportingUntil: Timestamp?, zone: ReportingZone, after now: Timestamp,
        orAt earlier: Timestamp? = nil
    ) -> Timestamp? {
        let times = [silentAt, reportingUntil, expiry(silentAt: silentAt, zone: zone)].compactMap { $0 }
        guard let due = times.filter({ $0 > now }).min() else { return nil }
        guard let earlier, now < earlier else { return due }
        return min(earlier, due)
    }

    /// When a device that fell silent at `silentAt` ceases to count as silent.
    static func expiry(silentAt: Timestamp, zone: ReportingZone) -> Timestamp {
        zone.start(of: zone.day(of: silentAt) + silentDays)
    }

    /// The spans and phases, each with the end by which it is counted, and the silences between the phases and after the last.
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

    private var ended: (spans: [Span], phases: [Phase]) {
        let isSilent = isDrawn(silentAt)
        var spans = spans
        var phases = phases
        if let last = phases.last, last.to == nil, last.traits.isReporting, let reportingUntil,
            isDrawn(reportingUntil), reportingUntil < silentAt
        {
            // A clone's activity may have been extended further, under another window.
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

    /// Whether another reading counts the device the same way, but for the days on which it was heard from and what it used on
    /// them.
    func holdsLike(_ other: DeviceReading) -> Bool {
        guard zone == other.zone, cohorts == other.cohorts, legacyKinds == other.legacyKinds,
            changedFrom == other.changedFrom
        else { return false }
        let (mine, theirs) = (drawn, other.drawn)
        return mine.phases == theirs.phases && mine.silences == theirs.silences
            && mine.spans.count == theirs.spans.count
            && Set(mine.spans) == Set(theirs.spans)
    }

    private func isDrawn(_ time: Timestamp) -> Bool { dueAt.map { time < $0 } ?? true }
}

/// A stretch of time in which a device was silent, with the kinds that it fell silent with.
struct Silence: Hashable, Sendable {
    /// Each with the day ``Day/first``.
    var kinds: Set<KindCell>
    /// Those at whose ends the device counts as silent: a year at most.
    var days: Days
}
