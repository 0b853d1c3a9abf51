internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Foundation

struct Kinds: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "See an app's widget kinds, and decide on them.",
        discussion: """
            EXAMPLES
              widget-census kinds list --app com.example.weather
              widget-census kinds mark old.kind --legacy --app com.example.weather
              widget-census kinds mark old.kind --active --app com.example.weather

            A legacy kind is hidden from the gallery for devices that certainly lack it, and `report retirement` says
            when it may be dropped. A decision is taken for every surface on which the kind was seen, and kept: who,
            when, on which numbers.
            """,
        subcommands: [List.self, Mark.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the kinds that the app was seen to use.")

        @OptionGroup var common: CommonOptions
        @Option(help: ArgumentHelp("The app.", valueName: "app id")) var app: String
        @Option(help: "table, csv or json.") var format: ReportFormat = .table

        func run() async throws {
            let kinds = try await common.census(onlyReads: true) { census in
                try await census.store.kinds.all(appNumber: census.store.apps.app(app).number)
            }
            let table = ReportTable(
                columns: [.init("kind"), .init("lifecycle")],
                rows: kinds.map { [$0.kind, $0.lifecycle.rawValue] })
            print(format.text(table, width: Terminal.width), terminator: "")
            if kinds.isEmpty { Terminal.say("no rows: no event of \(app) named a kind yet") }
        }
    }

    struct Mark: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Decide on a kind.")

        enum Decision: EnumerableFlag {
            case legacy, active

            static func help(for value: Decision) -> ArgumentHelp? {
                value == .legacy ? "The team wants to stop offering it." : "Take that back."
            }
        }

        @OptionGroup var common: CommonOptions
        @Argument(help: "The widget's kind string.") var kind: String
        @Flag var decision: Decision
        @Option(help: ArgumentHelp("The app.", valueName: "app id")) var app: String
        @Option(help: ArgumentHelp("Who decides; the account by default.", valueName: "name")) var by: String?

        func run() async throws {
            let lifecycle: Lifecycle = decision == .legacy ? .legacy : .active
            let actor = by ?? NSUserName()
            let acts = try await common.census { census in
                try await census.store.kinds.mark(kind: kind, as: lifecycle, by: actor, app: census.store.apps.app(app))
            }
            guard !acts.isEmpty else {
                print("\(kind) is \(lifecycle.rawValue) already")
                return
            }
            let isOfWidgets = acts.map(\.surface) == ["widget"]
            for act in acts {
                print(
                    "\(kind) is \(lifecycle.rawValue) now\(isOfWidgets ? "" : " on \(act.surface)"): decided by \(actor) "
                        + "with \(act.devicesCertain) devices certain, \(act.devicesPossible) possible; "
                        + "gallery policy \(act.version)")
            }
        }
    }
}
