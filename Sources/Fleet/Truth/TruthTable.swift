package import CensusCore

/// A fleet's truth by day: how many devices had each kind at the end of the day, and how many widgets there were.
///
/// Days are those of the plan's zone, from the day on which the plan begins to the last one that ends before the plan does. The
/// table's size doesn't depend on the number of devices.
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

    private let app: String
    private let zone: ReportingZone
    private let first: Day
    private let length: Int
    private var counts: [Series: [Count]] = [:]

    package init(_ plan: WeatherFleet.Plan) {
        app = plan.appID
        zone = plan.zone
        first = zone.day(of: plan.start)
        length = max(0, TruthTable.days(from: first, to: zone.day(of: plan.end)))
    }

    /// The days that the table covers.
    package var days: [Day] { (0..<length).map { first + $0 } }

    package mutating func add(_ truth: DeviceTruth) {
        var widgets: [Series: [Int]] = [:]
        for interval in truth.intervals {
            // "At the end of a day" means just before the next one begins.
            let begin = max(0, TruthTable.days(from: first, to: zone.day(of: interval.from)))
            let end = min(length, TruthTable.days(from: first, to: zone.day(of: interval.to)))
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

    /// Kinds that no device had at the end of a day have no row.
    package var rows: [(key: Key, count: Count)] {
        let days = days
        return counts.flatMap { series, perDay in
            zip(days, perDay).filter { $0.1.devices > 0 }
                .map { (key: Key(day: $0.0, surface: series.surface, kind: series.kind), count: $0.1) }
        }
        .sorted { $0.key < $1.key }
    }

    /// The first line has the names of the columns. Each line has the zone of its day, and the app.
    package var csv: String {
        rows.reduce(into: "day,surface,kind,devices,widgets,zone,app_id\n") { text, row in
            let (key, count) = row
            text += "\(key.day),\(key.surface.rawValue),\(key.kind),\(count.devices),\(count.widgets)"
            text += ",\(zone.identifier),\(app)\n"
        }
    }

    private static func days(from first: Day, to last: Day) -> Int {
        Int(last.daysSince1970) - Int(first.daysSince1970)
    }
}
