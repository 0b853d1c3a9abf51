internal import CensusStore

/// A table for people: numbers to the right, and a record a block where the screen is too narrow for the rows.
struct TablePrinter {
    private let table: ReportTable
    private let screenWidth: Int?

    /// - Parameter width: of the screen; nil for as wide as it takes.
    init(_ table: ReportTable, width: Int?) {
        self.table = table
        self.screenWidth = width
    }

    var text: String {
        let cells = table.rows.map { row in row.map { ($0 ?? "-").printable } }
        let widths = table.columns.indices.map { column in
            ([table.columns[column].name.count] + cells.map { $0[column].count }).max() ?? 0
        }
        let total = widths.reduce(0, +) + 2 * max(0, widths.count - 1)
        if let screenWidth, total > screenWidth { return records(cells) }

        func line(_ cells: [String]) -> String {
            let padded = cells.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - cells[column].count)
                return table.columns[column].isNumber ? space + cells[column] : cells[column] + space
            }
            return padded.joined(separator: "  ").trimmingTrailingSpaces
        }
        let rule = widths.map { String(repeating: "─", count: $0) }
        return ([line(table.columns.map(\.name)), rule.joined(separator: "  ")] + cells.map(line))
            .joined(separator: "\n") + "\n"
    }

    private func records(_ cells: [[String]]) -> String {
        let width = table.columns.map(\.name.count).max() ?? 0
        return cells.map { row in
            zip(table.columns, row).map { column, cell in
                column.name + String(repeating: " ", count: width - column.name.count) + "  " + cell
            }.joined(separator: "\n")
        }.joined(separator: "\n\n") + "\n"
    }
}

extension String {
    /// What a client sent must not steer the terminal that shows it.
    fileprivate var printable: String {
        String(unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : Character($0) })
    }

    fileprivate var trimmingTrailingSpaces: String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}
