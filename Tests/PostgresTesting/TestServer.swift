package import EmbeddedPostgres
import Foundation
import Logging

/// The one private PostgreSQL of this test process, started on first use.
///
/// `POSTGRES_PROGRAMS` names a folder with the programs of another version than the newest that is installed.
package enum TestServer {
    private static let starting = Task {
        var logger = Logger(label: "widget-census.tests")
        logger.logLevel = .error
        let programs = ProcessInfo.processInfo.environment["POSTGRES_PROGRAMS"]
        let server = try await EmbeddedServer.start(
            EmbeddedServer.Configuration(
                dataDirectory: TestFolder(isInMemory: true).path,
                settings: [
                    // The data need not outlive the tests, which run many times faster so.
                    "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off",
                    // Less of the log, and less of it kept.
                    "wal_level": "minimal", "max_wal_senders": "0", "max_wal_size": "256MB",
                    // Suites run in parallel, each with pools of its own.
                    "max_connections": "200",
                ],
                programDirectories: programs.map { [$0] }),
            logger: logger)
        if programs != nil {
            // scripts/test-postgres reads it.
            print("The tests run on PostgreSQL \(try await server.query("show server_version", database: "postgres")).")
        }
        return server
    }

    /// Waits for the server; every caller gets the same one, or the same error.
    package static func shared() async throws -> EmbeddedServer {
        try await starting.value
    }
}
