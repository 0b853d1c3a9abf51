internal import ArgumentParser
internal import CensusStore
internal import EmbeddedPostgres
internal import Pages
internal import Spool

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Check the settings before the service starts with them.",
        examples: [
            "widget-census config check",
            "widget-census config check --config /etc/widget-census/environment",
        ],
        subcommands: [Check.self])

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Print the settings and where they come from, and try the spool's folder and the database.",
            examples: [
                "widget-census config check",
                "widget-census config check --config /etc/widget-census/environment",
                "widget-census config check --format json",
            ],
            discussion: """
                Secrets and database URLs are never printed. The exit status is 2 if a setting is invalid, if other users
                can enter the spool's folder, or if the database's schema or secret doesn't fit, 3 if the database doesn't
                answer, and 74 if the spool's disk is read-only.
                """)

        @OptionGroup var common: CommonOptions
        @OptionGroup var output: TableOptions

        func run() async throws {
            let settings = try common.settings()
            output.write(ReportTable(SettingLine.all(of: settings), SettingLine.columns))
            if let spool = settings.spool { try SpoolFolder.check(spool.folder) }
            guard settings.database != nil || EmbeddedServer.exists(in: settings.dataDirectory) else {
                try EmbeddedServer.requirePrograms(in: settings.dataDirectory)
                Terminal.say(
                    "the settings are valid; there is no private PostgreSQL in \(settings.dataDirectory) yet, and `serve` "
                        + "will create it")
                return
            }
            try await common.census(onlyReads: true) { census in
                if settings.database != nil { _ = try census.requireSecret() }
                try await census.store.ping()
            }
            Terminal.say(
                "the settings are valid; PostgreSQL answers, and its schema (\(Migrator.currentVersion)) and secret fit"
            )
        }
    }
}

/// A setting as `config check` prints it.
private struct SettingLine {
    var name: String
    var value: String
    var origin: String

    static var columns: [ReportTable.RecordColumn<SettingLine>] {
        [.text("setting", \.name), .text("value", \.value), .text("from", \.origin)]
    }

    static func all(of settings: Settings) -> [SettingLine] {
        let database = Settings.databaseNames.filter { settings.given[$0] != nil }
        let ours = Setting.all.sorted { $0.name < $1.name }
        return database.map { SettingLine($0, settings, standard: "") }
            + ours.map { SettingLine($0.name, settings, standard: $0.standard(settings)) }
    }

    /// - Parameter standard: the default; empty if there is none.
    private init(_ name: String, _ settings: Settings, standard: String) {
        self.name = name
        if let given = settings.given[name] {
            (value, origin) = (given.value ?? "(secret)", given.file ?? "environment")
        } else {
            (value, origin) = (standard.isEmpty ? "(not set)" : standard, "default")
        }
    }
}
