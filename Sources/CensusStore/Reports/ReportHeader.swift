/// The comments of a report's `view.sql`:
///
/// ```
/// -- live_kinds: on how many …          the answer, as help and docs/reference/reports.md say it; the comment on the view repeats it
/// -- Grain    one row per (app_id, …)   a check; with "closed days only" another
/// -- Units    devices: distinct devices what the numbers count
/// -- Reads    kind_day, suspect_share   the tables and views behind it
/// -- Caveat   a silent device is absent what a reader of the numbers must know
/// -- Read by  dashboards (decision)     who depends on it; a test compares the dashboards with it
/// -- Order    app_id, day desc          of the query's rows; the grain's order by default
/// -- Empty    no day that …             what the program says when no row matches
/// -- Spare    as_of, reason             columns that a narrow screen leaves out first; else numbers, from the right
/// -- Budget   120..400 blocks           how much it may read; the test `Report budgets` prints the line
/// ```
///
/// and the comment on each column. A column `day` or `kind` makes a filter. A column `as_of`, or one that ends in `_at`, is a
/// time. In `checks.sql`, the comment above a claim, `-- Harm: …`, is a statement that makes it false, which a test runs.
struct ReportHeader {
    let answer: String
    let columns: [ReportDescription.Column]
    private var fields: [Substring: String] = [:]

    /// - Parameter view: the text of `view.sql`.
    init(_ name: String, _ view: String) {
        let lines = view.split(separator: "\n", omittingEmptySubsequences: false)
        let header = lines.prefix { $0.hasPrefix("--") }.map { $0.dropFirst(3) }
        let sentence = header.first?.dropFirst("\(name): ".count) ?? ""
        answer = String(sentence.last == "." ? sentence.dropLast() : sentence)
        var field: Substring = ""
        for line in header.dropFirst() {
            let named = line.prefix(9).trimmingSuffix(while: \.isWhitespace)
            if !named.isEmpty { field = named }
            let text = line.dropFirst(9)
            fields[field] = fields[field].map { "\($0) \(text)" } ?? String(text)
        }
        let prefix = "comment on column report.\(name)."
        columns = lines.filter { $0.hasPrefix(prefix) }.map { line in
            let parts = line.dropFirst(prefix.count).split(separator: " is '", maxSplits: 1)
            let meaning = parts.count == 2 ? parts[1].dropLast("';".count) : ""
            return ReportDescription.Column(
                name: String(parts[0]), meaning: String(meaning).replacing("''", with: "'"))
        }
    }

    /// - Returns: empty when the header has no such field.
    subscript(field: Substring) -> String { fields[field] ?? "" }

    /// A field's names, or those in parentheses: `Grain (`.
    func list(_ field: String) -> [String] {
        var text = self[field.prefix { $0 != " " }][...]
        if field.hasSuffix("(") { text = text.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" } }
        return text.split(separator: ", ").map(String.init)
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while isLeftOut: (Character) -> Bool) -> Substring {
        lastIndex { !isLeftOut($0) }.map { self[...$0] } ?? ""
    }
}
