/// When a device first placed each kind.
public struct Cohorts: Hashable, Sendable {
    public struct Joined: Hashable, Sendable {
        /// When the device first certainly or possibly held the kind.
        public var heldFrom: Timestamp
        /// The Monday of that week. Nil if nobody knows when the widget was placed, because it was in the first list of its
        /// surface or was used before any list.
        public var week: Day?
        /// How the first time with the kind ended; nil while it lasts. Later times don't count.
        public var ended: End?

        public init(heldFrom: Timestamp, week: Day?, ended: End? = nil) {
            self.heldFrom = heldFrom
            self.week = week
            self.ended = ended
        }
    }

    /// From when on a device no longer held a kind, neither certainly nor possibly.
    public struct End: Hashable, Sendable {
        public var at: Timestamp
        /// The first by name if placements differ. ``Cause/silent``: nobody knows, even if the device returned with the kind.
        public var cause: Cause

        public init(at: Timestamp, cause: Cause) {
            self.at = at
            self.cause = cause
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

    /// Adds the cohorts of kinds that have none yet, and the ends of first times that had not ended. Note the lists first.
    ///
    /// - Parameter spans: all of the device's spans, or at least those since its cohorts were last complete.
    public mutating func add(_ spans: [Span], zone: ReportingZone) {
        let open = spans.filter { $0.level.possible > 0 && joined[KindCell(day: .first, $0)]?.ended == nil }
        for (kind, spans) in Dictionary(grouping: open, by: { KindCell(day: .first, $0) }) {
            guard let time = spans.map(\.from).min() else { continue }
            if joined[kind] == nil {
                let wasMissing = firstLists[kind.surface].map { $0 < time } ?? false
                let wasTold = spans.contains { $0.from == time && $0.began == Change(.installed, by: .event) }
                joined[kind] = Joined(heldFrom: time, week: wasMissing || wasTold ? zone.day(of: time).week : nil)
            }
            joined[kind]?.ended = Cohorts.end(of: spans)
        }
    }

    /// When the first gap begins that spans of one kind leave; nil if one of them is open before any gap.
    private static func end(of spans: [Span]) -> End? {
        var reach: Timestamp?
        for span in spans.sorted(by: { $0.from < $1.from }) {
            if let end = reach, span.from > end { break }
            guard let to = span.to else { return nil }
            reach = max(reach ?? to, to)
        }
        return reach.flatMap { end in cause(at: end, of: spans).map { End(at: end, cause: $0) } }
    }

    private static func cause(at end: Timestamp, of spans: [Span]) -> Cause? {
        spans.filter { $0.to == end }.compactMap(\.ended?.cause).min { $0.rawValue < $1.rawValue }
    }

    /// The part that no later observation can change.
    ///
    /// - Parameters:
    ///   - time: spans that began before it are final.
    ///   - heard: all observations up to this time are known.
    public func fixed(before time: Timestamp, heard: Timestamp) -> Cohorts {
        let began = joined.filter { $0.value.heldFrom < time }.mapValues { joined in
            var joined = joined
            if let end = joined.ended, end.at >= time { joined.ended = nil }
            return joined
        }
        return Cohorts(began, firstLists: firstLists.filter { $0.value <= heard })
    }

    /// When the device first held a widget, certainly or possibly, and whether it is known to have been placed then: it is not
    /// if the first list of its surface already had it.
    var firstWidget: (at: Timestamp, isPlaced: Bool)? {
        let widgets = joined.filter { $0.key.surface.isWidget }.values
        guard let time = widgets.map(\.heldFrom).min() else { return nil }
        return (time, widgets.allSatisfy { $0.heldFrom > time || $0.week != nil })
    }

    /// The week in which the device joined the kind's cohort; nil if it is in no cohort.
    func week(of kind: KindCell) -> Day? { joined[kind]?.week }
}
