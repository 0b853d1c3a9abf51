internal import CensusCore
internal import EmbeddedPostgres
internal import Foundation
internal import IngestServer
internal import Logging

/// The program's settings. Flags override the environment, which overrides the configuration file.
struct Settings: Sendable {
    var host = "127.0.0.1"
    var port = 8_080
    /// libpq's connection string; empty if only `PG*` variables are set. Nil if no database is named, so that we run our own.
    var database: String?
    var dataDirectory: String
    /// The key of the id hashes.
    var secret: String?
    var logLevel: Logger.Level?
    var logFormat = LogFormat.text
    var server = ServerOptions()
    /// Nil without a spool: batches get 503 while PostgreSQL is away.
    var spool: SpoolSettings?
    /// The collector of traces; nil without one.
    var traces: URL?

    /// The app of commands that need one and get no `--app`.
    static let defaultApp = ProcessInfo.processInfo.environment["CENSUS_APP"].flatMap { $0.isEmpty ? nil : $0 }

    /// The settings that were given.
    private(set) var given: [String: Given] = [:]

    struct Given: Hashable, Sendable {
        /// The settings file; nil: the environment.
        var file: String?
        /// Nil for secrets.
        var value: String?
    }

    /// The help of each of our variables, by name.
    static let names = Dictionary(uniqueKeysWithValues: Setting.all.map { ($0.name, $0.help) })

    /// - Throws: ``UsageError`` for an unknown name or invalid value, so that a typo doesn't silently leave a default.
    init(environment: [String: String], configurationFile: String? = nil) throws {
        for name in environment.keys.sorted() where name.hasPrefix("CENSUS_") && Settings.names[name] == nil {
            throw UsageError(
                "unknown variable \(name) in the environment\(Settings.meant(name)); known ones are \(Settings.known)")
        }
        var values: [String: String] = [:]
        if let path = configurationFile ?? environment["CENSUS_CONFIG"] { values = try SettingsFile(path).values }
        for (name, value) in environment.sorted(by: { $0.key < $1.key })
        where Settings.names[name] != nil || name.hasPrefix("DATABASE_URL") || name.hasPrefix("PG") {
            if let fault = SettingsFile.fault(in: value, of: name) {
                throw UsageError("\(name), in the environment, \(fault)")
            }
        }
        values.merge(environment) { _, fromEnvironment in fromEnvironment }
        for name in values.keys where Settings.names[name] != nil || name.hasPrefix("DATABASE_URL") {
            given[name] = Given(
                file: environment[name] == nil ? configurationFile ?? environment["CENSUS_CONFIG"] : nil,
                value: Settings.secrets.contains(name) ? nil : values[name])
        }
        for name in Settings.secrets { try Settings.readFile(of: name, into: &values) }
        // An empty folder would mean the current one, and so start a second, empty census there.
        for name in Settings.names.keys.sorted() where values[name]?.isEmpty == true {
            throw UsageError("\(name) is empty: set it (\(Settings.names[name] ?? "")), or remove it for the default")
        }

        dataDirectory = EmbeddedServer.defaultDataDirectory(environment: environment)
        for setting in Setting.all {
            if let value = values[setting.name] { try setting.apply(&self, value) }
        }
        if let url = values["DATABASE_URL"] {
            // The value is not quoted, because it might contain a password.
            guard !url.isEmpty else {
                throw UsageError(
                    "DATABASE_URL is empty: name a database, or unset it to use libpq's PG* variables or a private PostgreSQL"
                )
            }
            guard url.contains("=") || url.contains("://") else {
                throw UsageError(
                    "DATABASE_URL must be a URI (postgresql://user@host/database) or keywords (host=db user=census)"
                )
            }
            self.database = url
        } else if ["PGHOST", "PGHOSTADDR", "PGDATABASE", "PGSERVICE"].contains(where: { environment[$0] != nil }) {
            self.database = ""
        }
    }

    /// The settings whose value can be in a file of its own, named by the setting with this suffix.
    static let secrets = ["CENSUS_SECRET", "DATABASE_URL"]
    static let fileSuffix = "_FILE"
    private static let mostBytes = 65_536

    /// Reads a secret from its file, as systemd's credentials and containers' secrets are.
    private static func readFile(of name: String, into values: inout [String: String]) throws {
        guard let path = values[name + fileSuffix] else { return }
        let place = "\(name + fileSuffix) names \(path.brief)"
        guard values[name] == nil else {
            throw UsageError("\(name) and \(name + fileSuffix) are both set; keep one of them")
        }
        // Nobody waits for a large file that was named by mistake, or for a device without an end.
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: mostBytes + 1) ?? Data()
        else { throw UsageError("\(place), which cannot be read") }
        guard data.count <= mostBytes else { throw UsageError("\(place), which has more than \(mostBytes) bytes") }
        guard let text = String(validating: data.withoutByteOrderMark, as: UTF8.self) else {
            throw UsageError("\(place), which is not UTF-8")
        }
        let value = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !value.isEmpty else { throw UsageError("\(place), which is empty") }
        if let fault = SettingsFile.fault(in: value, of: name) { throw UsageError("\(place), which \(fault)") }
        values[name] = value
    }

    /// The settings that name the database, besides those in ``names``.
    static let databaseNames = ["DATABASE_URL", "DATABASE_URL_FILE"]

    /// A hint with the most similar known name; empty if none is similar.
    static func meant(_ name: String) -> String {
        name.nearest(among: names.keys.sorted()).map { " (did you mean \($0)?)" } ?? ""
    }

    static var known: String { names.keys.sorted().joined(separator: ", ") }
}
