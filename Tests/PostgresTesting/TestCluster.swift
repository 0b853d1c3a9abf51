import Foundation
import Logging
import Postgres

/// The Citus cluster on which tests run instead of a PostgreSQL of their own: `CENSUS_CITUS_URL` names an empty database on
/// its coordinator. The URL's role may make databases on every node, and reaches the workers from here as the coordinator does.
///
/// A test's database is copied on each node under one name. The shards come along: a copy keeps what Citus knows them by.
struct TestCluster: Sendable {
    private static let url = ProcessInfo.processInfo.environment["CENSUS_CITUS_URL"]
        .flatMap(URLComponents.init(string:))

    /// Nil where none is named.
    static let shared = url.map { url in Task { try await TestCluster(at: url) } }

    /// Of all databases that tests make here.
    static let prefix = "census_test_"

    /// The database that is named: a database without our schema begins as its copy.
    let empty: String
    private let coordinator: URLComponents
    /// Of each node, the coordinator last, in a database that nobody copies.
    private let nodes: [Pool]

    private init(at coordinator: URLComponents) async throws {
        self.coordinator = coordinator
        empty = String(coordinator.path.dropFirst())
        let pool = Self.pool(Self.connectionString(coordinator, database: empty))
        let workers = try await pool.queryText(
            Statement("TestCluster.workers", "select nodename, nodeport from pg_dist_node where groupid > 0"))
        await pool.shutdown()
        nodes = (workers.rows.map { Self.address($0, like: coordinator) } + [coordinator])
            .map { Self.pool(Self.connectionString($0, database: "postgres")) }
        // Left by a run that was killed.
        let leftovers = try await nodes[nodes.count - 1].queryText(
            Statement("TestCluster.leftovers", "select datname from pg_database where datname like '\(Self.prefix)%'"))
        for name in leftovers.rows.compactMap({ $0[0] }) { try await drop(name) }
    }

    /// libpq keyword string.
    func connectionString(database: String) -> String {
        Self.connectionString(coordinator, database: database)
    }

    /// - Parameter template: nobody may be connected to it. On each node a process of Citus's is, which connects to the other
    ///   nodes: all are shut out.
    func copy(_ template: String, as name: String) async throws {
        try await everywhere("alter database \"\(template)\" allow_connections false")
        for node in nodes {
            try await node.retrying("TestCluster.copy", retries: 10, where: TestCluster.isInUse) {
                try await TestCluster.run(
                    "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '\(template)'",
                    on: node)
                try await TestCluster.run(
                    "create database \"\(name)\" template \"\(template)\" strategy file_copy", on: node)
            }
        }
        // Others begin with it when the tests have ended.
        if template == empty { try await everywhere("alter database \"\(template)\" allow_connections true") }
    }

    /// `object_in_use`: somebody is connected to the template.
    private static func isInUse(_ error: PostgresError) -> Bool { error.sqlState == SQLState(rawValue: "55006") }

    func drop(_ name: String) async throws {
        try await everywhere("drop database if exists \"\(name)\" with (force)")
    }

    /// - Parameter command: may be run twice.
    private func everywhere(_ command: String) async throws {
        for node in nodes {
            try await node.retrying("TestCluster.everywhere", retries: 10, where: TestCluster.isOvertaken) {
                try await TestCluster.run(command, on: node)
            }
        }
    }

    /// `internal_error`, "tuple concurrently updated": two copies of one template begin at the same time.
    private static func isOvertaken(_ error: PostgresError) -> Bool { error.sqlState == SQLState(rawValue: "XX000") }

    private static func run(_ command: String, on node: Pool) async throws {
        try await node.execute(script: Statement("TestCluster.run", command), deadline: .seconds(300))
    }

    private static func address(_ row: [String?], like coordinator: URLComponents) -> URLComponents {
        var address = coordinator
        address.host = row[0]
        address.port = row[1].flatMap { Int($0) }
        return address
    }

    private static func connectionString(_ address: URLComponents, database: String) -> String {
        let named = [
            ("host", address.host), ("port", address.port.map(String.init)), ("dbname", database),
            ("user", address.user), ("password", address.password),
        ]
        let words = named + (address.queryItems ?? []).map { ($0.name, $0.value) }
        return words.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(separator: " ")
    }

    private static func pool(_ connectionString: String) -> Pool {
        var logger = Logger(label: "widget-census.tests")
        logger.logLevel = .error
        return Pool(ConnectionConfiguration(connectionString: connectionString), logger: logger)
    }
}
