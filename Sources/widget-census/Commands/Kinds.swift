internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Pages

struct Kinds: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kinds",
        abstract: "List an app's widget kinds, and decide when to drop them.",
        examples: [
            "widget-census kinds list --app com.example.weather",
            "widget-census kinds mark old.kind --legacy --app com.example.weather \\\n"
                + "  --dry-run",
            "widget-census kinds mark old.kind --legacy --app com.example.weather",
            "widget-census kinds show old.kind --app com.example.weather",
            "widget-census kinds retire old.kind --app com.example.weather",
            "widget-census kinds reopen old.kind --app com.example.weather",
        ],
        discussion: """
            Mark a kind as legacy when you want to stop offering it. Devices that certainly don't have it then hide it from
            the gallery, and `kinds show` says when it can be dropped. Before the release that drops it, run `preflight` to
            see how many devices would lose a widget.

            Each decision applies to every surface on which the kind was seen. It is recorded with who made it, when, why and
            on which numbers.
            """,
        subcommands: [List.self, Show.self, Mark.self, Retire.self, Reopen.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the kinds seen in the app's events, and whether each can be dropped.",
            examples: ["widget-census kinds list --app com.example.weather"],
            discussion: """
                A legacy kind that can be dropped is shown as retire_ready, as in `report retirement`. An active kind that few
                enough devices might still have can be dropped once it has been marked.
                """)

        @OptionGroup var common: CommonOptions
        @Option(.app, "The app.", name: "app id") var app: String
        @OptionGroup var output: TableOptions

        func run() async throws {
            let (kinds, verdicts) = try await common.census(onlyReads: true) { census in
                let app = try await census.store.apps.app(app)
                let kinds = try await census.store.kinds.all(appNumber: app.number)
                let judged = try await census.store.decisions.verdicts(on: app)
                return (kinds, try await judged + census.store.decisions.supposed(kinds, of: app))
            }
            let table = ReportTable(
                kinds,
                [
                    .text("kind", \.kind), .text("lifecycle") { $0.lifecycle(by: verdicts) },
                    .text("surface", \.surface),
                    .number("devices_certain", \.devicesCertain), .number("devices_possible", \.devicesPossible),
                    .number("devices_silent") { $0.verdict(among: verdicts)?.figures.silent },
                    .number("limit_devices") { $0.verdict(among: verdicts)?.readiness.limit },
                    .text("can_drop") { $0.verdict(among: verdicts)?.canDrop },
                ])
            output.write(table)
            if kinds.isEmpty { Terminal.say("no rows: no event of \(app) has named a kind yet") }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show how many devices have a kind, the decisions on it, and whether it can be dropped.",
            examples: [
                "widget-census kinds show old.kind --app com.example.weather",
                "widget-census kinds show old.kind --app com.example.weather \\\n"
                    + "  --limit-share 1%",
                "widget-census kinds show old.kind --app com.example.weather --check",
                "widget-census kinds show old.kind --app com.example.weather --format json",
            ],
            discussion: """
                Before a kind is marked, the page shows what marking it today would lead to. --limit, --limit-share, --ready-days
                and --coverage try other limits than the app's (`apps set`) and store nothing.

                Use --check in a pipeline that must not drop the kind too early. The exit status is 0 if the kind is ready to be
                dropped on every surface, or a person has retired it there; 1 if it isn't ready, or isn't marked as legacy, on one of them; and 3 if that is
                unknown.
                """)

        @OptionGroup var common: CommonOptions
        @Argument(.kind, "The widget's kind string.") var kind: String
        @Option(.app, "The app.", name: "app id") var app: String
        @Flag(help: "Exit with a status that says whether the kind can be dropped.") var check = false
        @OptionGroup(title: "Limits to try") var limits: LimitOptions
        @Option(help: "text or json.") var format: PageFormat = .text

        func run() async throws {
            let pages = try await common.census(onlyReads: true) { census in
                let app = try await census.store.apps.app(app)
                try await census.store.kinds.require(kind, of: app)
                return try await KindPage.all(of: kind, app: app, trying: limits.settings, in: census.store)
            }
            switch format {
            case .text: Terminal.write(pages.map { $0.page.text(on: Terminal.screen) }.joined(separator: "\n"))
            case .json: Terminal.write(try pages.jsonText())
            }
            guard check else { return }
            // Nil on a surface where nobody marked it; devices might have it there, too.
            let verdicts = pages.map(\.judged?.readiness.verdict)
            if verdicts.isEmpty || verdicts.contains(nil) || verdicts.contains(.notReady) { throw ExitCode(1) }
            if verdicts.contains(.unknown) { throw ExitCode(3) }
        }
    }

    struct Mark: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "mark",
            abstract: "Mark a kind as legacy: the team wants to stop offering it.",
            examples: [
                "widget-census kinds mark old.kind --legacy --app com.example.weather",
                "widget-census kinds mark old.kind --legacy --replaced-by new.kind \\\n"
                    + "  --app com.example.weather",
            ])

        @OptionGroup var act: ActOptions
        @Flag(help: "Mark it as legacy (required).") var legacy = false
        @Option(.kind, "The kind that replaces it for users.", name: "kind") var replacedBy: String?

        func run() async throws {
            guard legacy else { throw UsageError("--legacy is missing; a kind can only be marked as legacy") }
            let step = act.step(.legacy, replacedBy: replacedBy)
            guard !step.replacesItself else { throw UsageError("a kind can't replace itself") }
            try await act.take(step)
        }
    }

    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retire",
            abstract: "Record that the app has dropped a legacy kind; the gallery hides it from devices without it.",
            examples: ["widget-census kinds retire old.kind --app com.example.weather"])

        @OptionGroup var act: ActOptions
        @Flag(help: "Retire the kind even if it is not ready.") var anyway = false

        func run() async throws { try await act.take(act.step(.retired, anyway: anyway)) }
    }

    struct Reopen: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reopen",
            abstract: "Undo marking or retiring a kind; the gallery offers it again.",
            examples: ["widget-census kinds reopen old.kind --app com.example.weather"])

        @OptionGroup var act: ActOptions

        func run() async throws { try await act.take(act.step(.active)) }
    }
}

