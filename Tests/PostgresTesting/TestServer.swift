package import EmbeddedPostgres
import Foundation
import Logging
import Postgres

/// The one private PostgreSQL of this test process, started on first use.
///
/// `POSTGRES_PROGRAMS` names a folder with the programs of another version than the newest installed one.
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
                    // The data need not survive, and without syncing the tests run many times faster.
                    "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off",
                    // Write less WAL, and keep less of it.
                    "wal_level": "minimal", "max_wal_senders": "0", "max_wal_size": "256MB",
                    // Suites run in parallel, each with its own pools.
                    "max_connections": "200",
                    // Dropping a database or a table searches all buffers.
                    "shared_buffers": "64MB",
                ],
                programDirectories: programs.map { [$0] }),
            logger: logger)
        keepPriority(ofServerIn: folder)
        if programs != nil {
            // scripts/test-postgres reads this line.
            print("The tests run on PostgreSQL \(try await server.query("show server_version", database: "postgres")).")
        }
        return server
    }

    /// Gives the server's session our niceness. With autogroups (sched(7)) Linux divides the processors among sessions,
    /// and an inherited niceness only counts within its session.
    private static func keepPriority(ofServerIn folder: TestFolder) {
        // "/autogroup-25 nice 19"
        guard let session = try? String(contentsOfFile: "/proc/self/autogroup", encoding: .utf8),
            let niceness = session.split(whereSeparator: \.isWhitespace).last,
            let file = try? String(contentsOfFile: folder.path + "/postgres/postmaster.pid", encoding: .utf8),
            let postmaster = file.split(separator: "\n").first
        else { return }
        try? Data(niceness.utf8).write(to: URL(fileURLWithPath: "/proc/\(postmaster)/autogroup"))
    }

    /// Sessions in a database that is never a template, because starting psql takes longer than most commands.
    private static let administration = Task {
        let server = try await shared()
        return Pool(
            ConnectionConfiguration(connectionString: server.connectionString(database: "postgres")), logger: logger)
    }

    /// Waits for the server; every caller gets the same one, or the same error.
    package static func shared() async throws -> EmbeddedServer {
        try await starting.value
    }

    /// Runs a command that creates or drops a database, outside a transaction.
    static func administer(_ command: String) async throws {
        try await administration.value.execute(
            script: Statement("TestServer.administer", command), deadline: .seconds(300))
    }
}
