internal import EmbeddedPostgres
internal import HTTPTypes
internal import IngestServer
internal import Logging

/// One of our environment variables: its help, its default, and how its value is applied.
struct Setting: Sendable {
    typealias Property<Value> = any WritableKeyPath<Settings, Value> & Sendable

    let name: String
    /// The help text, repeated in `docs/guides/operations.md`.
    let help: String
    /// The default as `docs/guides/operations.md` shows it; empty if there is none.
    let standard: @Sendable (Settings) -> String
    /// - Throws: ``UsageError`` for an invalid value.
    let apply: @Sendable (inout Settings, String) throws -> Void

    private init(
        _ name: String, _ help: String, standard: @escaping @Sendable (Settings) -> String = { _ in "" },
        _ apply: @escaping @Sendable (inout Settings, String) throws -> Void
    ) {
        self.name = name
        self.help = help
        self.standard = standard
        self.apply = apply
    }

    /// Any text.
    private init(_ name: String, _ help: String, _ property: Property<String>) {
        self.init(name, help, standard: { $0[keyPath: property] }) { $0[keyPath: property] = $1 }
    }

    /// A whole number.
    private init(_ name: String, _ help: String, _ accepted: Accepted<Int>, _ property: Property<Int>) {
        self.init(name, help, standard: { "\($0[keyPath: property])" }) { settings, text in
            settings[keyPath: property] = try accepted.parse(text, named: name)
        }
    }

    /// One of a few words.
    private init<Choice: RawRepresentable<String> & SendableMetatype>(
        _ name: String, _ help: String, _ choices: String, _ property: Property<Choice>
    ) {
        self.init(name, help, standard: { $0[keyPath: property].rawValue }) { settings, text in
            guard let choice = Choice(rawValue: text) else {
                throw UsageError("\(name) is \(text.brief); it must be \(choices)")
            }
            settings[keyPath: property] = choice
        }
    }

    /// In the order of reading, because some need others.
    static let all = [
        Setting("CENSUS_CONFIG", "a file of NAME=VALUE lines with the other settings") { _, _ in },
        Setting("CENSUS_APP", "the app of commands that need one and get no `--app`; only in the environment") { _, _ in
        },
        Setting("CENSUS_HOST", "address that `serve` listens on", \.host),
        Setting("CENSUS_PORT", "port that `serve` listens on", Accepted.port, \.port),
        Setting("CENSUS_DATA_DIR", "folder of the private PostgreSQL", standard: { _ in dataDirectories }) {
            $0.dataDirectory = $1
        },
        Setting("CENSUS_SECRET", "key for hashing ids, the same on every node") { $0.secret = $1 },
        Setting("CENSUS_SECRET_FILE", "a file with CENSUS_SECRET, in place of it") { _, _ in },
        Setting(
            "CENSUS_LOG_LEVEL", "least severe level to log: \(logLevels)", standard: { _ in "info (`serve`)" }
        ) { settings, text in
            guard let level = Logger.Level(rawValue: text.lowercased()) else {
                throw UsageError("CENSUS_LOG_LEVEL is \(text.brief); it must be \(logLevels)")
            }
            settings.logLevel = level
        },
        Setting("CENSUS_LOG_FORMAT", "text, or json for one object per line", "text or json", \.logFormat),
        Setting(
            "CENSUS_RATE_REQUESTS", "requests per second allowed for each key; 0 for no limit", Accepted.rate,
            \.server.rates.requests),
        Setting(
            "CENSUS_RATE_EVENTS",
            "events per second allowed for each key, counting each listed widget as one; 0 for no limit", Accepted.rate,
            \.server.rates.events),
        Setting(
            "CENSUS_RATE_KIB", "uncompressed KiB per second allowed for each key; 0 for no limit", Accepted.rate,
            \.server.rates.kibibytes),
        Setting(
            "CENSUS_CONNECTIONS", "most client connections that `serve` keeps open at once", Accepted.connections,
            \.maximumConnections),
        Setting(
            "CENSUS_METRICS", "who can read /metrics: local (this machine), open (everybody) or off",
            "local, open or off", \.server.metrics),
        Setting(
            "CENSUS_TRACES_URL", "base URL of the OTLP/HTTP collector to which traces are sent; if unset, none are sent"
        ) { $0.traces = try Accepted.collector.parse($1, named: "CENSUS_TRACES_URL") },
        Setting(
            "CENSUS_CONSOLE",
            "who can see the web console: key (anybody with a read or manage key), open (everybody) or off",
            "key, open or off", \.server.console.access),
        Setting(
            "CENSUS_CONSOLE_TRUSTED_PROXY", "addresses of the proxies whose headers are trusted, separated by commas"
        ) { try $0.server.console.trust(proxies: $1) },
        Setting(
            "CENSUS_CONSOLE_LOGIN_HEADER", "header in which a trusted proxy names the person who is signed in"
        ) { try $0.server.console.setLoginHeader($1) },
        Setting(
            "CENSUS_CONSOLE_ROLE_HEADER", "header in which that proxy says `manage` for people who may act"
        ) { try $0.server.console.setRoleHeader($1) },
        Setting(
            "CENSUS_SPOOL_DIR",
            "folder in which `serve` stores events while PostgreSQL is away; if unset, it stores none"
        ) { $0.spool = SpoolSettings(folder: $1) },
        Setting(
            "CENSUS_SPOOL_BYTES", "most disk space for the spool: bytes, or a size such as 512MiB or 4GiB",
            standard: { _ in "\(SpoolSettings(folder: "").limit >> 30)GiB" }
        ) {
            let limit = try SpoolSettings.bytes($1)
            guard $0.spool != nil else {
                throw UsageError("CENSUS_SPOOL_BYTES is set but CENSUS_SPOOL_DIR is not, so there is no spool to limit")
            }
            $0.spool?.limit = limit
        },
    ]

    private static let logLevels = "trace, debug, info, notice, warning, error or critical"

    private static var dataDirectories: String {
        func folder(isRoot: Bool) -> String {
            EmbeddedServer.defaultDataDirectory(environment: ["HOME": "/~"], isRoot: isRoot).replacing("/~", with: "~")
        }
        return "\(folder(isRoot: true)) (root), else \(folder(isRoot: false))"
    }
}

extension Settings {
    fileprivate var maximumConnections: Int {
        get { server.connections.maximum }
        set { server.connections = ConnectionLimit(maximum: newValue) }
    }
}
