/// When a device placed each kind for the first time.
public struct Cohorts: Hashable, Sendable {
    public struct Joined: Hashable, Sendable {
        /// When the device certainly held the kind for the first time.
        public var heldFrom: Timestamp
        /// The Monday of that week. Nil where nobody knows when it was placed: the device held it when it first told what it
        /// holds, or used it before.
        public var week: Day?

        public init(heldFrom: Timestamp, week: Day?) {
            self.heldFrom = heldFrom
            self.week = week
        }
    }

    /// By kind, each with the day ``Day/first``.
    public var joined: [KindCell: Joined]
    /// When a report of the device succeeded for the first time; nil: none ever did.
    public private(set) var firstReportAt: Timestamp?

    public init(_ joined: [KindCell: Joined] = [:], firstReportAt: Timestamp? = nil) {
        self.joined = joined
        self.firstReportAt = firstReportAt
    }

    /// Finds the cohorts of kinds that have none yet.
    ///
    /// - Parameters:
    ///   - spans: the device's, or at least those since this was complete.
    ///   - phases: the same.
    public mutating func add(_ spans: [Span], _ phases: [Phase], zone: ReportingZone) {
        firstReportAt = firstReportAt ?? phases.first(where: \.traits.isReporting)?.from
        let unknown = spans.filter { $0.level.certain > 0 && joined[KindCell(day: .first, $0)] == nil }
        for (kind, spans) in Dictionary(grouping: unknown, by: { KindCell(day: .first, $0) }) {
            guard let time = spans.map(\.from).min() else { continue }
            let isListed = firstReportAt.map { $0 + Cohorts.firstLists < time } ?? false
            let isTold = spans.contains { $0.from == time && $0.began == Change(.installed, by: .event) }
            joined[kind] = Joined(heldFrom: time, week: isListed || isTold ? zone.day(of: time).week : nil)
        }
    }

    /// What no later observation can change.
    ///
    /// - Parameters:
    ///   - time: spans that began before it are fixed.
    ///   - heard: all observations through it are known.
    public func fixed(before time: Timestamp, heard: Timestamp) -> Cohorts {
        Cohorts(
            joined.filter { $0.value.heldFrom < time },
            firstReportAt: firstReportAt.flatMap { $0 <= heard ? $0 : nil })
    }

    /// Within this time of its first list an app reads those of its other surfaces.
    private static let firstLists: Duration = .seconds(60)

    /// The week in which the device joined those who hold a kind; nil when it is in no cohort.
    func week(of kind: KindCell) -> Day? { joined[kind]?.week }
}
