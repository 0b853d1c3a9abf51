internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Fleet
internal import Foundation

struct Accuracy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accuracy",
        abstract: "Compare what was counted with a simulated fleet's truth.",
        examples: [
            "widget-census accuracy --truth fleet.truth.csv",
            "widget-census accuracy --truth fleet.truth.csv --kind weather --format csv",
        ],
        discussion: """
            Needs the fleet's batches imported and its days closed:

              widget-census simulate --devices 2000 --days 60 --output fleet.ndjson
              widget-census import fleet.ndjson
              widget-census nightly

            The truth is what a device held at its last report, and what it reported since. A cell is a kind on a day; it is
            sound when certain <= truth <= possible. The naive number is what WidgetCenter claims.

            Where the app's days are not UTC's (`apps set --zone`), make the truth with `simulate --zone`, too.
            """)

    @OptionGroup var common: CommonOptions

    @Option(.path, "What `simulate` wrote beside the fleet.", name: "file") var truth: String
    @Option(.app, "The fleet's app, where an older version wrote the truth, which does not name it.", name: "app id")
    var app: String?
    @Option(.kind, "One widget kind; the summary covers all.") var kind: String?
    @OptionGroup var output: TableOptions
    @Flag(help: "The summary alone.") var summary = false

    func run() async throws {
        guard let data = FileManager.default.contents(atPath: truth),
            let known = TruthFile(csv: String(decoding: data, as: UTF8.self))
        else { throw UsageError("\(truth) cannot be read, or is not what `simulate` wrote as truth") }
        let app = try app(of: known)
        let (window, counted) = try await common.census(onlyReads: true) { census in
            (try await census.store.apps.app(app).window, try await census.store.reports.cells(app: app))
        }
        let zone = window.zone
        guard zone.identifier == known.zone.identifier else {
            throw UsageError(
                """
                the days of \(truth) are those of \(known.zone.identifier), and \(app) is counted by those of \
                \(zone.identifier): write the truth again with `\(ShellCommand("widget-census simulate --zone \(zone.identifier)"))`, \
                the fleet's other options and its --end
                """)
        }
        let days = ActivityWindow().days
        guard window.days == days else {
            throw UsageError(
                """
                the truth counts a device for \(days.counted("day")) after it was last heard from, and \(app) for \(window.days): \
                `\(ShellCommand("widget-census apps set \(app) --window \(days)"))` and a night make them comparable
                """)
        }
        let comparison = Comparison(truth: known, counted: counted)
        guard !comparison.cells.isEmpty else {
            throw UsageError("no closed day of \(app) is in \(truth): import the fleet and run `widget-census nightly`")
        }
        if !summary {
            let rows = comparison.cells.filter { kind == nil || $0.kind == kind }.map(\.row)
            output.write(ReportTable(columns: Comparison.Cell.columns, rows: rows))
        }
        // Next to a table for people, but not in a file for programs.
        if output.format == .table {
            print((summary ? "" : "\n") + comparison.summary)
        } else {
            Terminal.say(comparison.summary)
        }
    }

    private func app(of known: TruthFile) throws -> String {
        guard let name = known.app ?? app else {
            throw UsageError("\(truth) does not say whose truth it is: name the fleet's app with --app")
        }
        guard app == nil || app == name else { throw UsageError("\(truth) is the truth of \(name): leave out --app") }
        return name
    }
}
