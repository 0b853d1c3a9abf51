internal import ArgumentParser
internal import CensusCore
internal import CensusStore

struct Report: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a report.",
        discussion: """
            EXAMPLES
              widget-census report live_now
              widget-census report live_kinds --kind weather --since 2026-11-01 --format csv
              widget-census report retirement --app com.example.weather

            REPORTS
            \(lines)

            devices_certain and devices_possible are bounds; devices_expected is the best estimate between them;
            widgets_reported is what the OS claims.
            """)

    /// A line of help for each report.
    private static var lines: String {
        let width = ReportReader.names.map(\.count).max() ?? 0
        return ReportDescription.all.map { report in
            let space = String(repeating: " ", count: width - report.name.count)
            return "  \(report.name)\(space)  \(report.answer)"
        }.joined(separator: "\n")
    }

    @OptionGroup var common: CommonOptions

    @Argument(help: "One of the reports above, such as live_now.")
    var name: String

    @Option(help: ArgumentHelp("One app; all by default.", valueName: "app id"))
    var app: String?

    @Option(help: ArgumentHelp("The first day.", valueName: "YYYY-MM-DD"))
    var since: Day?

    @Option(help: ArgumentHelp("The last day.", valueName: "YYYY-MM-DD"))
    var until: Day?

    @Option(help: "One widget kind.")
    var kind: String?

    @Option(help: "table, csv or json.")
    var format: ReportFormat = .table

    func run() async throws {
        guard let report = ReportDescription.all.first(where: { $0.name == name }) else {
            let names = ReportReader.names
            let nearest = names.min { $0.distance(to: name) < $1.distance(to: name) } ?? ""
            throw UsageError(
                "there is no report \(name); did you mean \(nearest)? There are \(names.joined(separator: ", "))")
        }
        let filter = ReportFilter(app: app, since: since, until: until, kind: kind)
        let (table, facts) = try await common.census(onlyReads: true) { census in
            if let app { _ = try await census.store.apps.app(app) }
            let table = try await census.store.reports.read(name, filter)
            return (table, table.rows.isEmpty ? try await census.store.reports.facts(app: app) : nil)
        }
        format.write(table)
        guard let facts else { return }
        let general = EmptyReport(name: name, isDaily: report.hasDays, filter: filter, facts: facts).reason
        Terminal.say("no rows: \(general ?? report.whenEmpty)")
    }
}
