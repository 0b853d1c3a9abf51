import CensusStore
import Postgres

/// The expected values of some columns of a panel: a report's rows, grouped by some columns, with sums of others.
struct Figure: Sendable {
    /// A row, by column; a null is absent.
    typealias Row = [String: String]

    /// Sums over one group of rows.
    struct Sums {
        var count: Int
        fileprivate var sums: [String: Double]

        /// Nil if the column is null in every row.
        subscript(_ column: String) -> Double? { sums[column] }

        func ratio(_ numerator: String, _ denominator: String) -> Double? {
            guard let above = sums[numerator], let below = sums[denominator], below != 0 else { return nil }
            return above / below
        }
    }

    var report: String
    /// Columns of the report that variables of the dashboard filter, and those variables.
    var chosen: [String: String] = [:]
    /// Columns that must have this value, or be null.
    var only: [String: String?] = [:]
    /// Nil means every day.
    var lastDays: Int?
    /// Replaces each row by others.
    var rows: @Sendable (Row) -> [Row] = { [$0] }
    /// The maximum number of rows.
    var limit = Int.max
    /// Whether the panel repeats the row at every time of another figure.
    var isConstant = false
    /// The panel's key columns, and the report's column for each.
    var keys: [String: String] = [:]
    /// The panel's other columns.
    var values: [String: @Sendable (Sums) -> Double?] = [:]
}

extension Figure {
    /// The panel's columns that this figure covers.
    var columns: Set<String> { Set(keys.keys).union(values.keys) }

    /// The rows that the panel must show, as sorted lines.
    ///
    /// - Parameters:
    ///   - all: the report's rows: see ``rows(of:)``.
    ///   - variables: the chosen values.
    func expected(_ all: [Row], _ variables: [String: [String]]) -> [String] {
        let days = Set(all.compactMap { $0["day"] }).sorted().suffix(lastDays ?? .max)
        let wanted = chosen.mapValues { Set(variables[$0, default: []].map(Self.escaped)) }
        let shown = all.filter { row in
            only.allSatisfy { row[$0.key] == $0.value }
                && wanted.allSatisfy { $0.value.contains(row[$0.key, default: ""]) }
                && row["day"].map(days.contains) != false
        }
        var groups = Dictionary(grouping: shown.flatMap(rows)) { row in keys.compactMapValues { row[$0] } }
        // A sum over no rows is one row, unless it is grouped.
        if keys.isEmpty && groups.isEmpty { groups[[:]] = [] }
        return groups.map { key, rows in
            var sums = Sums(count: rows.count, sums: [:])
            for (column, cell) in rows.joined() {
                if let number = Double(cell) { sums.sums[column, default: 0] += number }
            }
            return Self.line(key.merging(values.compactMapValues { $0(sums).map { "\($0)" } }) { $1 })
        }.sorted()
    }

    static func rows(of table: ReportTable) -> [Row] {
        let names = table.columns.map(\.name)
        return table.rows.map { row(names, $0) }
    }

    /// The rows that the panel shows, as sorted lines.
    func shown(_ answer: TextRows) -> [String] {
        let lines = answer.rows.map { cells in
            Self.line(Self.row(answer.columns, cells).filter { columns.contains($0.key) })
        }.sorted()
        return isConstant ? Set(lines).sorted() : lines
    }

    private static func row(_ columns: [String], _ cells: [String?]) -> Row {
        Row(uniqueKeysWithValues: zip(columns, cells).compactMap { name, cell in cell.map { (name, escaped($0)) } })
    }

    /// Swift equates the two normal forms of `é`; PostgreSQL and reports don't.
    private static func escaped(_ cell: String) -> String {
        // A fast path: most of the million cells are plain ASCII.
        let isPlain = cell.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "\\") }
        return isPlain ? cell : cell.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }

    private static func line(_ row: Row) -> String {
        row.sorted { $0.key < $1.key }.map { "\($0.key) \(plain($0.value))" }.joined(separator: " | ")
    }

    // Static, because a regex literal in a function is rebuilt at each call. It is immutable, but not Sendable.
    nonisolated(unsafe) private static let time =
        /(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|\+00))?/

    /// One text for equal numbers, days or times. Reports round ratios to six decimals.
    private static func plain(_ cell: String) -> String {
        if let number = Double(cell) { return "\((number * 1_000_000).rounded() / 1_000_000)" }
        guard let time = cell.wholeMatch(of: time) else { return cell }
        return "\(time.1) \(time.2 ?? "00:00:00")"
    }
}
