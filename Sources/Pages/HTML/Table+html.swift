internal import CensusCore

extension Table {
    /// Numbers are right-aligned. The table scrolls in its own box.
    var html: HTML {
        guard !rows.isEmpty else { return whenEmpty.parts.isEmpty ? .empty : "<p class=\"soft\">\(whenEmpty)</p>\n" }
        let (rows, left) = shown
        let rest: HTML = left > 0 ? "<p class=\"soft\">and \(left.grouped) more, in the CSV</p>\n" : .empty
        return """
            <div class="box" tabindex="0" role="group" aria-label="\(caption)"><table\(isWide ? " class=\"cards\"" : .empty)><caption>\(caption)</caption>
            <thead><tr>\(columns.html { head($0.name.title, $0.isNumber) })</tr></thead>
            <tbody>\(rows.html { "<tr>\(zip(columns.indices, $0).html(cell))</tr>\n" })</tbody></table></div>
            \(rest)
            """
    }

    private func head(_ title: String, _ isNumber: Bool) -> HTML {
        isNumber ? "<th scope=\"col\" class=\"number\">\(title)</th>" : "<th scope=\"col\">\(title)</th>"
    }

    /// Whether a narrow screen shows each row as a list of its values.
    private var isWide: Bool { columns.count > 4 || columns.dropFirst().count { !$0.isNumber } > 1 }

    private func cell(_ column: Int, _ cell: Cell) -> HTML {
        if column == 0 { return "<th scope=\"row\">\(cell.html)</th>" }
        let label: HTML = isWide ? " data-label=\"\(columns[column].name.title)\"" : .empty
        switch cell {
        case .bar, .interval: return "<td class=\"meter\"\(label)>\(cell.html)</td>"
        case .number, .share: return "<td class=\"number\"\(label)>\(cell.html)</td>"
        case .words, .time: return "<td\(label)>\(cell.html)</td>"
        }
    }
}

extension Table.Cell {
    fileprivate var html: HTML {
        switch self {
        case .words(let words): words?.html ?? .empty
        case .number(let number): number.map { "\($0.grouped)" } ?? "-"
        case .share(let share): share.map { "\($0.asPercentage)" } ?? "-"
        case .time(let time): "\(time ?? "-")"
        case .bar(let certain, let possible): Table.bar(certain, possible)
        case .interval(let share, let low, let high, let beside): Table.interval(share, low, high, beside)
        }
    }
}

extension Table {
    /// A bar, filled up to the certain share and outlined up to the possible one.
    fileprivate static func bar(_ certain: Double, _ possible: Double) -> HTML {
        """
        <svg viewBox="0 0 144 14" aria-hidden="true">\
        <path class="added" d="M1 3h\((certain * 140).pixels)v8H1z"/>\
        <path class="edge" d="M1 3h\((possible * 140).pixels)v8H1z"/></svg>
        """
    }

    /// An interval on an axis from 0 to 1.
    fileprivate static func interval(_ share: Double?, _ low: Double?, _ high: Double?, _ beside: Double?) -> HTML {
        guard let share, let low, let high else { return "unknown" }
        func x(_ value: Double) -> String { (4 + 136 * min(1, max(0, value))).pixels }
        let mark: HTML = beside.map { "<path class=\"limit\" d=\"M\(x($0)) 0v14\"/>" } ?? .empty
        return """
            \(share.asPercentage) (\(low.asPercentage) to \(high.asPercentage))\
            <svg viewBox="0 0 144 14" aria-hidden="true"><path class="axis" d="M4 7h136"/>\(mark)\
            <path class="expected" d="M\(x(low)) 7H\(x(high))M\(x(low)) 3v8M\(x(high)) 3v8"/>\
            <circle class="added" cx="\(x(share))" cy="7" r="3.5"/></svg>
            """
    }
}

extension Table {
    /// A table with a row for each check.
    init(_ checks: [Check]) {
        self.init(
            "Each condition with its figure and its limit", checks,
            [
                .words("condition") { $0.isMet ? "\(verdict: "met", .good)" : "\(verdict: "not met", .bad)" },
                .text("figure", \.figure), .text("limit", \.limit),
            ])
    }
}

extension String {
    /// A column's name as a heading: Devices active.
    fileprivate var title: String { replacing("_", with: " ").capitalizingFirst }
}
