/// The days at whose ends a stretch of time lasts: `[from, to)`.
struct Days: Hashable, Sendable {
    var from: Day
    /// ``Day/last`` while the stretch lasts.
    var to: Day

    init(_ from: Timestamp, _ to: Timestamp?, zone: ReportingZone) {
        self.init(from: zone.day(of: from), to: to.map(zone.day(of:)) ?? .last)
    }

    init(from: Day, to: Day) {
        self.from = from
        self.to = to
    }

    /// It began and ended on the same day.
    var isEmpty: Bool { from == to }

    func contains(_ day: Day) -> Bool { from <= day && day < to }

    func union(_ other: Days) -> Days {
        var days = self
        days.from = min(from, other.from)
        days.to = max(to, other.to)
        return days
    }
}

extension Day {
    /// Before and after every day that is counted.
    static let first = Day(daysSince1970: .min)
    static let last = Day(daysSince1970: .max)
}

/// A span and the days at whose ends it is live.
struct HeldDays: Sendable {
    var span: Span
    var days: Days

    init(_ span: Span, zone: ReportingZone) {
        self.span = span
        days = Days(span.from, span.to, zone: zone)
    }
}

struct PhaseDays: Sendable {
    var phase: Phase
    var days: Days

    init(_ phase: Phase, zone: ReportingZone) {
        self.phase = phase
        days = Days(phase.from, phase.to, zone: zone)
    }
}
