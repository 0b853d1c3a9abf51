internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Fleet
internal import Foundation

struct Accuracy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accuracy",
        abstract: "Compare the counts with the truth of a simulated fleet.",
        examples: [
            "widget-census accuracy --truth fleet.truth.csv",
            "widget-census accuracy --truth fleet.truth.csv --kind weather --format csv",
        ],
        discussion: """
            First import the fleet's batches and close its days:

              widget-census simulate --devices 2000 --days 60 --output fleet.ndjson
              widget-census import fleet.ndjson
              widget-census nightly

            The truth is what a device really held at its last report, plus the changes it reported since. A cell is one
            kind on one day. It is sound if certain <= truth <= possible, that is, if the truth is at least `certain` and at
            most `possible`. The naive number is what WidgetCenter claims.

            If the app's days are not in UTC (`apps set --zone`), give `simulate` the same --zone.
            """)

    @OptionGroup var common: CommonOptions

    @Option(.path, "The truth that `simulate` wrote.", name: "file") var truth: String
    @Option(.app, "The fleet's app; only for a truth from an older version, which doesn't name it.", name: "app id")
    var app: String?
    @Option(.kind, "Show one widget kind; the summary covers all.") var kind: String?
    @OptionGroup var output: TableOptions
    @Flag(help: "Print only the summary.") var summary = false

    func run() async throws {
        guard let data = FileManager.default.contents(atPath: truth),
            let known = TruthFile(csv: String(decoding: data, as: UTF8.self))
        else { throw UsageError("\(truth) cannot be read, or is not a truth file that `simulate` wrote") }
        let app = try app(of: known)
        let (window, counted) = try await common.census(onlyReads: true) { census in
            (try await census.store.apps.app(app).window, try await census.store.reports.cells(app: app))
        }
        let zone = window.zone
        guard zone.identifier == known.zone.identifier else {
            throw UsageError(
                """
                the days in \(truth) are in \(known.zone.identifier), but \(app) counts days in \(zone.identifier): \
                write the truth again with `\(ShellCommand("widget-census simulate --zone \(zone.identifier)"))`, \
                the fleet's other options and the same --end
                """)
        }
        let days = ActivityWindow().days
        guard window.days == days else {
            throw UsageError(
                """
                the truth counts a device for \(days.counted("day")) after it was last heard from, but \(app) for \(window.days): \
                to make them comparable, run `\(ShellCommand("widget-census apps set \(app) --window \(days)"))`, \
                then `widget-census nightly`
                """)
        }
        let comparison = Comparison(truth: known, counted: counted)
        guard !comparison.cells.isEmpty else {
            throw UsageError("\(truth) has no closed day of \(app): import the fleet and run `widget-census nightly`")
        }
        if !summary {
            let rows = comparison.cells.filter { kind == nil || $0.kind == kind }.map(\.row)
            output.write(ReportTable(columns: Comparison.Cell.columns, rows: rows))
        }
        // Below a table for people, but not in output for programs.
        if output.format == .table {
            print((summary ? "" : "\n") + comparison.summary)
        } else {
            Terminal.say(comparison.summary)
        }
    }

    private func app(of known: TruthFile) throws -> String {
        guard let name = known.app ?? app else {
            throw UsageError("\(truth) doesn't name its app: give the fleet's app with --app")
        }
        guard app == nil || app == name else { throw UsageError("\(truth) is the truth of \(name): omit --app") }
        return name
    }
}
