internal import ArgumentParser
internal import IngestServer
internal import Logging

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the service: accept events over HTTP, reconcile them, serve the console.",
        examples: [
            "widget-census serve", "widget-census serve --port 9090 --data-dir ./data",
            "DATABASE_URL=postgresql://census@db/census CENSUS_SECRET=... \\\n"
                + "  widget-census serve --host 0.0.0.0",
        ],
        discussion: """
            It also tells apps which widget kinds to hide from their gallery.

            On SIGTERM, Ctrl-C, SIGQUIT or a closed terminal (SIGHUP) it stops accepting requests, finishes those it has, and
            exits with 0. It ignores SIGUSR1, SIGUSR2 and SIGALRM.
            """)

    @OptionGroup var common: CommonOptions

    @Option(.address, "Address to listen on; CENSUS_HOST or 127.0.0.1 by default.", name: "address") var host: String?
    @Option(.port, "Port to listen on; CENSUS_PORT or 8080 by default.") var port: Int?

    func run() async throws {
        var settings = try common.settings()
        if let host { settings.host = host }
        if let port { settings.port = port }
        let (host, logger) = (settings.host, settings.logger(default: .info))
        // Until the server listens, a signal cancels the start, so that the private PostgreSQL doesn't stay running.
        await Interruption.shared.watch()
        do {
            try await Census.with(settings, logger: logger, begins: true) { [settings] census in
                try await census.serve(
                    host: host, port: settings.port, options: settings.server, spool: settings.spool,
                    traces: settings.traces
                ) { port in
                    Interruption.shared.handOver()
                    // RFC 3986, section 3.2.2: an IPv6 address has brackets.
                    let address = host.contains(":") ? "[\(host)]" : host
                    Terminal.say("Widget Census listens on http://\(address):\(port)  (press Ctrl-C to stop)")
                }
            }
        } catch {
            // A signal ended it before it listened: there is nothing to finish, so that is a success.
            guard Interruption.shared.hasCome else { throw error }
        }
    }
}
