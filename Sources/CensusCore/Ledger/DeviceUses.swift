/// A device's days of use: on which it was heard from, and how often each kind was used.
///
/// Days are those of the time zone by which the device is counted.
public struct DeviceUses: Hashable, Sendable {
    /// What one count is for: a use of a kind, or of the whole device.
    public struct Key: Hashable, Sendable {
        public var use: Use
        /// Nil: the whole device.
        public var surface: Surface?
        /// Empty: the whole device.
        @Bytewise public var kind: String

        public init(_ use: Use, surface: Surface?, kind: String) {
            self.use = use
            self.surface = surface
            self.kind = kind
        }

        static let heard = Key(.heard, surface: nil, kind: "")
    }

    /// The number of events on each day, never 0. For ``Use/heard`` it is always 1, because otherwise each report would change
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
        guard case .happened(let act, to: let widget) = observation.event else { return }
        add(1, of: Key(act.use, surface: observation.surface, kind: widget.kind), on: day)
    }

    public mutating func add(_ other: DeviceUses) {
        for (key, days) in other.events {
            for (day, count) in days { add(count, of: key, on: day) }
        }
    }

    /// Takes the larger number for each day, because either can be incomplete and nobody knows which.
    public mutating func raise(to other: DeviceUses) {
        for (key, days) in other.events {
            events[key, default: [:]].merge(days, uniquingKeysWith: max)
        }
    }

    /// Subtracts the counts of `other` from each day, and drops the days without a remainder.
    public mutating func subtract(_ other: DeviceUses) {
        for (key, days) in other.events {
            guard var mine = events.removeValue(forKey: key) else { continue }
            for (day, count) in days { mine[day] = mine[day].flatMap { $0 > count ? $0 - count : nil } }
            if !mine.isEmpty { events[key] = mine }
        }
    }

    /// The uses on the given days.
    public func during(_ days: some RangeExpression<Day>) -> DeviceUses {
        var uses = DeviceUses()
        for (key, mine) in events {
            let kept = mine.filter { days.contains($0.key) }
            if !kept.isEmpty { uses.events[key] = kept }
        }
        return uses
    }
}

/// What a person or the OS did with a widget of a kind.
public enum Use: String, CaseIterable, Hashable, Sendable {
    /// The device was heard from: an event of any kind arrived.
    case heard
    case opened
    case configured
    case rendered
    /// Not a use: `report.usage` leaves these out. Tools that count events count them, whatever they changed.
    case installed
    case removed
}

extension DeviceUses {
    /// One month's days with a use, as stored.
    public struct Month: Hashable, Sendable {
        public var key: Key
        /// The first day of the month.
        public var month: Day
        /// Days of the month, counted from 1, in ascending order.
        public var days: [Int16]
        /// The number of events on each of `days`.
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
