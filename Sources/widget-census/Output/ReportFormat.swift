internal import ArgumentParser
internal import CensusStore

/// How a report is printed.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
    case table, csv, json

    /// A table as it is printed: what programs read must not be changed, and a table for people has no control characters.
    ///
    /// - Parameter width: the screen's; nil for no limit.
    func text(_ table: ReportTable, width: Int?, colours: Bool = false) -> String {
        switch self {
        case .table: TablePrinter(table, width: width, colours: colours).text
        case .csv: table.csv
        case .json: table.json
        }
    }
}
