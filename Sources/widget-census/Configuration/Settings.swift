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
    var server = ServerOptions()
    /// Nil: while PostgreSQL is away batches get 503.
    var spool: SpoolSettings?

    /// What each of our variables is for.
    static let names = Dictionary(uniqueKeysWithValues: Setting.all.map { ($0.name, $0.help) })

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

        dataDirectory = EmbeddedServer.defaultDataDirectory(environment: environment)
        for setting in Setting.all {
            if let value = values[setting.name] { try setting.apply(&self, value) }
        }
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
}
