internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Pages

struct Explain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show one device's history: each event, what it changed, and by which rule.",
        examples: [
            "widget-census explain --app com.example.weather --device 6F1D2C9A-53B1-4E0F",
            "widget-census explain --app com.example.weather --device - < id.txt",
            "widget-census explain --app com.example.weather --device 6F1D2C9A-53B1-4E0F \\\n"
                + "  --since 2026-11-01 --changes-only",
            "widget-census explain --app com.example.weather \\\n"
                + "  --pseudonym 0e2f5c7a-8d1b-4f60-a3c9-5b7e9d1f2a4c",
        ],
        discussion: """
            \(DeviceOptions.discussion) The history includes every committed event, reconciled or not. The exit status is 1 if the
            device never sent anything.

            certain (at least) and possible (at most) are written before→after. docs/why/reconciliation.md explains the rules.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var device: DeviceOptions

    @Option(help: ArgumentHelp("The first day to show, in the app's time zone.", valueName: "YYYY-MM-DD"))
    var since: Day?
    @Flag(help: "Show only events that changed something.") var changesOnly = false
    @Option(help: "table or json.") var format: ExplanationFormat = .table
    @Flag(help: "Print a table even if the screen is too narrow.") var wide = false

    func run() async throws {
        let explanation = try await common.census(onlyReads: true) { census in
            let app = try await census.store.apps.app(device.app)
            let name = try await device.name(of: app, in: census)
            var explanation: Explanation
            switch try await DeviceHistory.explanation(of: name, app: app, in: census.store) {
            case .success(let found): explanation = found
            case .failure(let absence): throw Refusal(absence.description)
            }
            let start = since.map(app.window.zone.start)
            explanation.steps.removeAll { step in
                start.map { step.at < $0 } ?? false || changesOnly && step.changes.isEmpty
            }
            return explanation
        }
        switch format {
        case .table: Terminal.write(DeviceHistory(explanation).text(width: wide ? nil : Terminal.width))
        case .json: Terminal.write(try DeviceHistory(explanation).jsonText())
        }
    }
}

enum ExplanationFormat: String, CaseIterable, ExpressibleByArgument {
    case table, json
}
