internal import ArgumentParser
internal import CensusCore
internal import CensusStore

struct Apps: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Add apps and set how they are counted.",
        discussion: """
            EXAMPLES
              widget-census apps add com.example.weather
              widget-census apps set com.example.weather --zone Europe/Prague --limit 50
              widget-census apps list
            """,
        subcommands: [Add.self, Set.self, List.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add an app by its bundle id or package name.")

        @OptionGroup var common: CommonOptions
        @Argument(help: "Bundle id or package name.") var appID: String

        func run() async throws {
            let isNew = try await common.census { census in
                try await census.store.apps.add(appID)
            }
            print(isNew ? "added \(appID)" : "\(appID) was there already")
            if isNew { Terminal.say("next: widget-census keys add --app \(appID)") }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Change an app's settings; others stay as they are.")

        @OptionGroup var common: CommonOptions
        @Argument(help: "Bundle id or package name.") var appID: String
        @Option(help: "IANA zone in which its days begin and end (Europe/Prague).") var zone: String?
        // Unconditional: of a number below zero we say the bounds, and do not take it for an option.
        @Option(
            parsing: .unconditional, help: "Days for which a device counts after it was last heard from (1 to 400).")
        var window: Int?
        @Option(
            parsing: .unconditional,
            help: "Devices that may still hold a kind when it is ready to be dropped (0 to 1000000000).")
        var limit: Int?
        @Option(parsing: .unconditional, help: "The same, as a share of the active devices (0 to 1; 0.0003 at first).")
        var limitShare: Double?
        @Option(parsing: .unconditional, help: "Closed days running on which the limit must hold (1 to 400).")
        var readyDays: Int?
        @Option(
            parsing: .unconditional,
            help: "Share of the active devices that must report within the window (0 to 1; 0.9 at first).")
        var coverage: Double?
        @Option(
            parsing: .upToNextOption,
            help: "OS builds whose lists are not believed: what they claim is possible only (18A5301v 18A5319i; none).")
        var doubtBuilds: [String] = []
        @Option(
            parsing: .unconditional,
            help: "False incidents of mass loss accepted in a year (0.000001 to 10; 0.01 at first).")
        var falseAlarms: Double?
        @Option(parsing: .unconditional, help: "Distinct kinds taken from its clients (0 to 100000).")
        var maxKinds: Int?
        @Option(parsing: .unconditional, help: "Distinct families taken from its clients (0 to 100000).")
        var maxFamilies: Int?
        @OptionGroup var actor: ActorOption
        @OptionGroup var reason: ReasonOption

        func run() async throws {
            var changes = AppSettings()
            changes.zone = zone
            changes.windowDays = window
            changes.limitDevices = limit
            changes.limitShare = limitShare
            changes.readyDays = readyDays
            changes.minimumCoverage = coverage
            if !doubtBuilds.isEmpty { changes.doubtedBuilds = doubtBuilds == ["none"] ? [] : doubtBuilds }
            changes.falseAlarms = falseAlarms
            changes.maximumKinds = maxKinds
            changes.maximumFamilies = maxFamilies
            guard changes != AppSettings() else {
                throw UsageError("nothing to set: see `widget-census apps set --help`")
            }
            let act = try await common.census { [changes] census in
                try await census.store.apps.set(appID, changes, by: actor.name, because: reason.because)
            }
            guard let act else {
                print("\(appID) was so already")
                return
            }
            print("changed \(appID): \(act.changes.map(\.text).joined(separator: ", "))")
            for verdict in act.verdicts where verdict.before != verdict.after {
                let place = verdict.surface.onSurface
                print("\(verdict.kind)\(place) was \(verdict.before), and is \(verdict.after) now")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the apps with their settings.")

        @OptionGroup var common: CommonOptions
        @Option(help: "table, csv or json.") var format: ReportFormat = .table

        func run() async throws {
            let apps = try await common.census(onlyReads: true) { census in
                try await census.store.apps.all()
            }
            let table = ReportTable(
                apps,
                [.text("app_id", \.id)]
                    + App.settings.map { setting in
                        setting.isNumber ? .number(setting.name, setting.value) : .text(setting.name, setting.value)
                    })
            format.write(table)
            if apps.isEmpty { Terminal.say("no rows: add an app with `widget-census apps add APP_ID`") }
        }
    }
}

extension SettingAct.Change {
    var text: String { "\(setting) \(from.isEmpty ? "none" : from) to \(to.isEmpty ? "none" : to)" }
}