extension ListedKind {
    /// As in the report `retirement`.
    fileprivate func lifecycle(by verdicts: [KindVerdict]) -> String {
        let isReady = verdict(among: verdicts)?.readiness.verdict == .ready
        return lifecycle == .legacy && isReady ? "retire_ready" : lifecycle.rawValue
    }

    fileprivate func verdict(among verdicts: [KindVerdict]) -> KindVerdict? {
        verdicts.first { $0.surface == place && $0.kind.hasBytes(of: kind) }
    }
}

extension KindVerdict {
    /// Whether a release can leave the kind out. An active kind must be marked first.
    fileprivate var canDrop: String {
        switch (readiness.verdict, figures.lifecycle) {
        case (.retired, _): "retired"
        case (.unknown, _): "unknown"
        case (_, .active): isWithinLimit ? "once marked" : "no"
        case (.ready, _): "yes"
        case (.notReady, _): "no"
        }
    }
}

extension ActOptions {
    fileprivate func step(_ lifecycle: Lifecycle, replacedBy: String? = nil, anyway: Bool = false) -> KindStep {
        let decision = KindDecision(lifecycle, by: actor.name, because: reason.because, replacedBy: replacedBy)
        return KindStep(kind, decision, anyway: anyway)
    }

    /// Records the decision; prints the numbers that it is based on, and what it does.
    fileprivate func take(_ step: KindStep) async throws {
        let (prospect, outcome) = try await common.census(onlyReads: dryRun) { [dryRun] census in
            let app = try await census.store.apps.app(app)
            let prospect = try await census.store.kinds.prospect(of: step, app: app)
            if dryRun, let hindrance = prospect.hindrance {
                if case .unknownReplacement = hindrance { throw UsageError(hindrance.told(of: kind)) }
                throw Refusal(hindrance.told(of: kind))
            }
            return (prospect, dryRun ? nil : try await census.store.kinds.take(step, app: app))
        }
        switch outcome {
        case nil: print(ActOptions.nothingChanged)
        case .hindered(let hindrance): throw Refusal(hindrance.told(of: kind))
        case .overtaken(let present):
            Terminal.say(StepOutcome.overtaken(present).told(of: step))
            throw ExitCode(1)
        case .unchanged:
            print(StepOutcome.unchanged.told(of: step))
            return
        case .recorded(let acts): print(StepOutcome.recorded(acts).told(of: step))
        }
        var effects = prospect
        // They come with commands below.
        effects.accepted = []
        for effect in effects.effects(of: step) { print("  \(effect.text)") }
        if step.decision.lifecycle == .active { for record in prospect.accepted { remind(of: record) } }
        guard !dryRun, step.decision.lifecycle == .legacy else { return }
        let next: ShellCommand = "widget-census kinds show \(kind) --app \(app)"
        Terminal.say("next: \(next)")
    }

    /// Reopening a kind leaves its acknowledgements.
    private func remind(of record: AcknowledgementRecord) {
        let withdrawal: ShellCommand =
            "widget-census preflight acknowledge \(record.acknowledgement.fingerprint) --app \(app) --max-loss 0 --by \(actor.name)"
        Terminal.say("\(record.reminder); to withdraw it: \(withdrawal) --because ...")
    }
}

extension StepHindrance {
    fileprivate func told(of kind: String) -> String {
        let sentence = sentence(on: kind)
        return switch self {
        case .replacesItself, .unknownReplacement: sentence
        case .notLegacy:
            "\(sentence); mark it first (`widget-census kinds mark --legacy`), then wait until few devices have it"
        case .active:
            "\(sentence): mark it again. Nothing was changed; to retire it on the other surfaces only, use --anyway."
        case .notReady: "\(sentence) Nothing was changed; to retire it all the same, use --anyway."
        }
    }
}
