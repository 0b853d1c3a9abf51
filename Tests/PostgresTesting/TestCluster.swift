import Foundation
import Logging
import Postgres

/// The Citus cluster that tests use instead of their own PostgreSQL. `CENSUS_CITUS_URL` names an empty database on its
/// coordinator. The URL's role can create databases on every node, and reaches the workers from here as the coordinator
/// does.
///
/// Each node copies a test's database under the same name. The copy has the shards, because it keeps Citus's metadata
/// about them.
struct TestCluster: Sendable {
    private static let url = ProcessInfo.processInfo.environment["CENSUS_CITUS_URL"]
        .flatMap(URLComponents.init(string:))

    /// Nil if the variable isn't set.
    static let shared = url.map { url in Task { try await TestCluster(at: url) } }

    /// The prefix of all databases that tests create here.
    static let prefix = "census_test_"

    /// A copy of the named database, and the template of databases without our schema.
    let empty = prefix + "empty"
    private let coordinator: URLComponents
    /// One pool for each node, the coordinator last, on a database that is never a template.
    private let nodes: [Pool]
    private let templates = Templates()

    private init(at coordinator: URLComponents) async throws {
        self.coordinator = coordinator
        let named = String(coordinator.path.dropFirst())
        let pool = Self.pool(Self.connectionString(coordinator, database: named))
        let workers = try await pool.queryText(
            Statement("TestCluster.workers", "select nodename, nodeport from pg_dist_node where groupid > 0"))
        await pool.shutdown()
        nodes = (workers.rows.map { Self.address($0, like: coordinator) } + [coordinator])
            .map { Self.pool(Self.connectionString($0, database: "postgres")) }
        for name in try await leftovers() { try await drop(name) }
        try await copy(named, as: empty)
        // Later runs start with this database.
        try await allowConnections(true, to: named)
    }

    /// Databases that an earlier run left on any node, because it was killed while it created or dropped them.
    private func leftovers() async throws -> Set<String> {
        var names: Set<String> = []
        for node in nodes {
            let found = try await node.queryText(
                Statement(
                    "TestCluster.leftovers", "select datname from pg_database where datname like '\(Self.prefix)%'"))
            names.formUnion(found.rows.compactMap { $0[0] })
        }
        return names
    }

    /// libpq keyword string.
    func connectionString(database: String) -> String {
        Self.connectionString(coordinator, database: database)
    }

    /// - Parameter template: accepts no connections from then on.
    func copy(_ template: String, as name: String) async throws {
        try await templates.close(template) { try await allowConnections(false, to: template) }
        try await withoutSessions(
            in: template, "create database \"\(name)\" template \"\(template)\" strategy file_copy")
    }

    func drop(_ name: String) async throws {
        try await allowConnections(false, to: name)
        try await withoutSessions(in: name, "drop database if exists \"\(name)\" with (force)")
    }

    /// Changes all nodes before any other step, because a Citus process on each node connects to all of them.
    private func allowConnections(_ allows: Bool, to database: String) async throws {
        for node in nodes {
            // Not `alter database`, because the node might lack the database.
            try await run("update pg_database set datallowconn = \(allows) where datname = '\(database)'", on: node)
        }
    }

    /// Ends the sessions of a closed database and then runs the command, node by node.
    ///
    /// `drop … with (force)` alone gives up after five seconds, because Citus's process only ends after it has
    /// connected, and it can't connect while the database is locked.
    private func withoutSessions(in database: String, _ command: String) async throws {
        for node in nodes {
            try await node.retrying("TestCluster", retries: 10, where: TestCluster.isInUse) {
                try await run(
                    "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '\(database)'",
                    on: node)
                try await run(command, on: node)
            }
        }
    }

    /// `object_in_use`: the database has sessions.
    private static func isInUse(_ error: PostgresError) -> Bool { error.sqlState == SQLState(rawValue: "55006") }

    private func run(_ command: String, on node: Pool) async throws {
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

extension TestCluster {
    /// Closes each template once, because two tasks that close one database at once would fail.
    private actor Templates {
        private var closing: [String: Task<Void, any Error>] = [:]

        func close(_ name: String, _ close: @escaping @Sendable () async throws -> Void) async throws {
            let task = closing[name] ?? Task { try await close() }
            closing[name] = task
            try await task.value
        }
    }
}
