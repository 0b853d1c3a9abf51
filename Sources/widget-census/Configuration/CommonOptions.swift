internal import ArgumentParser
internal import Foundation
internal import Logging

/// What every command takes.
struct CommonOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Folder of the private PostgreSQL, when no database is named.", valueName: "folder"))
    var dataDir: String?

    @Option(name: .long, help: ArgumentHelp("A file of NAME=VALUE lines (CENSUS_PORT=8080).", valueName: "file"))
    var config: String?

    func settings() throws -> Settings {
        var settings = try Settings(environment: ProcessInfo.processInfo.environment, configurationFile: config)
        if let dataDir { settings.dataDirectory = dataDir }
        return settings
    }

    /// Runs a command's work, which says nothing but its answer unless something is wrong.
    func census<T: Sendable>(_ body: (Census) async throws -> T) async throws -> T {
        let settings = try settings()
        return try await Census.with(settings, logger: settings.logger(default: .warning), body)
    }
}

extension Settings {
    /// Logs go to standard error: standard output is for answers.
    func logger(default level: Logger.Level) -> Logger {
        var logger = Logger(label: "widget-census") { label in StreamLogHandler.standardError(label: label) }
        logger.logLevel = logLevel ?? level
        return logger
    }
}
