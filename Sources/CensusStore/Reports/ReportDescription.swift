internal import EmbeddedFiles
internal import Postgres

/// What a report's folder in `sql/reports` says about it: see ``ReportHeader``.
package struct ReportDescription: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        package let name: String
        package let meaning: String
    }

    package let name: String
    /// The question that it answers, as a line of help: without a capital or a full stop.
    package let answer: String
    /// Other people's queries depend on them.
    package let columns: [Column]
    /// The first columns, which together identify a row.
    package let grain: [String]
    /// Whether it can be filtered by day.
    package var hasDays: Bool { columns.contains { $0.name == "day" } }
    /// Whether it can be filtered by kind.
    package var hasKinds: Bool { columns.contains { $0.name == "kind" } }
    /// The columns by which its rows are sorted, some by their `length(…)`.
    var order: [String] {
        sorting.map { String(($0.hasPrefix("length(") ? $0.dropFirst(7) : $0[...]).prefix { !" )".contains($0) }) }
    }
    /// Columns that a narrow screen leaves out first, in this order.
    package let spare: [String]
    /// The message if no row matches, unless the data gives a better reason.
    package let whenEmpty: String
    /// Takes an app, a first day, a last day and a kind as parameters, even if the report can't be filtered by them.
    let query: Statement
    /// Returns severity, claim and the number of violations of each check.
    let checks: Statement

    private let sorting: [String]

    /// The names of all reports, in the order of `docs/reference/reports.md`.
    static let names = EmbeddedFile.text(of: "docs/reference/reports.md")
        .split(separator: "\n").filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }

    /// All reports, in the order of ``names``.
    package static let all = names.map(ReportDescription.init)

    private init(_ name: String) {
        let header = ReportHeader(name, EmbeddedFile.text(of: "sql/reports/\(name)/view.sql"))
        self.name = name
        answer = header.answer
        columns = header.columns
        grain = header.list("Grain (")
        spare = header.list("Spare")
        whenEmpty = header["Empty"]
        let order = header.list("Order")
        sorting = order.isEmpty ? grain : order
        query = Statement(name, ReportDescription.query(of: name, columns, sorting))
        checks = Statement(
            name,
            ReportDescription.checks(
                of: name, EmbeddedFile.text(of: "sql/reports/\(name)/checks.sql"), grain,
                hasClosedDays: header["Grain"].contains("closed days only")))
    }

    private static func query(of name: String, _ columns: [Column], _ order: [String]) -> String {
        let names = columns.map(\.name)
        func condition(_ column: String, _ test: String, _ parameter: String) -> String {
            "(\(parameter) is null or \(names.contains(column) ? test : "true"))"
        }
        return """
            select
                \(names.map(printed).joined(separator: ",\n    "))
            from report.\(name)
            where ($1::text is null or app_id = $1)
                and \(condition("day", "day >= $2", "$2::date"))
                and \(condition("day", "day <= $3", "$3::date"))
                and \(condition("kind", "kind = $4", "$4::text"))
            order by
                \(order.joined(separator: ",\n    "))
            """
    }

    /// Prints a time as RFC 3339. The column's name shows that it is a time.
    private static func printed(_ column: String) -> String {
        isTime(column)
            ? "to_char(\(column) at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') as \(column)" : column
    }

    static func isTime(_ column: String) -> Bool { column == "as_of" || column.hasSuffix("_at") }

    /// The checks that follow from the grain, then those of `checks.sql`.
    private static func checks(
        of name: String, _ own: String, _ grain: [String], hasClosedDays: Bool
    ) -> String {
        // Comments, such as harms, are only for the tests.
        let own = own.split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
        var made: [String] = []
        // A claim about rows in the report's own checks replaces this one.
        if !own.contains("'one row per ") {
            made.append(
                """
                select
                    'fail' as severity,
                    'one row per \(grain.joined(separator: ", "))' as claim,
                    count(*) as found
                from (
                    select 1
                    from report.\(name)
                    group by \(grain.joined(separator: ", "))
                    having count(*) > 1
                ) as repeated
                """)
        }
        if hasClosedDays {
            made.append(
                """
                select
                    'fail' as severity,
                    'only closed days are counted' as claim,
                    count(*) as found
                from report.\(name)
                join census.app
                    on app.app_id = \(name).app_id
                where not exists (
                    select
                    from census.closed_day
                    where closed_day.app_number = app.app_number
                        and closed_day.day = \(name).day)
                """)
        }
        return (made + [own]).joined(separator: "\nunion all\n")
    }
}
