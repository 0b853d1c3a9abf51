internal import CensusStore

/// A table for people: numbers to the right. Where the screen is too narrow, what is the same in all rows is printed once
/// above, then long names are broken; where that does not help, every row is a block.
struct TablePrinter {
    private let table: ReportTable
    private let screenWidth: Int?
    private let cells: [[String]]

    /// - Parameter width: the screen's; nil for no limit.
    init(_ table: ReportTable, width: Int?) {
        self.table = table
        self.screenWidth = width
        self.cells = table.rows.map { row in row.map { ($0 ?? "-").printable } }
    }

    var text: String {
        guard let screenWidth else { return grid(Layout(said: [], breaksNames: false)) }
        let constants = constantColumns
        for breaksNames in [false, true] {
            for count in 0...constants.count {
                let layout = Layout(said: Array(constants.prefix(count)), breaksNames: breaksNames)
                if width(layout) <= screenWidth { return grid(layout) }
            }
        }
        return records
    }

    /// How a table is made narrower.
    private struct Layout {
        /// Columns that are printed once, above.
        var said: [Int]
        var breaksNames: Bool
    }

    /// The columns that are the same in all rows; a row by itself has none.
    private var constantColumns: [Int] {
        guard cells.count > 1 else { return [] }
        return table.columns.indices.filter { column in
            !cells[0][column].isEmpty && cells.allSatisfy { $0[column] == cells[0][column] }
        }
    }

    private func shown(_ layout: Layout) -> [Int] { table.columns.indices.filter { !layout.said.contains($0) } }

    private func width(_ layout: Layout) -> Int {
        let widths = shown(layout).map { heading(of: $0, layout).width }
        return widths.reduce(0, +) + 2 * max(0, widths.count - 1)
    }

    /// A column's name in lines, and how wide the column is.
    private func heading(of column: Int, _ layout: Layout) -> (lines: [String], width: Int) {
        let name = table.columns[column].name
        let content = cells.map { $0[column].count }.max() ?? 0
        guard layout.breaksNames else { return ([name], max(name.count, content)) }
        let parts = name.partsAtUnderscores
        let width = max(content, parts.map(\.count).max() ?? 0)
        var lines: [String] = []
        for part in parts {
            if let last = lines.last, last.count + part.count <= width {
                lines[lines.count - 1] = last + part
            } else {
                lines.append(part)
            }
        }
        return (lines, width)
    }

    private func grid(_ layout: Layout) -> String {
        let columns = shown(layout)
        let headings = columns.map { heading(of: $0, layout) }

        func line(_ texts: [String]) -> String {
            let padded = zip(columns, zip(texts, headings)).map { column, place in
                let (text, heading) = place
                let space = String(repeating: " ", count: heading.width - text.count)
                return table.columns[column].isNumber ? space + text : text + space
            }
            return padded.joined(separator: "  ").trimmingTrailingSpaces
        }

        let height = headings.map(\.lines.count).max() ?? 0
        let names = (0..<height).map { row in
            line(headings.map { row < height - $0.lines.count ? "" : $0.lines[row - height + $0.lines.count] })
        }
        let rule = headings.map { String(repeating: "─", count: $0.width) }.joined(separator: "  ")
        let rows = cells.map { row in line(columns.map { row[$0] }) }
        return said(layout) + (names + [rule] + rows).joined(separator: "\n") + "\n"
    }

    private func said(_ layout: Layout) -> String {
        guard !layout.said.isEmpty, let row = cells.first else { return "" }
        return block(layout.said, row) + "\n\n"
    }

    private var records: String {
        cells.map { block(Array(table.columns.indices), $0) }.joined(separator: "\n\n") + "\n"
    }

    /// A line for each column: its name and its value.
    private func block(_ columns: [Int], _ row: [String]) -> String {
        let width = columns.map { table.columns[$0].name.count }.max() ?? 0
        return columns.map { column in
            let name = table.columns[column].name
            return name + String(repeating: " ", count: width - name.count) + "  " + row[column]
        }.joined(separator: "\n")
    }
}

extension String {
    /// What a client sent must not steer the terminal that shows it.
    var printable: String {
        String(
            unicodeScalars.map {
                $0.properties.generalCategory == .control || $0.properties.isBidiControl ? "\u{FFFD}" : Character($0)
            })
    }

    /// ``printable``, line by line.
    var printableLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }.joined(separator: "\n")
    }

    fileprivate var trimmingTrailingSpaces: String {
        String(reversed().drop { $0 == " " }.reversed())
    }

    /// The parts of a name, each with the underscore that follows it.
    fileprivate var partsAtUnderscores: [String] {
        var parts: [String] = [""]
        for character in self {
            parts[parts.count - 1].append(character)
            if character == "_" { parts.append("") }
        }
        return parts.last == "" && parts.count > 1 ? parts.dropLast() : parts
    }
}
