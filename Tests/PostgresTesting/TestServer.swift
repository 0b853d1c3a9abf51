package import EmbeddedPostgres
import Foundation
import Logging
import Postgres

/// The one private PostgreSQL of this test process, started on first use.
///
/// `POSTGRES_PROGRAMS` names a folder with the programs of another version than the newest that is installed.
package enum TestServer {
    private static let logger = {
        var logger = Logger(label: "widget-census.tests")
        logger.logLevel = .error
        return logger
    }()

    private static let starting = Task {
        let programs = ProcessInfo.processInfo.environment["POSTGRES_PROGRAMS"]
        let folder = TestFolder(isInMemory: true)
        let server = try await EmbeddedServer.start(
            EmbeddedServer.Configuration(
                dataDirectory: folder.path,
                settings: [
                    // The data need not outlive the tests, which run many times faster so.
                    "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off",
                    // Less of the log, and less of it kept.
                    "wal_level": "minimal", "max_wal_senders": "0", "max_wal_size": "256MB",
                    // Suites run in parallel, each with pools of its own.
                    "max_connections": "200",
                    // To drop a database or a table is to look through all of them.
                    "shared_buffers": "64MB",
                ],
                programDirectories: programs.map { [$0] }),
            logger: logger)
        keepPriority(ofServerIn: folder)
        if programs != nil {
            // scripts/test-postgres reads it.
            print("The tests run on PostgreSQL \(try await server.query("show server_version", database: "postgres")).")
        }
        return server
    }

    /// Gives the server, which has a session of its own, the niceness of ours: Linux shares out the processors by session where
    /// autogroups are on (sched(7)), and what a process inherits counts within its own session alone.
    private static func keepPriority(ofServerIn folder: TestFolder) {
        // "/autogroup-25 nice 19"
        guard let session = try? String(contentsOfFile: "/proc/self/autogroup", encoding: .utf8),
            let niceness = session.split(whereSeparator: \.isWhitespace).last,
            let file = try? String(contentsOfFile: folder.path + "/postgres/postmaster.pid", encoding: .utf8),
            let postmaster = file.split(separator: "\n").first
        else { return }
        try? Data(niceness.utf8).write(to: URL(fileURLWithPath: "/proc/\(postmaster)/autogroup"))
    }

    /// Sessions in a database that nobody copies: to start psql takes longer than most of what is run there.
    private static let administration = Task {
        let server = try await shared()
        return Pool(
            ConnectionConfiguration(connectionString: server.connectionString(database: "postgres")), logger: logger)
    }

    /// Waits for the server; every caller gets the same one, or the same error.
    package static func shared() async throws -> EmbeddedServer {
        try await starting.value
    }

    /// Runs what makes and drops databases, outside a transaction.
    static func administer(_ command: String) async throws {
        try await administration.value.execute(
            script: Statement("TestServer.administer", command), deadline: .seconds(300))
    }
}
