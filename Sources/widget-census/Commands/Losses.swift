internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Pages

struct Losses: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "losses",
        abstract: "Show which updates made devices lose a widget kind, and record what you decide.",
        examples: [
            "widget-census losses list --app com.example.weather",
            "widget-census losses show radar --app com.example.weather",
            "widget-census losses acknowledge radar --to 20.13 --app com.example.weather",
            "widget-census losses close radar --to 20.13 --app com.example.weather \\\n"
                + "  --because \"20.13.1 brought it back\"",
        ],
        discussion: """
            A night opens an incident when devices that update lose a kind faster than other devices do in the same nights.
            While an incident is open, its kind is not ready to be dropped. `report mass_losses` has the figures of every
            update.
            """,
        subcommands: [List.self, Show.self, Acknowledge.self, Close.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the incidents, newest first.",
            examples: [
                "widget-census losses list --app com.example.weather",
                "widget-census losses list --app com.example.weather --all",
            ])

        @OptionGroup var common: CommonOptions
        @Option(.app, "The app.", name: "app id") var app: String
        @Flag(help: "Include closed incidents.") var all = false
        @OptionGroup var output: TableOptions

        func run() async throws {
            let found = try await common.census(onlyReads: true) { census in
                try await census.store.losses.incidents(of: census.store.apps.app(app), in: LossState.allCases)
            }
            let incidents = found.filter { $0.state != .watched && (all || $0.state != .closed) }
            output.write(ReportTable(incidents))
            for watched in found where watched.looksLikeALoss {
                let command: ShellCommand =
                    "widget-census losses show \(watched.kind) --to \(watched.toVersion) --app \(app)"
                Terminal.say(
                    "not certain, but worth a look: \(watched.figures.updates.lost) of "
                        + "\(watched.figures.updates.pairs.counted("device")) that updated to \(watched.toVersion) "
                        + "lost \(watched.kind); see \(command)")
            }
            if incidents.isEmpty {
                Terminal.say(
                    all
                        ? "no rows: no update of \(app) has opened an incident"
                        : "no rows: no incident of \(app) is open or acknowledged; use --all to include closed ones")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show how many devices lost a kind in which update, and what to do.",
            examples: [
                "widget-census losses show radar --app com.example.weather",
                "widget-census losses show radar --app com.example.weather --to 20.13",
                "widget-census losses show radar --app com.example.weather --format json",
            ])

        @OptionGroup var common: CommonOptions
        @Argument(.kind, "The widget's kind string.") var kind: String
        @Option(.app, "The app.", name: "app id") var app: String
        @Option(.version, "The version that devices updated to; all by default.", name: "version") var to: String?
        @Option(help: "text or json.") var format: PageFormat = .text

        func run() async throws {
            let pages = try await common.census(onlyReads: true) { census in
                let app = try await census.store.apps.app(app)
                let pages = try await LossPage.all(of: kind, to: to, app: app, in: census.store)
                if pages.isEmpty { try await census.store.kinds.require(kind, of: app) }
                return pages
            }
            guard !pages.isEmpty else {
                throw Refusal(
                    "no update\(to.map { " to \($0)" } ?? "") is watched yet for losses of \(kind): "
                        + "devices that certainly had it must update and report again, and a night must run. For the updates "
                        + "that are watched, see "
                        + "`\(ShellCommand("widget-census report mass_losses --app \(app)"))`")
            }
            switch format {
            case .text: Terminal.write(pages.map { $0.page.text(on: Terminal.screen) }.joined(separator: "\n"))
            case .json: Terminal.write(try pages.jsonText())
            }
        }
    }

    struct Acknowledge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "acknowledge", aliases: ["ack"],
            abstract: "Record that a loss is known: it is still counted, but the kind can become ready.",
            examples: ["widget-census losses acknowledge radar --to 20.13 --app com.example.weather"])

        @OptionGroup var loss: LossOptions

        func run() async throws { try await loss.record(.acknowledged) }
    }

    struct Close: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "close",
            abstract: "Close an incident: a later version fixed it, or it was a false alarm.",
            examples: [
                "widget-census losses close radar --to 20.13 --app com.example.weather \\\n"
                    + "  --because \"20.13.1 brought it back\""
            ],
            discussion: "A closed incident does not open again, so you must give a reason.")

        @OptionGroup var loss: LossOptions

        func validate() throws {
            guard loss.act.reason.because != nil else {
                throw ValidationError("a closed incident does not open again: give a reason with --because \"...\"")
            }
        }

        func run() async throws { try await loss.record(.closed) }
    }
}

/// The options of every command that acts on an incident.
struct LossOptions: ParsableArguments {
    @OptionGroup var act: ActOptions
    @Option(.version, "The version that devices updated to.", name: "version") var to: String

    func record(_ state: LossState) async throws {
        let incidents = try await act.common.census { census in
            try await census.store.losses.act(
                state, kind: act.kind, version: to, by: act.actor.name, because: act.reason.because,
                app: census.store.apps.app(act.app), isDryRun: act.dryRun)
        }
        if act.dryRun { print(ActOptions.nothingChanged) }
        for line in incidents.told(act.kind, to, state, by: act.actor.name, isDryRun: act.dryRun) {
            print(act.dryRun ? "  \(line)" : line)
        }
        for incident in incidents {
            if state == .closed, incident.devicesAtRisk > 0 {
                Terminal.say(
                    "it does not open again, and "
                        + incident.devicesAtRisk.counted(
                            "device", "on an older version still has it", "on older versions still have it")
                )
            }
        }
    }
}

extension ReportTable {
    fileprivate init(_ incidents: [LossIncident]) {
        self.init(
            incidents,
            [
                .time("opened_on", \.openedOn), .text("state", \.state.rawValue), .text("surface", \.surface),
                .text("kind", \.kind), .text("to_version", \.toVersion), .number("upgraders", \.figures.updates.pairs),
                .number("lost", \.figures.updates.lost), .number("devices_at_risk", \.devicesAtRisk),
            ],
            spare: ["surface", "upgraders"])
    }
}
