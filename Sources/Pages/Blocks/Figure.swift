internal import CensusCore

/// A drawing with everything a reader needs to check it: its finding, its numbers as a table and as CSV, and the SQL behind it.
struct Figure: Sendable {
    /// What the drawing says, in words.
    var finding: Phrase
    var drawing: any Drawing
    var table: Table?
    var sources: Sources?

    /// More rows would make a page heavy; tables begin with the newest.
    static let mostRows = 100
}

/// A small chart among others.
struct Tile: Sendable {
    var finding: Phrase
    var drawing: any Drawing
    var note: Phrase
}

/// What a browser draws.
protocol Drawing: Sendable {
    var svg: HTML { get }
}

/// Where numbers come from: a report, as CSV and as a question that an analyst can paste.
struct Sources: Sendable {
    var query: ReportQuery
    /// In the view's names.
    var columns: String
    var order: String
    /// Where a row sums several.
    var groups: String?

    init(_ query: ReportQuery, _ columns: String, order: String) {
        self.query = query
        self.columns = columns
        self.order = order
    }

    /// The columns that a table shows.
    init(_ query: ReportQuery, of table: Table, and more: [String] = [], groupedBy groups: String? = nil, order: String)
    {
        self.init(query, (table.columns.compactMap(\.source) + more).joined(separator: ", "), order: order)
        self.groups = groups
    }

    var csv: Link { query.csv }
    var sql: String { query.sql(columns, groupedBy: groups, order: order) }
}

/// A question to a report view.
struct ReportQuery: Sendable {
    var report: String
    var app: String
    var surface: String?
    var kind: String?
    var since: Day?
    /// What else must hold, in SQL. A CSV has the other rows, too.
    var condition: String?

    func sql(_ columns: String, groupedBy groups: String? = nil, order: String) -> String {
        var conditions = ["app_id = \(app.asSQLLiteral)"]
        if let surface { conditions.append("surface = \(surface.asSQLLiteral)") }
        if let kind { conditions.append("kind = \(kind.asSQLLiteral)") }
        if let since { conditions.append("day >= '\(since)'") }
        if let condition { conditions.append(condition) }
        let lines = [
            "select \(columns)", "from report.\(report)", "where \(conditions.joined(separator: "\n    and "))",
            groups.map { "group by \($0)" }, "order by \(order);",
        ]
        return lines.compactMap(\.self).joined(separator: "\n")
    }

    var csv: Link {
        Link(report: report).with("app", app).with("kind", kind).with("since", since?.description).with("format", "csv")
    }
}
