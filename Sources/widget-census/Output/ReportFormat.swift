internal import ArgumentParser
internal import CensusCore
internal import CensusStore

/// How a report is printed.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
    case table, csv, json

    func text(_ table: ReportTable, width: Int?) -> String {
        switch self {
        case .table: TablePrinter(table, width: width).text
        case .csv: csv(table)
        case .json: json(table)
        }
    }

    /// RFC 4180; a cell that a spreadsheet would run as a formula is quoted with an apostrophe.
    private func csv(_ table: ReportTable) -> String {
        var lines = [table.columns.map(\.name).joined(separator: ",")]
        for row in table.rows {
            lines.append(
                zip(table.columns, row).map { column, cell in
                    guard var text = cell else { return "" }
                    if !column.isNumber, let first = text.first, "=+-@\t\r".contains(first) { text = "'" + text }
                    guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
                    return "\""
                        + text.split(separator: "\"", omittingEmptySubsequences: false)
                        .joined(separator: "\"\"") + "\""
                }.joined(separator: ","))
        }
        return lines.joined(separator: "\r\n") + "\r\n"
    }

    /// An array with an object for each row; numbers are numbers.
    private func json(_ table: ReportTable) -> String {
        let objects = table.rows.map { row in
            let members = zip(table.columns, row).map { column, cell in
                let value = cell.map { column.isNumber ? $0 : $0.jsonQuoted } ?? "null"
                return "\(column.name.jsonQuoted): \(value)"
            }
            return "  {" + members.joined(separator: ", ") + "}"
        }
        return objects.isEmpty ? "[]\n" : "[\n" + objects.joined(separator: ",\n") + "\n]\n"
    }
}
