internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Pages

struct Apps: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "Add apps and set how they are counted.",
        examples: [
            "widget-census apps add com.example.weather",
            "widget-census apps set com.example.weather --zone Europe/Prague --limit 50",
            "widget-census apps list",
            "widget-census apps remove com.example.waether",
        ],
        subcommands: [Add.self, Set.self, List.self, Remove.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add an app by its bundle id or package name.",
            examples: ["widget-census apps add com.example.weather"])

        @OptionGroup var common: CommonOptions
        @Argument(.newApp, "Bundle id or package name.") var appID: String

        func run() async throws {
            let isNew = try await common.census(begins: true) { census in
                try await census.store.apps.add(appID)
            }
            print(isNew ? "added \(appID)" : "\(appID) already exists")
            if isNew { Terminal.say("next: \(ShellCommand("widget-census keys add --app \(appID)"))") }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Change an app's settings; those you don't give stay as they are.",
            examples: [
                "widget-census apps set com.example.weather --zone Europe/Prague",
                "widget-census apps set com.example.weather --limit-share 0.0001 \\\n"
                    + "  --because \"the support team is small\"",
            ])

        @OptionGroup var common: CommonOptions
        @Argument(.app, "Bundle id or package name.") var appID: String
        @Option(.words, "The time zone of its days, an IANA name (Europe/Prague).") var zone: String?
        @Option(.days, "Days for which a device counts after it was last heard from.") var window: Int?
        @OptionGroup var limits: LimitOptions
        @Option(
            parsing: .upToNextOption,
            help: "OS builds with untrusted lists: their widgets are possible, not certain (18A5301v 18A5319i; none).")
        var doubtBuilds: [String] = []
        @Option(.falseAlarms, "False alarms of mass loss to accept per year; 0.01 unless set.")
        var falseAlarms: Double?
        @Option(.names, "Most distinct kinds to accept from its clients.") var maxKinds: Int?
        @Option(.names, "Most distinct families to accept from its clients.") var maxFamilies: Int?
        @OptionGroup var actor: ActorOption
        @OptionGroup var reason: ReasonOption

        func run() async throws {
            var changes = limits.settings
            changes.zone = zone
            changes.windowDays = window
            if !doubtBuilds.isEmpty { changes.doubtedBuilds = doubtBuilds == ["none"] ? [] : doubtBuilds }
            changes.falseAlarms = falseAlarms
            changes.maximumKinds = maxKinds
            changes.maximumFamilies = maxFamilies
            guard changes != AppSettings() else {
                throw UsageError("nothing to set: see `widget-census apps set --help`")
            }
            let (act, limits, active) = try await common.census { [changes] census in
                let act = try await census.store.apps.set(appID, changes, by: actor.name, because: reason.because)
                let active = try await census.store.status.read().apps.first { $0.id.hasBytes(of: appID) }?
                    .devicesActive
                return (act, try await census.store.apps.app(appID).readiness, active)
            }
            guard let act else {
                print("\(appID) already had these settings")
                return
            }
            for line in act.told(of: appID) { print(line) }
            if changes.limitDevices != nil || changes.limitShare != nil, let active {
                Terminal.say(limits.origin(active: active))
            }
            if changes.zone != nil || changes.windowDays != nil || changes.doubtedBuilds != nil {
                Terminal.say("all devices and closed days will be counted again. Next: widget-census nightly")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the apps, with their settings and last event.",
            examples: ["widget-census apps list", "widget-census apps list --wide"])

        @OptionGroup var common: CommonOptions
        @OptionGroup var output: TableOptions

        func run() async throws {
            let (apps, status) = try await common.census(onlyReads: true) { census in
                (try await census.store.apps.all(), try await census.store.status.read())
            }
            let statuses = Dictionary(uniqueKeysWithValues: status.apps.map { ($0.id, $0) })
            let table = ReportTable(
                apps,
                [.text("app_id", \.id)]
                    + App.settings.map { setting in
                        setting.isNumber ? .number(setting.name, setting.value) : .text(setting.name, setting.value)
                    } + [
                        .number("devices_active") { statuses[$0.id]?.devicesActive },
                        .time("last_closed") { statuses[$0.id]?.lastClosed },
                        .time("last_event_at") { statuses[$0.id]?.lastEventAt?.toTheSecond },
                    ],
                // Settings that people rarely change.
                spare: [
                    "max_families", "max_kinds", "false_alarms", "doubted_builds", "coverage", "ready_days",
                    "limit_share", "limit_devices", "window_days",
                ])
            output.write(table)
            if apps.isEmpty { Terminal.say("no rows: add an app with `widget-census apps add APP_ID`") }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove an app that never sent anything.",
            examples: ["widget-census apps remove com.example.waether"],
            discussion: """
                Use it after a typing mistake: the app must have no data and no valid key. An app with data can't be removed,
                and its counts stay. To stop accepting events for it, revoke its keys.
                """)

        @OptionGroup var common: CommonOptions
        @Argument(.app, "Bundle id or package name.") var appID: String

        func run() async throws {
            try await common.census { census in
                try await census.store.apps.remove(appID)
            }
            print("removed \(appID)")
        }
    }
}
