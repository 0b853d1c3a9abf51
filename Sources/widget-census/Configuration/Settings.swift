internal import CensusCore
internal import EmbeddedPostgres
internal import Foundation
internal import IngestServer
internal import Logging

/// What the program runs with: flags override the environment, the environment overrides the file.
struct Settings: Sendable {
    var host = "127.0.0.1"
    var port = 8_080
    /// Where PostgreSQL is, as libpq takes it; empty when `PG*` say it. Nil when none was named: we run our own.
    var database: String?
    var dataDirectory: String
    /// The key of the id hashes.
    var secret: String?
    var logLevel: Logger.Level?
    var logFormat = LogFormat.text
    var door = DoorOptions()
    /// Nil: while PostgreSQL is away batches get 503.
    var spool: SpoolSettings?

    /// Each of our variables, and what it is for.
    static let names: [String: String] = [
        "CENSUS_RATE_REQUESTS": "requests a second that a key may make; 0 for any number",
        "CENSUS_RATE_EVENTS": "events a second that a key may send, one for each widget listed; 0 for any number",
        "CENSUS_RATE_KIB": "KiB a second, inflated, that a key may send; 0 for any number",
        "CENSUS_CONNECTIONS": "how many clients' connections `serve` may have open",
        "CENSUS_METRICS": "who gets answers at /metrics: local (this machine), open (everybody) or off",
        "CENSUS_CONSOLE": "who may see the web console: key (who shows a read key), open (everybody) or off",
        "CENSUS_CONSOLE_LOGIN_HEADER": "the header in which a trusted proxy names the person that it has let in",
        "CENSUS_CONSOLE_TRUSTED_PROXY": "addresses of proxies whose headers are trusted, separated by commas",
        "CENSUS_CONFIG": "a file of NAME=VALUE lines with the other names",
        "CENSUS_HOST": "address that `serve` listens on",
        "CENSUS_PORT": "port that `serve` listens on",
        "CENSUS_DATA_DIR": "folder of the private PostgreSQL",
        "CENSUS_SECRET": "key of the id hashes, the same on every node",
        "CENSUS_SPOOL_DIR": "folder in which `serve` keeps events while PostgreSQL is away; without one it keeps none",
        "CENSUS_SPOOL_BYTES": "how much the spool may keep: bytes, or a size such as 512MiB or 4GiB",
        "CENSUS_LOG_FORMAT": "text, or json for one object a line",
        "CENSUS_LOG_LEVEL": "trace, debug, info, notice, warning, error or critical",
    ]

    /// - Throws: ``UsageError`` for a name or value that it does not know: a typo must not be a default.
    init(environment: [String: String], configurationFile: String? = nil) throws {
        for name in environment.keys.sorted() where name.hasPrefix("CENSUS_") && Settings.names[name] == nil {
            throw UsageError(
                "unknown variable \(name) in the environment\(Settings.meant(name)); there are \(Settings.known)")
        }
        var values: [String: String] = [:]
        if let path = configurationFile ?? environment["CENSUS_CONFIG"] { values = try SettingsFile(path).values }
        for (name, value) in environment.sorted(by: { $0.key < $1.key })
        where Settings.names[name] != nil || name == "DATABASE_URL" || name.hasPrefix("PG") {
            if let fault = SettingsFile.fault(in: value, of: name) {
                throw UsageError("\(name), in the environment, \(fault)")
            }
        }
        values.merge(environment) { _, fromEnvironment in fromEnvironment }
        // An empty folder would mean the current one, with a second, empty census in it.
        for name in Settings.names.keys.sorted() where values[name]?.isEmpty == true {
            throw UsageError("\(name) is empty; it is: \(Settings.names[name] ?? ""). Leave it out for the default")
        }

        if let host = values["CENSUS_HOST"] { self.host = host }
        if let text = values["CENSUS_PORT"] { self.port = try Accepted.port.parse(text, named: "CENSUS_PORT") }
        self.dataDirectory =
            values["CENSUS_DATA_DIR"] ?? EmbeddedServer.defaultDataDirectory(environment: environment)
        self.secret = values["CENSUS_SECRET"]
        if let text = values["CENSUS_LOG_LEVEL"] {
            guard let level = Logger.Level(rawValue: text.lowercased()) else {
                throw UsageError("CENSUS_LOG_LEVEL is \(text.brief); it is \(Settings.names["CENSUS_LOG_LEVEL"] ?? "")")
            }
            self.logLevel = level
        }
        if let text = values["CENSUS_LOG_FORMAT"] {
            guard let format = LogFormat(rawValue: text) else {
                throw UsageError("CENSUS_LOG_FORMAT is \(text.brief); it is text or json")
            }
            self.logFormat = format
        }
        if let rate = try Settings.rate("CENSUS_RATE_REQUESTS", in: values) { door.rates.requests = rate }
        if let rate = try Settings.rate("CENSUS_RATE_EVENTS", in: values) { door.rates.events = rate }
        if let rate = try Settings.rate("CENSUS_RATE_KIB", in: values) { door.rates.kibibytes = rate }
        if let text = values["CENSUS_CONNECTIONS"] {
            door.connections = ConnectionRoom(
                maximum: try Accepted.connections.parse(text, named: "CENSUS_CONNECTIONS"))
        }
        if let text = values["CENSUS_METRICS"] {
            guard let access = MetricsAccess(rawValue: text) else {
                throw UsageError("CENSUS_METRICS is \(text.brief); it is local, open or off")
            }
            door.metrics = access
        }
        door.console = try ConsoleOptions(values)
        self.spool = try SpoolSettings(values)
        if let url = values["DATABASE_URL"] {
            // Not quoted: there may be a password in it.
            guard !url.isEmpty else {
                throw UsageError(
                    "DATABASE_URL is empty: name a database, or unset it for libpq's PG* variables, or for a private PostgreSQL"
                )
            }
            guard url.contains("=") || url.contains("://") else {
                throw UsageError(
                    "DATABASE_URL is neither a URI (postgresql://user@host/database) nor keywords (host=db user=census)"
                )
            }
            self.database = url
        } else if ["PGHOST", "PGHOSTADDR", "PGDATABASE", "PGSERVICE"].contains(where: { environment[$0] != nil }) {
            self.database = ""
        }
    }

    /// Which name was meant, in brackets; empty where none is near.
    static func meant(_ name: String) -> String {
        name.nearest(among: names.keys.sorted()).map { " (did you mean \($0)?)" } ?? ""
    }

    static var known: String { names.keys.sorted().joined(separator: ", ") }

    private static func rate(_ name: String, in values: [String: String]) throws -> Int? {
        try values[name].map { try Accepted.rate.parse($0, named: name) }
    }
}
