internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Pages

struct Losses: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "losses",
        abstract: "See which updates took a widget kind away, and act on it.",
        examples: [
            "widget-census losses list --app com.example.weather",
            "widget-census losses show radar --app com.example.weather",
            "widget-census losses acknowledge radar --to 20.13 --app com.example.weather",
            "widget-census losses close radar --to 20.13 --app com.example.weather \\\n"
                + "  --because \"20.13.1 brought it back\"",
        ],
        discussion: """
            A night opens an incident when those who update lose a kind faster than others do in the same nights. While it is
            open the kind is not ready to be dropped. `report mass_losses` has the figures of every update.
            """,
        subcommands: [List.self, Show.self, Acknowledge.self, Close.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the incidents, the newest first.",
            examples: [
                "widget-census losses list --app com.example.weather",
                "widget-census losses list --app com.example.weather --all",
            ])

        @OptionGroup var common: CommonOptions
        @Option(.app, "The app.", name: "app id") var app: String
        @Flag(help: "Also those that were closed.") var all = false
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
                    "not beyond doubt, and worth a look: \(watched.figures.updates.lost) of \(watched.figures.updates.pairs) that updated to "
                        + "\(watched.toVersion) lost \(watched.kind): \(command)")
            }
            if incidents.isEmpty {
                Terminal.say(
                    all
                        ? "no rows: no update of \(app) has opened an incident"
                        : "no rows: no incident of \(app) is open or acknowledged; --all has closed ones, too")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show what updates took away of a kind, from whom, and what to do.",
            examples: [
                "widget-census losses show radar --app com.example.weather",
                "widget-census losses show radar --app com.example.weather --to 20.13",
                "widget-census losses show radar --app com.example.weather --format json",
            ])

        @OptionGroup var common: CommonOptions
        @Argument(.kind, "The widget's kind string.") var kind: String
        @Option(.app, "The app.", name: "app id") var app: String
        @Option(.version, "The version that was updated to; all by default.", name: "version") var to: String?
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
                    "no update\(to.map { " to \($0)" } ?? "") of devices that held \(kind) for certain is watched yet: it takes devices "
                        + "that update and report again, and a night; `\(ShellCommand("widget-census report mass_losses --app \(app)"))` lists those "
                        + "that are")
            }
            switch format {
            case .text: Terminal.write(pages.map { $0.page.text(on: Terminal.screen) }.joined(separator: "\n"))
            case .json: Terminal.write(try pages.jsonText())
            }
        }
    }

    struct Acknowledge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "acknowledge",
            abstract: "Say that a loss is known: it is followed, and no longer withholds `ready`.",
            examples: ["widget-census losses acknowledge radar --to 20.13 --app com.example.weather"])

        @OptionGroup var loss: LossOptions

        func run() async throws { try await loss.record(.acknowledged) }
    }

    struct Close: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "close",
            abstract: "Say that an incident is over: a later version fixed it, or it was not one.",
            examples: [
                "widget-census losses close radar --to 20.13 --app com.example.weather \\\n"
                    + "  --because \"20.13.1 brought it back\""
            ],
            discussion: "It does not open again, so a reason is asked for.")

        @OptionGroup var loss: LossOptions

        func validate() throws {
            guard loss.act.reason.because != nil else {
                throw ValidationError("a closed incident does not open again: say why, --because \"...\"")
            }
        }

        func run() async throws { try await loss.record(.closed) }
    }
}

/// The options of every act on an incident.
struct LossOptions: ParsableArguments {
    @OptionGroup var act: ActOptions
    @Option(.version, "The version that was updated to.", name: "version") var to: String

    func record(_ state: LossState) async throws {
        let incidents = try await act.common.census { census in
            try await census.store.losses.act(
                state, kind: act.kind, version: to, by: act.actor.name, because: act.reason.because,
                app: census.store.apps.app(act.app))
        }
        for incident in incidents {
            let place = incident.surface.onSurface
            print(
                "the loss of \(act.kind)\(place) by updates to \(to) is \(state.rawValue) now: "
                    + "\(incident.figures.updates.lost.grouped) of \(incident.figures.updates.pairs.counted("device")) "
                    + "lost it; decided by \(act.actor.name)")
            if state == .closed, incident.devicesAtRisk > 0 {
                Terminal.say(
                    "it does not open again, and \(incident.devicesAtRisk.counted("device")) on older versions still hold\(incident.devicesAtRisk == 1 ? "s" : "") it"
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
