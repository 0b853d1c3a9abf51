package import CensusCore

/// A fleet's truth, day by day: on how many devices each kind lived, and how many widgets there were, at the day's end.
///
/// Days are UTC's, from the one in which the plan begins to the last that has ended with it. Memory does not grow with the
/// number of devices.
package struct TruthTable: Sendable {
    package struct Key: Hashable, Comparable, Sendable {
        package var day: Day
        package var surface: Surface
        package var kind: String

        package init(day: Day, surface: Surface, kind: String) {
            self.day = day
            self.surface = surface
            self.kind = kind
        }

        package static func < (left: Key, right: Key) -> Bool {
            (left.day, left.surface, left.kind) < (right.day, right.surface, right.kind)
        }
    }

    package struct Count: Hashable, Sendable {
        package var devices = 0
        package var widgets = 0
    }

    private struct Series: Hashable {
        var surface: Surface
        var kind: String
    }

    private static let day = Duration.days(1).microseconds
    private let first: Int64
    private let length: Int
    private var counts: [Series: [Count]] = [:]

    package init(_ plan: Fleet.Plan) {
        let first = TruthTable.day(of: plan.start)
        self.first = first
        length = max(0, Int(TruthTable.day(of: plan.end) - first))
    }

    /// The days of which the table tells.
    package var days: [Day] { (0..<length).map { Day(daysSince1970: Int32(first) + Int32($0)) } }

    package mutating func add(_ truth: DeviceTruth) {
        var widgets: [Series: [Int]] = [:]
        for interval in truth.intervals {
            // Held at the end of a day: before the next begins.
            let begin = max(0, Int(TruthTable.day(of: interval.from) - first))
            let end = min(length, Int(TruthTable.day(of: interval.to) - first))
            guard begin < end else { continue }
            let series = Series(surface: interval.surface, kind: interval.placement.kind)
            for day in begin..<end {
                widgets[series, default: Array(repeating: 0, count: length)][day] += interval.count
            }
        }
        for (series, perDay) in widgets {
            for (day, count) in perDay.enumerated() where count > 0 {
                counts[series, default: Array(repeating: Count(), count: length)][day].devices += 1
                counts[series]?[day].widgets += count
            }
        }
    }

    /// Kinds that nobody had at a day's end have no row.
    package var rows: [(key: Key, count: Count)] {
        let days = days
        return counts.flatMap { series, perDay in
            zip(days, perDay).filter { $0.1.devices > 0 }
                .map { (key: Key(day: $0.0, surface: series.surface, kind: series.kind), count: $0.1) }
        }
        .sorted { $0.key < $1.key }
    }

    /// Lines that end with a newline, the first of which names the columns.
    package var csv: String {
        rows.reduce(into: "day,surface,kind,devices,widgets\n") { text, row in
            let (key, count) = row
            text += "\(key.day),\(key.surface.rawValue),\(key.kind),\(count.devices),\(count.widgets)\n"
        }
    }

    private static func day(of time: Timestamp) -> Int64 {
        let (quotient, remainder) = time.microseconds.quotientAndRemainder(dividingBy: day)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
