internal import CensusCore
internal import CensusStore

/// A chart with everything a reader needs to check it: its finding, its numbers as a table and as CSV, and the SQL behind it.
struct OldFigure {
    /// What the chart says, in words.
    var finding: HTML
    var chart: HTML
    var table: OldTable
    var csv: Link
    var sql: String

    var html: HTML {
        """
        <figure>
        <figcaption class="finding">\(finding)</figcaption>
        <div class="plot" tabindex="0" role="group" aria-label="Chart, scrolls sideways">\(chart)</div>
        \(sources)
        </figure>
        """
    }

    /// More rows would make the page heavy; tables begin with the newest.
    private static let mostRows = 100

    private var sources: HTML {
        var newest = table
        newest.rows = Array(table.rows.prefix(OldFigure.mostRows))
        let left = table.rows.count - newest.rows.count
        let rest: HTML = left > 0 ? "<p class=\"soft\">and \(left.counted("row")) more, in the CSV</p>" : .empty
        return """
            <div class="links"><details><summary>OldTable</summary>\(newest.html)\(rest)</details>\
            <a href="\(csv)">CSV</a><details><summary>SQL</summary><pre tabindex="0"><code>\(sql)</code></pre></details></div>
            """
    }

    /// For a table without a chart.
    static func sources(csv: Link, sql: String) -> HTML {
        """
        <div class="links"><a href="\(csv)">CSV</a>\
        <details><summary>SQL</summary><pre tabindex="0"><code>\(sql)</code></pre></details></div>
        """
    }
}

/// A table for people: numbers to the right; it scrolls in a box of its own.
struct OldTable {
    enum Cell {
        case text(String)
        case number(String)
        case markup(HTML)
    }

    var caption: String
    /// A name, and whether its cells are numbers.
    var columns: [(name: String, isNumber: Bool)]
    /// The first cell names its row.
    var rows: [[Cell]]
    /// Shown instead of a table without rows.
    var whenEmpty: String

    init(_ caption: String, _ columns: [(name: String, isNumber: Bool)], whenEmpty: String, _ rows: [[Cell]]) {
        self.caption = caption
        self.columns = columns
        self.whenEmpty = whenEmpty
        self.rows = rows
    }

    var html: HTML {
        guard !rows.isEmpty else { return "<p class=\"soft\">\(whenEmpty)</p>" }
        return """
            <div class="box" tabindex="0" role="group" aria-label="\(caption)"><table><caption>\(caption)</caption>
            <thead><tr>\(columns.html(head))</tr></thead>
            <tbody>\(rows.html { "<tr>\($0.enumerated().html(cell))</tr>\n" })</tbody></table></div>
            """
    }

    private func head(_ column: (name: String, isNumber: Bool)) -> HTML {
        column.isNumber
            ? "<th scope=\"col\" class=\"number\">\(column.name)</th>" : "<th scope=\"col\">\(column.name)</th>"
    }

    private func cell(_ position: Int, _ cell: Cell) -> HTML {
        switch cell {
        case .text(let text): position == 0 ? "<th scope=\"row\">\(text)</th>" : "<td>\(text)</td>"
        case .number(let text): "<td class=\"number\">\(text)</td>"
        case .markup(let html): position == 0 ? "<th scope=\"row\">\(html)</th>" : "<td>\(html)</td>"
        }
    }
}
