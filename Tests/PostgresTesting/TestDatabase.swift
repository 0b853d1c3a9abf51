import EmbeddedPostgres
import Synchronization

/// A database of its own on the test process's server, or on the cluster that is named.
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

    /// Whether `CENSUS_CITUS_URL` names a cluster.
    package static var isOnCluster: Bool { TestCluster.shared != nil }

    /// For the stores of tests: on a busy machine, opening a connection can take longer than callers of the service can wait.
    /// A step's time limit ends what hangs.
    package static let acquireDeadline = Duration.seconds(600)

    /// Unique in this test process.
    package let name: String

    /// libpq keyword string.
    package let connectionString: String

    /// Makes an empty database.
    package static func create() async throws -> TestDatabase {
        try await create(template: TestCluster.shared?.value.empty ?? "template1")
    }

    /// Makes a copy of another database, e.g. one with the schema in it; no one may be connected to that one.
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
