import EmbeddedPostgres
import Synchronization

/// A new database on the test process's server, or on the cluster in `CENSUS_CITUS_URL`.
///
/// It is removed with the server; ``drop()`` is for a test that creates many.
package struct TestDatabase: Sendable {
    private static let count = Atomic<Int>(0)

    /// `file_copy` takes half the time of copying pages through the WAL, the default since PostgreSQL 15. Older
    /// versions only copy files, and don't know the option.
    private static let strategy = Task {
        let isKnown = try await TestServer.shared().query(
            "select current_setting('server_version_num')::integer >= 150000", database: "postgres")
        return isKnown == "t" ? "strategy file_copy" : ""
    }

    /// Whether `CENSUS_CITUS_URL` names a cluster.
    package static var isOnCluster: Bool { TestCluster.shared != nil }

    /// For tests' stores, because opening a connection on a busy machine can take longer than callers of the service
    /// can wait. A step's time limit ends a test that hangs.
    package static let acquireDeadline = Duration.seconds(600)

    /// Unique in this test process.
    package let name: String

    /// libpq keyword string.
    package let connectionString: String

    /// Creates an empty database.
    package static func create() async throws -> TestDatabase {
        try await create(template: TestCluster.shared?.value.empty ?? "template1")
    }

    /// Copies another database, for example one with the schema. The template must have no sessions.
    package static func create(template: String) async throws -> TestDatabase {
        let number = count.add(1, ordering: .relaxed).newValue
        if let cluster = try await TestCluster.shared?.value {
            let name = "\(TestCluster.prefix)\(number)"
            try await cluster.copy(template, as: name)
            return TestDatabase(name: name, connectionString: cluster.connectionString(database: name))
        }
        let server = try await TestServer.shared()
        let name = "test_\(number)"
        try await TestServer.administer(
            "create database \"\(name)\" template \"\(template)\" \(try await strategy.value)")
        return TestDatabase(name: name, connectionString: server.connectionString(database: name))
    }

    /// Ends the database's connections and drops it.
    package func drop() async throws {
        if let cluster = try await TestCluster.shared?.value { return try await cluster.drop(name) }
        try await TestServer.administer("drop database if exists \"\(name)\" with (force)")
    }
}
