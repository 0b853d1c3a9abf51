internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Pages

struct Report: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Print a report.",
        examples: [
            "widget-census report live_now",
            "widget-census report live_kinds --since 7d --until yesterday",
            "widget-census report live_kinds --since 2026-11-01 --format csv",
            "widget-census report retirement --app com.example.weather",
            "widget-census report shadow --their numbers.csv",
        ],
        discussion: """
            REPORTS
            \(lines)

            Counts have bounds: devices_certain is at least, devices_possible at most how many devices have a widget, and
            devices_expected the best estimate between them. widgets_reported is what the OS claims.

            The report shadow compares the daily numbers of another tool with ours, and says what explains the difference
            (docs/guides/shadow.md). Its file is a CSV with the columns day and kind, and one or more of
            \(TheirMeasure.allCases.map(\.rawValue).joined(separator: ", ")). It prints a
            summary; --format csv and json have the days.

            On a screen, live_now charts the last 30 closed days of each kind, and a table that is too wide omits the least
            useful columns.
            """)

    /// One help entry per report.
    private static var lines: String {
        let width = ReportReader.names.map(\.count).max() ?? 0
        return ReportDescription.all.map { report in
            let space = String(repeating: " ", count: width - report.name.count)
            let indent = String(repeating: " ", count: width + 4)
            return "  \(report.name)\(space)  "
                + report.answer.wrapped(to: CommandConfiguration.lineLength - width - 4).split(separator: "\n")
                .joined(separator: "\n\(indent)")
        }.joined(separator: "\n")
    }

    @OptionGroup var common: CommonOptions

    @Argument(
        help: "One of the reports above, such as live_now.", completion: .list(ReportReader.names + [Report.shadow]))
    var name: String

    @Option(.app, "One app; all by default.", name: "app id") var app: String?

    @Option(help: ArgumentHelp("The first day to print: \(NamedDay.forms).", valueName: "day"))
    var since: NamedDay?

    @Option(help: ArgumentHelp("The last day to print, in the same forms.", valueName: "day"))
    var until: NamedDay?

    @Option(.kind, "One widget kind.") var kind: String?
    @Option(.path, "For the report shadow: the other tool's numbers; - for standard input.", name: "file")
    var their: String?
    @OptionGroup var output: TableOptions

    private static let shadow = "shadow"

    func validate() throws {
        guard (name == Report.shadow) == (their != nil) else {
            throw ValidationError("the report shadow and --their need each other")
        }
    }

    func run() async throws {
        if let their { return try await compare(with: TheirNumbers(path: their)) }
        guard let report = ReportDescription.all.first(where: { $0.name == name }) else {
            let names = ReportReader.names
            let meant = name.nearest(among: names).map { "; did you mean \($0)?" } ?? "."
            throw UsageError(
                "there is no report \(name.brief)\(meant) The reports are \(names.joined(separator: ", "))")
        }
        let (filter, table, facts) = try await common.census(onlyReads: true) { census in
            if let app { _ = try await census.store.apps.app(app) }
            let filter = try await census.store.reports.filter(app: app, since: since, until: until, kind: kind)
            var table = try await census.store.reports.read(name, filter)
            if name == "live_now", output.isForScreen, !table.rows.isEmpty {
                try await table.addHistory(from: census.store.reports, filter)
            }
            return (filter, table, table.rows.isEmpty ? try await census.store.reports.facts(app: app) : nil)
        }
        output.write(table)
        guard let facts else { return }
        let general = EmptyReport(name: name, isDaily: report.hasDays, filter: filter, facts: facts).reason
        Terminal.say("no rows: \(general ?? report.whenEmpty)")
    }
}

extension Report {
    private func compare(with theirs: TheirNumbers) async throws {
        let shadow = try await common.census(onlyReads: true) { census in
            let app = try await census.store.apps.app(self.app).id
            let filter = try await census.store.reports.filter(app: app, since: since, until: until, kind: kind)
            let theirs = theirs.rows.filter { row in
                row.day >= filter.since ?? row.day && row.day <= filter.until ?? row.day
                    && row.kind == kind ?? row.kind && row.app ?? app == app
            }
            guard let first = theirs.map(\.day).min(), let last = theirs.map(\.day).max() else {
                throw UsageError("the file has no row for this app, these days and this kind")
            }
            let ours = try await census.store.reports.countedDays(app: app, first...last)
            let facts = try await census.store.reports.facts(app: app)
            return Shadow(theirs, ours.filter { $0.kind == kind ?? $0.kind }, facts, app: app)
        }
        guard !shadow.parts.isEmpty else {
            throw UsageError("nothing can be compared. \(shadow.remarks.joined(separator: " "))")
        }
        if output.format == .table {
            print(shadow.summary)
        } else {
            output.write(shadow.table)
        }
    }
}

extension ReportTable {
    private static let days = 30

    /// Adds a sparkline of the last closed days' devices_expected after each kind of live_now.
    fileprivate mutating func addHistory(from reports: ReportReader, _ filter: ReportFilter) async throws {
        let today = ReportingZone.utc.day(of: .now)
        var filter = filter
        filter.since = today + -ReportTable.days
        let history = try await reports.read("live_kinds", filter)
        let names = ["app_id", "day", "surface", "kind", "devices_expected"]
        let places = names.compactMap { name in history.columns.firstIndex { $0.name == name } }
        guard places.count == names.count, let kind = columns.firstIndex(where: { $0.name == "kind" }) else { return }
        var series: [[String?]: [Double?]] = [:]
        for row in history.rows {
            guard let day = row[places[1]].flatMap({ Day($0) }) else { continue }
            let place = Int(day.daysSince1970 - today.daysSince1970) + ReportTable.days
            guard (0..<ReportTable.days).contains(place) else { continue }
            let key = [row[places[0]], row[places[2]], row[places[3]]]
            series[key, default: Array(repeating: nil, count: ReportTable.days)][place] =
                row[places[4]].flatMap(Double.init)
        }
        columns.insert(Column("last_30_days", isWhole: true), at: kind + 1)
        for position in rows.indices {
            // Grain: app_id, surface, kind.
            let line = series[Array(rows[position].prefix(3))].map { Sparkline.text($0) } ?? ""
            rows[position].insert(line, at: kind + 1)
        }
        spare.append("last_30_days")
    }
}

/// A row of numbers as a line of block characters; the largest number gets a full block.
enum Sparkline {
    private static let blocks = Array("▁▂▃▄▅▆▇█")

    /// - Parameters:
    ///   - numbers: nil, for unknown, is left blank.
    ///   - highest: gets a full block; nil for the highest of the numbers.
    static func text(_ numbers: [Double?], highest: Double? = nil) -> String {
        let highest = highest ?? numbers.compactMap { $0 }.max() ?? 0
        return String(
            numbers.map { number -> Character in
                guard let number else { return " " }
                guard highest > 0 else { return blocks[0] }
                let place = Int(number / highest * Double(blocks.count - 1) + 0.5)
                return blocks[min(blocks.count - 1, max(0, place))]
            })
    }
}
