/// The comments of a report's `view.sql`:
///
/// ```
/// -- live_kinds: how many devices …     the answer, for help and docs/reference/reports.md; the view's comment repeats it
/// -- Grain    one row per (app_id, …)   a check; with "closed days only" another
/// -- Units    devices: distinct devices what the numbers count
/// -- Reads    kind_day, suspect_share   the tables and views behind it
/// -- Caveat   a silent device is absent what readers of the numbers must know
/// -- Read by  dashboards (decision)     what depends on it; a test compares the dashboards with it
/// -- Order    app_id, day desc          the order of the query's rows; by default that of the grain
/// -- Empty    no closed day has …       the message if no row matches
/// -- Spare    as_of, reason             columns that a narrow screen leaves out first; after them numbers, from the right
/// -- Budget   120..400 blocks           how many blocks it can read; the test `Report budgets` prints the line
/// ```
///
/// Each column has a comment, too. A column `day` or `kind` can be a filter. A column `as_of`, or one that ends in `_at`, is a
/// time. In `checks.sql`, the comment `-- Harm: …` above a claim is a statement that makes the claim false; a test runs it.
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

    /// - Returns: an empty text if the header does not have the field.
    subscript(field: Substring) -> String { fields[field] ?? "" }

    /// The names in a field, or in its parentheses: `Grain (`.
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
