package import CensusCore
internal import Postgres

/// The filters for a report; nil means everything.
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

    package static var names: [String] { ReportDescription.names }

    /// Reads one report.
    ///
    /// - Parameter limit: reads no more rows; nil reads all.
    /// - Throws: ``StoreError`` with fault `request` if the report does not exist; it names those that do. Also if the report
    ///   does not have one of the filters, because returning all rows would be a wrong number.
    package func read(
        _ name: String, _ filter: ReportFilter, atMost limit: Int? = nil
    ) async throws(StoreError) -> ReportTable {
        guard let report = ReportDescription.all.first(where: { $0.name == name }) else {
            throw StoreError(
                .request, "there is no report \(name); the reports are \(ReportReader.names.joined(separator: ", "))")
        }
        let ignored = [
            (filter.since != nil && !report.hasDays, "`--since`"),
            (filter.until != nil && !report.hasDays, "`--until`"),
            (filter.kind != nil && !report.hasKinds, "`--kind`"),
        ].filter(\.0).map(\.1)
        guard ignored.isEmpty else {
            throw StoreError(
                .request,
                "the report \(name) has no \(ignored.joined(separator: " or ")) filter; run it without")
        }
        return try await StoreError.wrapping {
            // The limit is our own number, appended to a statement that ends with its order.
            let query = limit.map { Statement(report.query.name, "\(report.query.text)\nlimit \($0)") } ?? report.query
            let text = try await database.pool.queryText(query, [filter.app, filter.since, filter.until, filter.kind])
            let columns = zip(text.columns, text.types).map { name, type in
                ReportTable.Column(
                    name, isNumber: [.int2, .int4, .int8, .float4, .float8, .numeric, .bool].contains(type),
                    // The query returns times as texts.
                    isTime: type == .date || ReportDescription.isTime(name))
            }
            var table = ReportTable(columns: columns, rows: text.rows, spare: report.spare)
            for (place, type) in text.types.enumerated() where type == .bool { table.spellOut(flagsAt: place) }
            table.sortVersions(in: report.order)
            return table
        }
    }
}

extension ReportTable {
    /// PostgreSQL prints `t` and `f`.
    fileprivate mutating func spellOut(flagsAt place: Int) {
        for row in rows.indices { rows[row][place] = rows[row][place].map { $0 == "t" ? "true" : "false" } }
    }

    /// Puts versions in their order, where PostgreSQL sorts 20.9 after 20.12: each column of versions among rows that agree in
    /// the columns by which they were sorted before. Rows without a version stay first or last.
    fileprivate mutating func sortVersions(in order: [String]) {
        let places = order.compactMap { name in columns.firstIndex { $0.name == name } }
        for (position, column) in places.enumerated() where columns[column].name.hasSuffix("_version") {
            let versions = Set(rows.compactMap { $0[column].map { Version($0) } }).sorted()
            let ranks = Dictionary(uniqueKeysWithValues: zip(versions, 0...))
            var sorted: [[String?]] = []
            sorted.reserveCapacity(rows.count)
            var start = 0
            while start < rows.count {
                let first = rows[start]
                let group = rows[start...].prefix { row in
                    places.prefix(position).allSatisfy { row[$0].hasBytes(of: first[$0]) }
                }
                let withoutVersion = first[column] == nil ? -1 : versions.count
                let ranked = group.map { row in
                    (rank: row[column].flatMap { ranks[Version($0)] } ?? withoutVersion, row: row)
                }
                sorted += ranked.sorted { $0.rank < $1.rank }.map(\.row)
                start = group.endIndex
            }
            rows = sorted
        }
    }
}
