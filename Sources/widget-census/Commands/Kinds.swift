internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Pages

struct Kinds: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kinds",
        abstract: "See an app's widget kinds, and decide on them.",
        examples: [
            "widget-census kinds list --app com.example.weather",
            "widget-census kinds mark old.kind --legacy --app com.example.weather",
            "widget-census kinds show old.kind --app com.example.weather",
            "widget-census kinds retire old.kind --app com.example.weather",
            "widget-census kinds reopen old.kind --app com.example.weather",
        ],
        discussion: """
            A legacy kind is hidden from the gallery for devices that certainly lack it, and `kinds show` says when it may be
            dropped. A decision is taken for every surface on which the kind was seen, and kept: who, when, why, on which
            numbers. Before the release that drops it, `preflight` says who would lose what.
            """,
        subcommands: [List.self, Show.self, Mark.self, Retire.self, Reopen.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the kinds that the app has used.",
            examples: ["widget-census kinds list --app com.example.weather"],
            discussion: "A legacy kind that is ready to be dropped is retire_ready, as in `report retirement`.")

        @OptionGroup var common: CommonOptions
        @Option(.app, "The app.", name: "app id") var app: String
        @OptionGroup var output: TableOptions

        func run() async throws {
            let (kinds, verdicts) = try await common.census(onlyReads: true) { census in
                let app = try await census.store.apps.app(app)
                return (
                    try await census.store.kinds.all(appNumber: app.number),
                    try await census.store.decisions.verdicts(on: app)
                )
            }
            let table = ReportTable(
                kinds,
                [
                    .text("kind", \.kind), .text("lifecycle") { $0.lifecycle(by: verdicts) },
                    .text("surface", \.surface),
                    .number("devices_certain", \.devicesCertain), .number("devices_possible", \.devicesPossible),
                ])
            output.write(table)
            if kinds.isEmpty { Terminal.say("no rows: no event of \(app) named a kind yet") }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show who holds a kind, what was decided about it, and whether a legacy one may be dropped.",
            examples: [
                "widget-census kinds show old.kind --app com.example.weather",
                "widget-census kinds show old.kind --app com.example.weather --check",
                "widget-census kinds show old.kind --app com.example.weather --format json",
            ],
            discussion: """
                With --check the exit status is 0 when it is ready on every surface, 1 when it is not or nobody marked it on one
                of them, 3 when that can't be told: for a pipeline that must not ship a release without the kind too early.
                """)

        @OptionGroup var common: CommonOptions
        @Argument(.kind, "The widget's kind string.") var kind: String
        @Option(.app, "The app.", name: "app id") var app: String
        @Flag(help: "End with the verdict as the exit status.") var check = false
        @Option(help: "text or json.") var format: PageFormat = .text

        func run() async throws {
            let pages = try await common.census(onlyReads: true) { census in
                let app = try await census.store.apps.app(app)
                try await census.store.kinds.require(kind, of: app)
                return try await KindPage.all(of: kind, app: app, in: census.store)
            }
            switch format {
            case .text: Terminal.write(pages.map { $0.page.text(on: Terminal.screen) }.joined(separator: "\n"))
            case .json: Terminal.write(try pages.jsonText())
            }
            if let page = pages.first, pages.allSatisfy({ $0.judged == nil }) {
                Terminal.say("to have it judged: \(page.marking)")
            }
            guard check else { return }
            // Nil on a surface where nobody marked it, and where devices may hold it all the same.
            let verdicts = pages.map(\.judged?.readiness.verdict)
            if verdicts.isEmpty || verdicts.contains(nil) || verdicts.contains(.notReady) { throw ExitCode(1) }
            if verdicts.contains(.unknown) { throw ExitCode(3) }
        }
    }

    struct Mark: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "mark",
            abstract: "Mark a kind that the team wants to stop offering.",
            examples: [
                "widget-census kinds mark old.kind --legacy --app com.example.weather",
                "widget-census kinds mark old.kind --legacy --replaced-by new.kind \\\n"
                    + "  --app com.example.weather",
            ])

        @OptionGroup var act: ActOptions
        @Flag(help: "As legacy.") var legacy = false
        @Option(.kind, "The kind that people are to use instead.", name: "kind") var replacedBy: String?

        func run() async throws {
            guard legacy else { throw UsageError("say what to mark it as: --legacy") }
            guard replacedBy?.hasBytes(of: act.kind) != true else {
                throw UsageError("a kind can't replace itself")
            }
            try await act.record(.legacy, replacedBy: replacedBy)
        }
    }

    struct Retire: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retire",
            abstract: "Say that the app has dropped a legacy kind: the gallery offers it to nobody who lacks it.",
            examples: ["widget-census kinds retire old.kind --app com.example.weather"])

        @OptionGroup var act: ActOptions
        @Flag(help: "Also when the kind is not ready.") var anyway = false

        func run() async throws {
            try await act.record(.retired) { verdicts, listed in
                guard !verdicts.isEmpty else {
                    // It is said below that it is so already.
                    if listed.contains(where: { $0.lifecycle == .retired }) { return }
                    throw Refusal("\(act.kind) is not legacy: mark it first, and wait until few devices hold it")
                }
                if !anyway, let other = listed.first(where: { $0.lifecycle == .active && $0.devicesPossible > 0 }) {
                    throw Refusal(
                        "\(other.devicesPossible.counted("device")) may hold \(act.kind) on \(other.surface ?? "widget"), where it is "
                            + "not legacy: mark it again. Nothing is changed; --anyway retires it elsewhere.")
                }
                guard !anyway, let hindered = verdicts.first(where: { $0.readiness.verdict != .ready }) else { return }
                throw Refusal(
                    "the verdict on \(act.kind) is \(hindered.readiness.verdict.rawValue). \(hindered.readiness.reason) "
                        + "Nothing is changed; --anyway retires it all the same.")
            }
        }
    }

    struct Reopen: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reopen",
            abstract: "Undo marking or retiring a kind: the gallery offers it again.",
            examples: ["widget-census kinds reopen old.kind --app com.example.weather"])

        @OptionGroup var act: ActOptions

        func run() async throws { try await act.record(.active) }
    }
}

