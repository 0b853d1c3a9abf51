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
              live_now       on how many devices each kind lives, as of the last reconciled event
              live_kinds     the same, day by day, for the days that `nightly` closed
              live_installs  the same, by family, version of app and OS, and platform
              changes        which widgets came and went on each day, and why
              ghosts         how many reported widgets may have been stale, and what became of them
              os_quirks      on which versions of an OS the list names widgets that are gone
              coverage       of how many devices the state is known, day by day
              adoption       which share of the devices holds any widget, by version of app and OS
              retirement     may a legacy kind be dropped, and why not
              refused        how many events were refused at the door, and for what

            devices_certain and devices_possible are bounds; devices_expected is the best estimate between them;
            widgets_reported is what the OS claims.
            """)

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
        guard ReportReader.names.contains(name) else {
            let nearest = ReportReader.names.min { $0.distance(to: name) < $1.distance(to: name) } ?? ""
            throw UsageError(
                "there is no report \(name); did you mean \(nearest)? "
                    + "There are \(ReportReader.names.joined(separator: ", "))")
        }
        let filter = ReportFilter(app: app, since: since, until: until, kind: kind)
        let (table, facts) = try await common.census(onlyReads: true) { census in
            if let app { _ = try await census.store.apps.app(app) }
            let table = try await census.store.reports.read(name, filter)
            return (table, table.rows.isEmpty ? try await census.store.reports.facts(app: app) : nil)
        }
        print(format.text(table, width: Terminal.width), terminator: "")
        guard let facts else { return }
        let isDaily = table.columns.contains { $0.name == "day" }
        let general = EmptyReport(name: name, isDaily: isDaily, filter: filter, facts: facts).reason
        Terminal.say("no rows: \(general ?? reason)")
    }

    private var reason: String {
        switch name {
        case "live_kinds", "live_installs", "changes", "coverage", "adoption":
            "no day that matches was closed yet; `widget-census nightly` closes them"
        case "ghosts": "on no closed day that matches was a widget suspect: that takes a new installation that reports"
        case "os_quirks": "no suspect was settled yet: that takes a reinstall, a boot, and a report after it"
        case "retirement": "no kind was marked; `widget-census kinds mark KIND --legacy --app APP_ID` does"
        case "refused": "no event that matches was refused"
        default: "no device that matches reported within the activity window"
        }
    }
}

extension String {
    /// Levenshtein's distance.
    func distance(to other: String) -> Int {
        let (mine, others) = (Array(self), Array(other))
        var row = Array(0...others.count)
        for (position, character) in mine.enumerated() {
            var diagonal = row[0]
            row[0] = position + 1
            for (column, otherCharacter) in others.enumerated() {
                let replaced = diagonal + (character == otherCharacter ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[others.count]
    }
}
