internal import ArgumentParser
internal import IngestServer
internal import Logging

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Take events over HTTP, reconcile them, answer for the gallery, show the console.",
        examples: [
            "widget-census serve", "widget-census serve --port 9090 --data-dir ./data",
            "DATABASE_URL=postgresql://census@db/census CENSUS_SECRET=... \\\n"
                + "  widget-census serve --host 0.0.0.0",
        ],
        discussion: """
            Ends on SIGTERM, Ctrl-C, SIGQUIT and a closed terminal (SIGHUP): it stops accepting, finishes what it has, and
            exits 0. It ignores SIGUSR1, SIGUSR2 and SIGALRM.
            """)

    @OptionGroup var common: CommonOptions

    @Option(.address, "Address to listen on; CENSUS_HOST, or 127.0.0.1, by default.", name: "address") var host: String?
    @Option(.port, "Port to listen on; CENSUS_PORT, or 8080, by default.") var port: Int?

    func run() async throws {
        var settings = try common.settings()
        if let host { settings.host = host }
        if let port { settings.port = port }
        let (host, logger) = (settings.host, settings.logger(default: .info))
        // Until it listens a signal cancels the start, so that its own PostgreSQL does not stay behind.
        await Interruption.shared.watch()
        do {
            try await Census.with(settings, logger: logger, begins: true) { [settings] census in
                try await census.serve(
                    host: host, port: settings.port, options: settings.server, spool: settings.spool
                ) { port in
                    Interruption.shared.handOver()
                    Terminal.say("Widget Census listens on http://\(host):\(port)  (Ctrl-C ends it)")
                }
            }
        } catch {
            // It was told to end before it began: there was nothing to finish.
            guard Interruption.shared.hasCome else { throw error }
        }
    }
}