extension ListedKind {
    /// As the report `retirement` has it.
    fileprivate func lifecycle(by verdicts: [KindVerdict]) -> String {
        let verdict = verdicts.first { $0.surface == surface && $0.kind.hasBytes(of: kind) }
        return lifecycle == .legacy && verdict?.readiness.verdict == .ready ? "retire_ready" : lifecycle.rawValue
    }
}

extension ActOptions {
    /// Records the decision and says what it rests on.
    ///
    /// - Parameter check: gets the verdicts on the kind, where it is legacy, and the kind on every surface; throws to leave everything
    ///   as it is.
    fileprivate func record(
        _ lifecycle: Lifecycle, replacedBy: String? = nil,
        unless check: ([KindVerdict], [ListedKind]) throws -> Void = { _, _ in }
    ) async throws {
        let made = KindDecision(lifecycle, by: actor.name, because: reason.because, replacedBy: replacedBy)
        let (acts, present) = try await common.census { census in
            let app = try await census.store.apps.app(app)
            func listed() async throws -> [ListedKind] {
                try await census.store.kinds.all(appNumber: app.number).filter { $0.kind.hasBytes(of: kind) }
            }
            try check(
                try await census.store.decisions.verdicts(on: app)
                    .filter { $0.kind.hasBytes(of: kind) && $0.figures.lifecycle == .legacy }, try await listed())
            let acts = try await census.store.kinds.mark(kind: kind, made, app: app)
            return (acts, try await listed().map(\.lifecycle))
        }
        guard !acts.isEmpty else {
            guard present.isEmpty || present.contains(lifecycle) else {
                let others = Set(present.map(\.rawValue)).sorted().joined(separator: " and ")
                Terminal.say("\(kind) is \(others): somebody decided so meanwhile, and nothing was changed")
                throw ExitCode(1)
            }
            print("\(kind) is \(lifecycle.rawValue) already")
            return
        }
        let isOfWidgets = acts.map(\.surface) == ["widget"]
        for act in acts {
            print(
                "\(kind) is \(lifecycle.rawValue) now\(isOfWidgets ? "" : " on \(act.surface)"): decided by \(actor.name) "
                    + "with \(act.devicesCertain.counted("device")) certain, \(act.devicesPossible.grouped) possible; "
                    + "gallery policy \(act.version)")
        }
        let next: ShellCommand = "widget-census kinds show \(kind) --app \(app)"
        if lifecycle == .legacy { Terminal.say("next: \(next)") }
    }
}
