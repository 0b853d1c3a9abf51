internal import ArgumentParser
internal import CensusStore

/// How a report is printed.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
    case table, csv, json

    func text(_ table: ReportTable, width: Int?) -> String {
        switch self {
        case .table: TablePrinter(table, width: width).text
        case .csv: table.csv
        case .json: table.json
        }
    }
}
