internal import ArgumentParser
internal import Foundation
internal import Logging

/// What every command takes.
struct CommonOptions: ParsableArguments {
    @Option(.path, "Folder of the private PostgreSQL, when no database is named.", name: "folder") var dataDir: String?
    @Option(.path, "A file of NAME=VALUE lines (CENSUS_PORT=8080).", name: "file") var config: String?

    @Option(name: .long, help: "How logs look on standard error: text, or json for one object a line.")
    var logFormat: LogFormat?

    func settings() throws -> Settings {
        var settings = try Settings(environment: ProcessInfo.processInfo.environment, configurationFile: config)
        if let dataDir { settings.dataDirectory = dataDir }
        if let logFormat { settings.logFormat = logFormat }
        Terminal.use(settings.logFormat)
        return settings
    }

    /// Runs a command's work, which says nothing but its answer unless something is wrong.
    ///
    /// A signal that ends it cancels the work: ``Interruption``.
    ///
    /// - Parameters:
    ///   - onlyReads: the work writes nothing, so a standby will do.
    ///   - begins: whether a private PostgreSQL is made where there is none. Otherwise a wrong folder would look like an empty census.
    func census<T: Sendable>(
        logging level: Logger.Level = .warning, onlyReads: Bool = false, begins: Bool = false,
        _ body: (Census) async throws -> T
    ) async throws -> T {
        let settings = try settings()
        await Interruption.shared.watch()
        return try await Census.with(
            settings, logger: settings.logger(default: level), onlyReads: onlyReads, begins: begins, body)
    }
}

extension Settings {
    /// Logs go to standard error: standard output is for answers.
    func logger(default level: Logger.Level) -> Logger {
        var logger = Logger(label: "widget-census") { [logFormat] label in
            switch logFormat {
            case .text: StreamLogHandler(label: label, stream: LogStream.shared)
            case .json: JSONLogHandler()
            }
        }
        logger.logLevel = logLevel ?? level
        return logger
    }
}
