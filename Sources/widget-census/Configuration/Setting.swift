internal import HTTPTypes
internal import IngestServer
internal import Logging

/// One of our variables: what it is for, and what its value changes.
struct Setting: Sendable {
    let name: String
    /// As help and `docs/operations.md` say it.
    let help: String
    /// - Throws: ``UsageError`` for a value that it does not know.
    let apply: @Sendable (inout Settings, String) throws -> Void

    private init(
        _ name: String, _ help: String, _ apply: @escaping @Sendable (inout Settings, String) throws -> Void
    ) {
        self.name = name
        self.help = help
        self.apply = apply
    }

    /// A whole number.
    private init(
        _ name: String, _ help: String, _ accepted: Accepted<Int>,
        _ apply: @escaping @Sendable (inout Settings, Int) -> Void
    ) {
        self.init(name, help) { settings, text in apply(&settings, try accepted.parse(text, named: name)) }
    }

    /// One of a few words.
    private init<Choice: RawRepresentable<String> & SendableMetatype>(
        _ name: String, _ help: String, _ choices: String,
        _ apply: @escaping @Sendable (inout Settings, Choice) -> Void
    ) {
        self.init(name, help) { settings, text in
            guard let choice = Choice(rawValue: text) else {
                throw UsageError("\(name) is \(text.brief); it is \(choices)")
            }
            apply(&settings, choice)
        }
    }

    /// In the order in which they are read: some need others.
    static let all = [
        Setting("CENSUS_CONFIG", "a file of NAME=VALUE lines with the other names") { _, _ in },
        Setting("CENSUS_HOST", "address that `serve` listens on") { $0.host = $1 },
        Setting("CENSUS_PORT", "port that `serve` listens on", Accepted.port) { $0.port = $1 },
        Setting("CENSUS_DATA_DIR", "folder of the private PostgreSQL") { $0.dataDirectory = $1 },
        Setting("CENSUS_SECRET", "key of the id hashes, the same on every node") { $0.secret = $1 },
        Setting("CENSUS_LOG_LEVEL", logLevels) { settings, text in
            guard let level = Logger.Level(rawValue: text.lowercased()) else {
                throw UsageError("CENSUS_LOG_LEVEL is \(text.brief); it is \(logLevels)")
            }
            settings.logLevel = level
        },
        Setting("CENSUS_LOG_FORMAT", "text, or json for one object a line", "text or json") { $0.logFormat = $1 },
        Setting("CENSUS_RATE_REQUESTS", "requests a second that a key may make; 0 for any number", Accepted.rate) {
            $0.server.rates.requests = $1
        },
        Setting(
            "CENSUS_RATE_EVENTS", "events a second that a key may send, one for each widget listed; 0 for any number",
            Accepted.rate
        ) { $0.server.rates.events = $1 },
        Setting("CENSUS_RATE_KIB", "KiB a second, inflated, that a key may send; 0 for any number", Accepted.rate) {
            $0.server.rates.kibibytes = $1
        },
        Setting("CENSUS_CONNECTIONS", "how many clients' connections `serve` may have open", Accepted.connections) {
            $0.server.connections = ConnectionLimit(maximum: $1)
        },
        Setting(
            "CENSUS_METRICS", "who gets answers at /metrics: local (this machine), open (everybody) or off",
            "local, open or off"
        ) { $0.server.metrics = $1 },
        Setting(
            "CENSUS_CONSOLE", "who may see the web console: key (who shows a read key), open (everybody) or off",
            "key, open or off"
        ) { $0.server.console.access = $1 },
        Setting(
            "CENSUS_CONSOLE_TRUSTED_PROXY", "addresses of proxies whose headers are trusted, separated by commas"
        ) { try $0.server.console.trust(proxies: $1) },
        Setting(
            "CENSUS_CONSOLE_LOGIN_HEADER", "the header in which a trusted proxy names the person that it has let in"
        ) { try $0.server.console.setLoginHeader($1) },
        Setting(
            "CENSUS_SPOOL_DIR",
            "folder in which `serve` keeps events while PostgreSQL is away; without one it keeps none"
        ) { $0.spool = SpoolSettings(folder: $1) },
        Setting("CENSUS_SPOOL_BYTES", "how much the spool may keep: bytes, or a size such as 512MiB or 4GiB") {
            let limit = try SpoolSettings.bytes($1)
            guard $0.spool != nil else {
                throw UsageError("CENSUS_SPOOL_BYTES is set and CENSUS_SPOOL_DIR is not: there is nothing to limit")
            }
            $0.spool?.limit = limit
        },
    ]

    private static let logLevels = "trace, debug, info, notice, warning, error or critical"
}
