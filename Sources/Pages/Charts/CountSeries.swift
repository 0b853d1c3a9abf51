package import CensusCore
package import CensusStore

/// One kind's counts over consecutive days. Days that are not closed have none.
package struct CountSeries: Sendable {
    /// The counts of one closed day.
    package struct Count: Hashable, Sendable {
        package var certain = 0
        package var possible = 0
        package var expected = 0.0
        package var reported = 0
    }

    package let first: Day
    /// One for each day.
    package let counts: [Count?]

    /// - Parameters:
    ///   - cells: of one kind and surface, in any order.
    ///   - closed: the closed days. If one has no cell, no device had the kind.
    package init(_ cells: [CountedCell], closed: Set<Day>, from first: Day, through last: Day) {
        self.first = first
        var counts: [Count?] = []
        let byDay = Dictionary(cells.map { ($0.day, $0) }) { one, _ in one }
        var day = first
        while day <= last {
            if let cell = byDay[day] {
                counts.append(
                    Count(
                        certain: cell.certain, possible: cell.possible, expected: cell.expected,
                        reported: cell.reported))
            } else {
                counts.append(closed.contains(day) ? Count() : nil)
            }
            day = day + 1
        }
        self.counts = counts
    }

    package var last: Day { first + (counts.count - 1) }

    /// The largest number of any line.
    var largest: Int { counts.compactMap { $0 }.map { max($0.possible, $0.reported) }.max() ?? 0 }

    /// The last closed day.
    var latest: (day: Day, count: Count)? {
        guard let index = counts.lastIndex(where: { $0 != nil }), let count = counts[index] else { return nil }
        return (first + index, count)
    }

    var known: [(day: Day, count: Count)] {
        counts.enumerated().compactMap { index, count in count.map { (first + index, $0) } }
    }

    /// For the day under the pointer.
    var readout: Readout {
        Readout(
            first: first, names: ["certain", "possible", "expected", "reported"],
            days: counts.map { count in
                count.map { ["\($0.certain)", "\($0.possible)", "\(Int($0.expected.rounded()))", "\($0.reported)"] }
            })
    }

    /// Its numbers, newest first.
    var table: Table {
        Table(
            "Devices at the end of the day, newest first", known.reversed(),
            [
                .time("day", \.day).from("day"), .number("certain", \.count.certain).from("devices_certain"),
                .number("possible", \.count.possible).from("devices_possible"),
                .number("expected") { Int($0.count.expected.rounded()) }.from("devices_expected"),
                .number("reported", \.count.reported).from("devices_reported"),
            ],
            whenEmpty: "No day is closed yet.", most: Figure.mostRows)
    }

    /// The numbers of several kinds, newest first.
    static func table(_ kinds: [(surface: String, kind: String, series: CountSeries)]) -> Table {
        let rows = kinds.flatMap { kind in kind.series.known.map { (kind: kind, day: $0.day, count: $0.count) } }
        return Table(
            "Devices at the end of the day, newest first", rows.sorted { $0.day > $1.day },
            [
                .time("day", \.day).from("day"), .text("surface", \.kind.surface).from("surface"),
                .text("kind", \.kind.kind).from("kind"), .number("certain", \.count.certain).from("devices_certain"),
                .number("possible", \.count.possible).from("devices_possible"),
                .number("expected") { Int($0.count.expected.rounded()) }.from("devices_expected"),
            ],
            whenEmpty: "No day is closed yet.", most: Figure.mostRows)
    }

    /// The finding, for a title.
    func finding(_ kind: String) -> String { "\(kind): \(finding)" }

    /// The finding, without the name of the kind.
    var finding: String {
        guard let (day, count) = latest else { return "no day is closed yet" }
        let devices =
            count.certain == count.possible
            ? count.possible.counted("device")
            : "between \(count.certain.grouped) and \(count.possible.counted("device"))"
        return "\(devices) on \(day.spokenShortly)"
    }
}
