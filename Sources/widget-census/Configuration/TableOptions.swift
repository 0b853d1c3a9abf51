internal import ArgumentParser
internal import CensusStore
internal import Pages

/// Options for printing a table.
struct TableOptions: ParsableArguments {
    @Option(help: "table, csv, json or ndjson.") var format: ReportFormat = .table
    @Flag(help: "Print all columns, even if the screen is too narrow.") var wide = false

    /// Whether a person reads the table on a screen. Output for programs must stay the same.
    var isForScreen: Bool { format == .table && Terminal.width != nil }

    func write(_ table: ReportTable) {
        Terminal.write(format.text(table, width: wide ? nil : Terminal.width, colours: Terminal.hasColours))
    }
}

/// The output format of a table.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
    case table, csv, json, ndjson

    /// The formatted table. Only the one for people has its control characters replaced: programs get the values unchanged.
    ///
    /// - Parameter width: of the screen; nil for no limit.
    func text(_ table: ReportTable, width: Int?, colours: Bool = false) -> String {
        switch self {
        case .table: TablePrinter(table, width: width, colours: colours).text
        case .csv: table.csv
        case .json: table.json
        case .ndjson: table.ndjson
        }
    }
}

/// The output format of a page.
enum PageFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json
}
