/// When a device placed each kind for the first time.
public struct Cohorts: Hashable, Sendable {
    public struct Joined: Hashable, Sendable {
        /// When the device certainly or possibly held the kind for the first time.
        public var heldFrom: Timestamp
        /// The Monday of that week. Nil where nobody knows when it was placed: it was in the first list of its surface, or used
        /// before any list.
        public var week: Day?

        public init(heldFrom: Timestamp, week: Day?) {
            self.heldFrom = heldFrom
            self.week = week
        }
    }

    /// By kind, each with the day ``Day/first``.
    public var joined: [KindCell: Joined]
    /// When the first list of each surface arrived.
    public private(set) var firstLists: [Surface: Timestamp]

    public init(_ joined: [KindCell: Joined] = [:], firstLists: [Surface: Timestamp] = [:]) {
        self.joined = joined
        self.firstLists = firstLists
    }

    /// Notes a list, unless the surface already has one, or the list is from a channel that is never counted.
    public mutating func note(_ observation: Observation) {
        guard case .reported = observation.event, observation.circumstances.isCounted else { return }
        note(observation.surface, listedAt: observation.at)
    }

    public mutating func note(_ surface: Surface, listedAt time: Timestamp) {
        firstLists[surface] = min(firstLists[surface] ?? time, time)
    }

    /// Finds the cohorts of kinds that have none yet. The lists must be noted first.
    ///
    /// - Parameter spans: the device's, or at least those since this was complete.
    public mutating func add(_ spans: [Span], zone: ReportingZone) {
        let unknown = spans.filter { $0.level.possible > 0 && joined[KindCell(day: .first, $0)] == nil }
        for (kind, spans) in Dictionary(grouping: unknown, by: { KindCell(day: .first, $0) }) {
            guard let time = spans.map(\.from).min() else { continue }
            let wasMissing = firstLists[kind.surface].map { $0 < time } ?? false
            let wasTold = spans.contains { $0.from == time && $0.began == Change(.installed, by: .event) }
            joined[kind] = Joined(heldFrom: time, week: wasMissing || wasTold ? zone.day(of: time).week : nil)
        }
    }

    /// What no later observation can change.
    ///
    /// - Parameters:
    ///   - time: spans that began before it are fixed.
    ///   - heard: all observations through it are known.
    public func fixed(before time: Timestamp, heard: Timestamp) -> Cohorts {
        Cohorts(joined.filter { $0.value.heldFrom < time }, firstLists: firstLists.filter { $0.value <= heard })
    }

    /// The week in which the device joined those who hold a kind; nil when it is in no cohort.
    func week(of kind: KindCell) -> Day? { joined[kind]?.week }
}
