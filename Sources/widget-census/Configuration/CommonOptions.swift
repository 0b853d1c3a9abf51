internal import ArgumentParser
internal import Foundation
internal import Logging

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @Option(.path, "Folder of the private PostgreSQL, if no database is named.", name: "folder") var dataDir: String?
    @Option(.path, "A file of settings, as NAME=VALUE lines (CENSUS_PORT=8080).", name: "file") var config: String?

    @Option(name: .long, help: "Format of the log on standard error: text, or json for one object per line.")
    var logFormat: LogFormat?

    func settings() throws -> Settings {
        var settings = try Settings(environment: ProcessInfo.processInfo.environment, configurationFile: config)
        if let dataDir { settings.dataDirectory = dataDir }
        if let logFormat { settings.logFormat = logFormat }
        Terminal.use(settings.logFormat)
        return settings
    }

    /// Runs a command's work, logging only warnings and errors by default.
    ///
    /// A signal cancels the work; see ``Interruption``.
    ///
    /// - Parameters:
    ///   - onlyReads: whether the work writes nothing, so that a standby will do.
    ///   - begins: whether to create a private PostgreSQL if there is none. If every command did, a wrong folder would look
    ///     like an empty census.
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
    /// Logs to standard error, because standard output is for results.
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
