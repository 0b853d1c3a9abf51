internal import ArgumentParser
internal import CensusStore

/// How a report is printed.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
    case table, csv, json

    /// Prints a table, as it is: what programs read must not be changed, and a table for people has no control characters.
    func write(_ table: ReportTable) { Terminal.write(text(table, width: Terminal.width)) }

    func text(_ table: ReportTable, width: Int?) -> String {
        switch self {
        case .table: TablePrinter(table, width: width).text
        case .csv: table.csv
        case .json: table.json
        }
    }
}
