import EmbeddedPostgres
import Synchronization

/// A database of its own on the test process's server.
///
/// It goes with the server; ``drop()`` is for a test that makes many.
package struct TestDatabase: Sendable {
    private static let count = Atomic<Int>(0)

    /// Copying files takes half the time of copying pages through the log, which is the default from PostgreSQL 15 on;
    /// older ones have no choice, and no word for it.
    private static let strategy = Task {
        let isKnown = try await TestServer.shared().query(
            "select current_setting('server_version_num')::integer >= 150000", database: "postgres")
        return isKnown == "t" ? "strategy file_copy" : ""
    }

    /// Unique in this test process.
    package let name: String

    /// libpq keyword string.
    package let connectionString: String

    private init(name: String, on server: EmbeddedPostgres) {
        self.name = name
        connectionString = server.connectionString(database: name)
    }

    /// Makes an empty database.
    package static func create() async throws -> TestDatabase {
        try await create(template: "template1")
    }

    /// Makes a copy of another database, e.g. one with the schema in it; no one may be connected to that one.
    package static func create(template: String) async throws -> TestDatabase {
        let server = try await TestServer.shared()
        let name = "test_\(count.add(1, ordering: .relaxed).newValue)"
        _ = try await server.query(
            "create database \"\(name)\" template \"\(template)\" \(try await strategy.value)", database: "postgres")
        return TestDatabase(name: name, on: server)
    }

    /// Ends the database's connections and drops it.
    package func drop() async throws {
        let server = try await TestServer.shared()
        _ = try await server.query("drop database if exists \"\(name)\" with (force)", database: "postgres")
    }
}
