internal import ArgumentParser
internal import CensusStore
internal import Pages

/// How a command prints its table.
struct TableOptions: ParsableArguments {
    @Option(help: "table, csv or json.") var format: ReportFormat = .table
    @Flag(help: "All columns of the table, however narrow the screen is.") var wide = false

    /// Whether a person reads it on a screen: programs keep getting what they always got.
    var isForScreen: Bool { format == .table && Terminal.width != nil }

    func write(_ table: ReportTable) {
        Terminal.write(format.text(table, width: wide ? nil : Terminal.width, colours: Terminal.hasColours))
    }
}

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

/// How a page is printed.
enum PageFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json
}
