/// When a device first placed each kind.
public struct Cohorts: Hashable, Sendable {
    public struct Joined: Hashable, Sendable {
        /// When the device first certainly or possibly held the kind.
        public var heldFrom: Timestamp
        /// The Monday of that week. Nil if nobody knows when the widget was placed, because it was in the first list of its
        /// surface or was used before any list.
        public var week: Day?

        public init(heldFrom: Timestamp, week: Day?) {
            self.heldFrom = heldFrom
            self.week = week
        }
    }

    /// By kind. Each key has the day ``Day/first``.
    public var joined: [KindCell: Joined]
    /// The time of each surface's first list.
    public private(set) var firstLists: [Surface: Timestamp]

    public init(_ joined: [KindCell: Joined] = [:], firstLists: [Surface: Timestamp] = [:]) {
        self.joined = joined
        self.firstLists = firstLists
    }

    /// Notes the time of a list, unless the surface has an earlier one or the list's channel is never counted.
    public mutating func note(_ observation: Observation) {
        guard case .reported = observation.event, observation.circumstances.isCounted else { return }
        note(observation.surface, listedAt: observation.at)
    }

    public mutating func note(_ surface: Surface, listedAt time: Timestamp) {
        firstLists[surface] = min(firstLists[surface] ?? time, time)
    }

    /// Adds the cohorts of kinds that have none yet. Note the lists first.
    ///
    /// - Parameter spans: all of the device's spans, or at least those since its cohorts were last complete.
    public mutating func add(_ spans: [Span], zone: ReportingZone) {
        let unknown = spans.filter { $0.level.possible > 0 && joined[KindCell(day: .first, $0)] == nil }
        for (kind, spans) in Dictionary(grouping: unknown, by: { KindCell(day: .first, $0) }) {
            guard let time = spans.map(\.from).min() else { continue }
            let wasMissing = firstLists[kind.surface].map { $0 < time } ?? false
            let wasTold = spans.contains { $0.from == time && $0.began == Change(.installed, by: .event) }
            joined[kind] = Joined(heldFrom: time, week: wasMissing || wasTold ? zone.day(of: time).week : nil)
        }
    }

    /// The part that no later observation can change.
    ///
    /// - Parameters:
    ///   - time: spans that began before it are final.
    ///   - heard: all observations up to this time are known.
    public func fixed(before time: Timestamp, heard: Timestamp) -> Cohorts {
        Cohorts(joined.filter { $0.value.heldFrom < time }, firstLists: firstLists.filter { $0.value <= heard })
    }

    /// The week in which the device joined the kind's cohort; nil if it is in no cohort.
    func week(of kind: KindCell) -> Day? { joined[kind]?.week }
}
