internal import CensusCore
package import CensusStore

/// Prints a table for people, with numbers right-aligned. It names what a narrow screen leaves out below the table. If even the
/// most useful columns don't fit, it prints a block for every row.
package struct TablePrinter {
    private let table: ReportTable
    private let screenWidth: Int?
    private let colours: Bool
    private let remedy: String
    private let cells: [[String]]

    /// - Parameters:
    ///   - width: the screen's; nil for no limit.
    ///   - colours: whether verdicts and states are coloured.
    ///   - remedy: how to see everything, printed if something is left out.
    package init(_ table: ReportTable, width: Int?, colours: Bool = false, remedy: String = "--wide shows all") {
        self.table = table
        self.screenWidth = width
        self.colours = colours
        self.remedy = remedy
        self.cells = table.rows.map { row in row.map { ($0 ?? "-").printable } }
    }

    package var text: String {
        guard let screenWidth else { return grid(TableLayout(table, cells)) }
        let layout = TableLayout.fitting(table, cells, within: screenWidth, width: width)
        return layout.map { grid($0) + notes($0) } ?? records
    }

    private func shown(_ layout: TableLayout) -> [Int] {
        table.columns.indices.filter { !layout.said.contains($0) && !layout.spared.contains($0) }
    }

    private func width(_ layout: TableLayout) -> Int {
        let widths = shown(layout).map(layout.width)
        return widths.reduce(0, +) + 2 * max(0, widths.count - 1)
    }

    private func cell(_ row: [String], _ column: Int, _ layout: TableLayout) -> String {
        var text = row[column]
        if let prefix = layout.prefixes[column], text.hasPrefix(prefix) {
            text = TableLayout.prefixSign + text.dropFirst(prefix.count)
        }
        if let width = layout.cuts[column], text.count > width {
            // Dotted names differ at their ends, so keep those.
            let keepsEnd = layout.prefixes[column] == nil && text.contains(".") && !text.contains(" ")
            text = keepsEnd ? "…" + text.suffix(width - 1) : text.prefix(width - 1) + "…"
        }
        return text
    }

    /// A column's name in lines, and the column's width.
    private func heading(of column: Int, _ layout: TableLayout) -> (lines: [String], width: Int) {
        let name = table.columns[column].name
        let width = layout.width(of: column)
        guard layout.breaksNames else { return ([name], width) }
        var lines: [String] = []
        for part in name.partsAtUnderscores {
            if let last = lines.last, last.count + part.count <= width {
                lines[lines.count - 1] = last + part
            } else {
                lines.append(part)
            }
        }
        return (lines, width)
    }

    private func grid(_ layout: TableLayout) -> String {
        let columns = shown(layout)
        let headings = columns.map { heading(of: $0, layout) }

        func line(_ texts: [String], painted: Bool = false) -> String {
            let padded = zip(columns, zip(texts, headings)).map { column, place in
                let (text, heading) = place
                let space = String(repeating: " ", count: heading.width - text.count)
                let shown = painted ? Colour.of(text, in: table.columns[column].name)?.paint(text) ?? text : text
                return table.columns[column].isNumber ? space + shown : shown + space
            }
            return padded.joined(separator: "  ").trimmingTrailingSpaces
        }

        let height = headings.map(\.lines.count).max() ?? 0
        let names = (0..<height).map { row in
            line(headings.map { row < height - $0.lines.count ? "" : $0.lines[row - height + $0.lines.count] })
        }
        let rule = headings.map { String(repeating: "─", count: $0.width) }.joined(separator: "  ")
        let rows = cells.map { row in line(columns.map { cell(row, $0, layout) }, painted: colours) }
        return said(layout) + (names + [rule] + rows).joined(separator: "\n") + "\n"
    }

    private func said(_ layout: TableLayout) -> String {
        guard !layout.said.isEmpty, let row = cells.first else { return "" }
        return block(layout.said, row) + "\n\n"
    }

    /// Notes about what the layout hides.
    private func notes(_ layout: TableLayout) -> String {
        func names(_ columns: [Int]) -> String {
            columns.sorted().map { table.columns[$0].name }.joined(separator: ", ")
        }
        var notes = Set(layout.prefixes.values).sorted().map { "\(TableLayout.prefixSign) stands for \($0)" }
        if !layout.cuts.isEmpty { notes.append("… marks cut text: \(names(Array(layout.cuts.keys)))") }
        if !layout.spared.isEmpty { notes.append("not shown: \(names(layout.spared))") }
        if !layout.cuts.isEmpty || !layout.spared.isEmpty { notes[notes.count - 1] += "; \(remedy)" }
        guard !notes.isEmpty else { return "" }
        return "\n" + notes.map { $0.wrapped(to: screenWidth ?? .max) + "\n" }.joined()
    }

    private var records: String {
        cells.map { block(Array(table.columns.indices), $0) }.joined(separator: "\n\n") + "\n"
    }

    /// One line for each column: its name and its value.
    private func block(_ columns: [Int], _ row: [String]) -> String {
        let width = columns.map { table.columns[$0].name.count }.max() ?? 0
        return columns.map { column in
            let name = table.columns[column].name
            return name + String(repeating: " ", count: width - name.count) + "  " + row[column]
        }.joined(separator: "\n")
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        String(reversed().drop { $0 == " " }.reversed())
    }

    /// The parts of a name, each with its trailing underscore.
    var partsAtUnderscores: [String] {
        var parts: [String] = [""]
        for character in self {
            parts[parts.count - 1].append(character)
            if character == "_" { parts.append("") }
        }
        return parts.last == "" && parts.count > 1 ? parts.dropLast() : parts
    }
}

/// The colour of a verdict or a state.
package enum Colour: Int {
    case red = 31
    case green = 32
    case yellow = 33

    package func paint(_ text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }

    /// - Returns: nil for anything but a verdict or a state.
    static func of(_ text: String, in column: String) -> Colour? {
        guard ["verdict", "state", "lifecycle"].contains(column) else { return nil }
        return switch text {
        case "ready", "retire_ready", "holds": .green
        case "not ready", "open", "failing", "gone": .red
        case "unknown", "acknowledged", "expired": .yellow
        default: nil
        }
    }
}
