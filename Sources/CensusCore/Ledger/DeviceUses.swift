/// What a device did day by day: that it was heard from, and how often which kinds were used.
///
/// Days are in the zone by which the device is counted.
public struct DeviceUses: Hashable, Sendable {
    /// What is counted apart.
    public struct Key: Hashable, Sendable {
        public var use: Use
        /// Nil: the device as a whole.
        public var surface: Surface?
        /// Empty: the device as a whole.
        @Bytewise public var kind: String

        public init(_ use: Use, surface: Surface?, kind: String) {
            self.use = use
            self.surface = surface
            self.kind = kind
        }

        static let heard = Key(.heard, surface: nil, kind: "")
    }

    /// How many events each day had; never 0. For events of any kind only that there were some, or each report would change
    /// what is stored.
    public private(set) var events: [Key: [Day: Int]] = [:]

    public init() {}

    /// Days on which the device was heard from.
    var heard: some Collection<Day> { events[.heard, default: [:]].keys }

    public var daysHeard: Int { heard.count }

    public mutating func add(_ count: Int, of key: Key, on day: Day) {
        if key == .heard {
            events[key, default: [:]][day] = 1
        } else {
            events[key, default: [:]][day, default: 0] += count
        }
    }

    /// Counts an observation, unless its channel is never counted.
    public mutating func add(_ observation: Observation, zone: ReportingZone) {
        guard observation.circumstances.isCounted else { return }
        let day = zone.day(of: observation.at)
        add(1, of: .heard, on: day)
        guard case .happened(let act, to: let widget) = observation.event, let use = act.use else { return }
        add(1, of: Key(use, surface: observation.surface, kind: widget.kind), on: day)
    }

    public mutating func add(_ other: DeviceUses) {
        for (key, days) in other.events {
            for (day, count) in days { add(count, of: key, on: day) }
        }
    }

    /// Takes the larger number for each day: both may know only a part of it, and nobody knows which.
    public mutating func raise(to other: DeviceUses) {
        for (key, days) in other.events {
            events[key, default: [:]].merge(days, uniquingKeysWith: max)
        }
    }

    /// Takes away what `other` counts on each day; a day with nothing left goes.
    public mutating func subtract(_ other: DeviceUses) {
        for (key, days) in other.events {
            guard var mine = events.removeValue(forKey: key) else { continue }
            for (day, count) in days { mine[day] = mine[day].flatMap { $0 > count ? $0 - count : nil } }
            if !mine.isEmpty { events[key] = mine }
        }
    }

    /// What happened on days in `days`.
    public func during(_ days: some RangeExpression<Day>) -> DeviceUses {
        var uses = DeviceUses()
        for (key, mine) in events {
            let kept = mine.filter { days.contains($0.key) }
            if !kept.isEmpty { uses.events[key] = kept }
        }
        return uses
    }
}

/// What somebody, or the OS, did with a widget of a kind.
public enum Use: String, CaseIterable, Hashable, Sendable {
    /// Any event arrived, of whatever kind.
    case heard
    case opened
    case configured
    case rendered
}

extension DeviceUses {
    /// The days of one month with a use, as they are stored.
    public struct Month: Hashable, Sendable {
        public var key: Key
        /// Its first day.
        public var month: Day
        /// Days of the month from 1 on, in ascending order.
        public var days: [Int16]
        /// How many events there were on each of `days`.
        public var events: [Int64]

        public init(key: Key, month: Day, days: [Int16], events: [Int64]) {
            self.key = key
            self.month = month
            self.days = days
            self.events = events
        }
    }

    public var months: Set<Month> {
        var months: Set<Month> = []
        for (key, mine) in events {
            for (month, days) in Dictionary(grouping: mine.sorted { $0.key < $1.key }, by: { $0.key.month }) {
                months.insert(
                    Month(
                        key: key, month: month,
                        days: days.map { Int16($0.key.daysSince1970 - month.daysSince1970 + 1) },
                        events: days.map { Int64($0.value) }))
            }
        }
        return months
    }

    public init(_ months: some Sequence<Month>) {
        for month in months {
            for (day, count) in zip(month.days, month.events) {
                add(Int(count), of: month.key, on: month.month + Int(day) - 1)
            }
        }
    }
}
