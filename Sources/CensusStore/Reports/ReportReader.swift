package import CensusCore
internal import Postgres

/// What a report is narrowed to; nil means everything.
package struct ReportFilter: Hashable, Sendable {
    package var app: String?
    package var since: Day?
    package var until: Day?
    package var kind: String?

    package init(app: String? = nil, since: Day? = nil, until: Day? = nil, kind: String? = nil) {
        self.app = app
        self.since = since
        self.until = until
        self.kind = kind
    }
}

/// The reports, with their cells, checks and facts.
package struct ReportReader: Sendable {
    let database: Database

    package static var names: [String] { ReportDescription.all.map(\.name) }

    /// Reads one report.
    ///
    /// - Parameter limit: reads no more rows; nil reads all.
    /// - Throws: ``StoreError`` with fault `request` when there is no such report; it names those that exist. Also for a filter
    ///   that the report does not know: returning all rows although a filter was given would be a wrong number.
    package func read(
        _ name: String, _ filter: ReportFilter, atMost limit: Int? = nil
    ) async throws(StoreError) -> ReportTable {
        guard let report = ReportDescription.all.first(where: { $0.name == name }) else {
            throw StoreError(
                .request, "there is no report \(name); there are \(ReportReader.names.joined(separator: ", "))")
        }
        let ignored = [
            (filter.since != nil && !report.hasDays, "a first day"),
            (filter.until != nil && !report.hasDays, "a last day"),
            (filter.kind != nil && !report.hasKinds, "a kind"),
        ].filter(\.0).map(\.1)
        guard ignored.isEmpty else {
            throw StoreError(
                .request,
                "the report \(name) can't be narrowed to \(ignored.joined(separator: " or ")): ask for it without")
        }
        return try await StoreError.wrapping {
            // A number of our own, appended to a statement that ends with its order.
            let query = limit.map { Statement(report.query.name, "\(report.query.text)\nlimit \($0)") } ?? report.query
            let text = try await database.pool.queryText(query, [filter.app, filter.since, filter.until, filter.kind])
            let columns = zip(text.columns, text.types).map { name, type in
                ReportTable.Column(
                    name, isNumber: [.int2, .int4, .int8, .float4, .float8, .numeric].contains(type),
                    // scripts/generate-sql has times written as texts, by their names.
                    isTime: type == .date || name == "as_of" || name.hasSuffix("_at"))
            }
            var table = ReportTable(columns: columns, rows: text.rows, spare: report.spare)
            table.sortUpdatesByNumber()
            return table
        }
    }
}

extension ReportTable {
    /// Puts the rows of a kind in the order of the versions' numbers, where PostgreSQL sorts 20.9 after 20.12.
    ///
    /// Rows for all versions stay last.
    fileprivate mutating func sortUpdatesByNumber() {
        guard let from = columns.firstIndex(where: { $0.name == "from_version" }), columns.count > from + 1,
            columns[from + 1].name == "to_version"
        else { return }
        func order(_ column: Int) -> [String: Int] {
            let versions = Set(rows.compactMap { $0[column] }).sorted()
            return Dictionary(uniqueKeysWithValues: zip(NumericVersion.sorted(versions), 0...))
        }
        let (froms, tos) = (order(from), order(from + 1))
        var groups: [[[String?]]] = []
        for row in rows {
            if let last = groups.last?.first, last.prefix(from) == row.prefix(from) {
                groups[groups.count - 1].append(row)
            } else {
                groups.append([row])
            }
        }
        rows = groups.flatMap { group in
            group.sorted { left, right in
                func place(_ row: [String?]) -> (Int, Int) {
                    (row[from].flatMap { froms[$0] } ?? .max, row[from + 1].flatMap { tos[$0] } ?? .max)
                }
                return place(left) < place(right)
            }
        }
    }
}
