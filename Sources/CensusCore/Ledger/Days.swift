/// The days whose ends fall within a period: `[from, to)`.
struct Days: Hashable, Sendable {
    var from: Day
    /// ``Day/last`` if the period is open.
    var to: Day

    init(_ from: Timestamp, _ to: Timestamp?, zone: ReportingZone) {
        self.init(from: zone.day(of: from), to: to.map(zone.day(of:)) ?? .last)
    }

    init(from: Day, to: Day) {
        self.from = from
        self.to = to
    }

    /// Whether the period began and ended on the same day.
    var isEmpty: Bool { from == to }

    func contains(_ day: Day) -> Bool { from <= day && day < to }

    /// Empty if they have no day in common.
    func intersection(_ other: Days) -> Days {
        let first = Swift.max(from, other.from)
        return Days(from: first, to: Swift.max(first, min(to, other.to)))
    }

    func union(_ other: Days) -> Days {
        var days = self
        days.from = min(from, other.from)
        days.to = max(to, other.to)
        return days
    }
}

extension Day {
    /// Before and after every counted day.
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

extension [Days] {
    /// The same days in order, merged into as few periods as possible.
    var merged: [Days] {
        var merged: [Days] = []
        for days in sorted(by: { $0.from < $1.from }) where !days.isEmpty {
            if let last = merged.last, days.from <= last.to {
                merged[merged.count - 1] = last.union(days)
            } else {
                merged.append(days)
            }
        }
        return merged
    }

    /// Calls `body` with the days that an element of this array and one of `other` have in common, and with their positions.
    ///
    /// Both arrays must be in order and without overlaps.
    func forEachIntersection(with other: [Days], _ body: (_ mine: Int, _ theirs: Int, _ both: Days) -> Void) {
        var (mine, theirs) = (0, 0)
        while mine < count, theirs < other.count {
            let both = self[mine].intersection(other[theirs])
            if !both.isEmpty { body(mine, theirs, both) }
            if self[mine].to < other[theirs].to { mine += 1 } else { theirs += 1 }
        }
    }

    /// Both arrays must be in order and without overlaps.
    func intersection(with other: [Days]) -> [Days] {
        var shared: [Days] = []
        forEachIntersection(with: other) { _, _, both in shared.append(both) }
        return shared
    }
}

extension [[Days]] {
    /// The days that at most `limit` of the arrays contain. Each array must be merged.
    func sharedByAtMost(_ limit: Int) -> [Days] {
        var steps: [Day: Int] = [:]
        for days in joined() {
            steps[days.from, default: 0] += 1
            steps[days.to, default: 0] -= 1
        }
        var few: [Days] = []
        var since: Day? = .first
        var sharing = 0
        for (day, step) in steps.sorted(by: { $0.key < $1.key }) {
            sharing += step
            if sharing > limit, let start = since {
                few.append(Days(from: start, to: day))
                since = nil
            } else if sharing <= limit, since == nil {
                since = day
            }
        }
        if let since { few.append(Days(from: since, to: .last)) }
        return few
    }
}

extension [HeldDays] {
    /// The days at whose ends one of them is certain, merged.
    var certainDays: [Days] { filter { $0.span.level.certain > 0 }.map(\.days).merged }
}
