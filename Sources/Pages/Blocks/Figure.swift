internal import CensusCore

/// A drawing with everything a reader needs to check it: the finding, the numbers as a table and as CSV, and the SQL behind it.
struct Figure: Sendable {
    /// The drawing's message, in words.
    var finding: Phrase
    var drawing: any Drawing
    /// The figures that a wide screen shows beside the lines.
    var note: Phrase?
    var table: Table?
    var sources: Sources?

    /// The most rows of a table, newest first. More would make a page heavy.
    static let mostRows = 100
}

/// A small chart in a gallery.
struct Tile: Sendable {
    var finding: Phrase
    /// The kind's state, if it is not active.
    var badge: String?
    var drawing: any Drawing
    var note: Phrase
}

/// A drawing for browsers.
protocol Drawing: Sendable {
    var html: HTML { get }
}

/// The source of numbers: a report, as CSV and as SQL that an analyst can paste.
struct Sources: Sendable {
    var query: ReportQuery
    /// Column names of the view.
    var columns: String
    var order: String
    /// The columns to group by, if a row sums several.
    var groups: String?

    init(_ query: ReportQuery, _ columns: String, order: String) {
        self.query = query
        self.columns = columns
        self.order = order
    }

    /// Selects the columns that a table shows.
    init(_ query: ReportQuery, of table: Table, and more: [String] = [], groupedBy groups: String? = nil, order: String)
    {
        self.init(query, (table.columns.compactMap(\.source) + more).joined(separator: ", "), order: order)
        self.groups = groups
    }

    var csv: Link { query.csv }
    var sql: String { query.sql(columns, groupedBy: groups, order: order) }
}

/// A query of a report view.
struct ReportQuery: Sendable {
    var report: String
    var app: String
    var surface: String?
    var kind: String?
    var since: Day?
    var until: Day?
    /// Another condition, in SQL. The CSV has the other rows, too.
    var condition: String?

    func sql(_ columns: String, groupedBy groups: String? = nil, order: String) -> String {
        var conditions = ["app_id = \(app.asSQLLiteral)"]
        if let surface { conditions.append("surface = \(surface.asSQLLiteral)") }
        if let kind { conditions.append("kind = \(kind.asSQLLiteral)") }
        if let since { conditions.append("day >= '\(since)'") }
        if let until { conditions.append("day <= '\(until)'") }
        if let condition { conditions.append(condition) }
        let lines = [
            "select \(columns)", "from report.\(report)", "where \(conditions.joined(separator: "\n    and "))",
            groups.map { "group by \($0)" }, "order by \(order);",
        ]
        return lines.compactMap(\.self).joined(separator: "\n")
    }

    var csv: Link {
        Link(report: report).with("app", app).with("kind", kind).with("since", since?.description)
            .with("until", until?.description).with("format", "csv")
    }
}
