internal import ArgumentParser
internal import IngestServer
internal import Logging

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take events over HTTP, reconcile them, answer for the gallery.",
        discussion: """
            EXAMPLES
              widget-census serve
              widget-census serve --port 9090 --data-dir ./data
              DATABASE_URL=postgresql://census@db/census CENSUS_SECRET=... widget-census serve --host 0.0.0.0

            Ends on SIGTERM and Ctrl-C: it stops accepting, finishes what it has, and exits 0.
            """)

    @OptionGroup var common: CommonOptions

    @Option(help: "Address to listen on (CENSUS_HOST; 127.0.0.1).")
    var host: String?

    @Option(parsing: .unconditional, help: "Port to listen on, 0 to 65535 (CENSUS_PORT; 8080).")
    var port: Int?

    func run() async throws {
        var settings = try common.settings()
        if let host { settings.host = host }
        if let port { settings.port = try Settings.port("\(port)", named: "--port") }
        let (host, logger) = (settings.host, settings.logger(default: .info))
        // Until it listens a signal cancels the start, so that its own PostgreSQL does not stay behind.
        await Interruption.shared.watch()
        do {
            try await Census.with(settings, logger: logger) { [settings] census in
                try await census.serve(
                    host: host, port: settings.port, options: settings.door, spool: settings.spool
                ) { port in
                    Interruption.shared.handOver()
                    Terminal.say("Widget Census listens on http://\(host):\(port)  (Ctrl-C ends it)")
                }
            }
        } catch {
            // Told to end before it began: there was nothing to finish.
            guard Interruption.shared.hasCome else { throw error }
        }
    }
}
