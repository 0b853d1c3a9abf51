internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Pages

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what in the database needs attention, most urgent first; /readyz tells whether serve runs.",
        examples: [
            "widget-census status", "widget-census status --app com.example.weather",
            "widget-census status --check   # exit status 1 when something needs attention",
            "widget-census status --format json",
        ],
        discussion: """
            Each concern is shown with a command that helps. The command counts no observations, so it is quick even on a large
            database, and it writes nothing.
            """)

    @OptionGroup var common: CommonOptions
    @Option(.app, "One app; all by default.", name: "app id") var app: String?
    @Option(help: "text or json.") var format: PageFormat = .text
    @Flag(help: "Exit with 1 if something needs attention.") var check = false

    func run() async throws {
        let settings = try common.settings()
        var status = try await common.census(onlyReads: true) { census in
            if let app { _ = try await census.store.apps.app(app) }
            return try await census.store.status.read()
        }
        if let app { status.apps.removeAll { !$0.id.hasBytes(of: app) } }
        let page = StatusPage(
            status, version: WidgetCensus.version, schema: Migrator.currentVersion, place: settings.place,
            spool: settings.spool.map(SpoolStatus.init))
        switch format {
        case .text: Terminal.write(page.page.text(on: Terminal.screen))
        case .json: Terminal.write(try page.jsonText())
        }
        if check, !page.concerns.isEmpty { throw ExitCode(ExitStatus.no.rawValue) }
    }
}

extension Settings {
    /// Which database it is. A URL might contain a password, so no part of it is shown.
    fileprivate var place: StatusPage.Place {
        database == nil ? .folder(dataDirectory) : .server
    }
}
