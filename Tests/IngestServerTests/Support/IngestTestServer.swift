import CensusCore
import CensusStore
import EmbeddedPostgres
import IngestServer
import PostgresTesting
import Spool
import Traces

/// A server with a database of its own, an app and a key, for as long as a suite runs.
struct IngestTestServer: Sendable {
    @TaskLocal static var shared: IngestTestServer?

    static let app = "com.example.weather"
    static let secretText = "a secret of thirty-two characters"

    let database: TestDatabase
    let store: Store
    let secret: Secret
    let port: Int
    let clock: TestClock
    let logs: LogRecords
    var key: Key
    let limits: Limits
    /// The server's spool, if it has one.
    let spool: BatchSpool?

    /// Opens a server, and closes it after `body`.
    static func open<T: Sendable>(
        options: ServerOptions = ServerOptions(), host: String = "127.0.0.1", isMigrated: Bool = true,
        spool: BatchSpool? = nil, decisionsKeptFor: Duration = .zero, tracer: CollectorTracer? = nil,
        _ body: @Sendable (IngestTestServer) async throws -> T
    ) async throws -> T {
        let database =
            isMigrated
            ? try await TestDatabase.create(template: MigratedDatabase.name()) : try await TestDatabase.create()
        var options = options
        options.decisionsKeptFor = decisionsKeptFor
        let logs = LogRecords()
        let store = Store(connectionString: database.connectionString, maximumConnections: 4, logger: logs.logger)
        let key = isMigrated ? try await addApp(app, to: store) : Key(role: .write)
        let secret = try Secret(secretText)
        let clock = TestClock()
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let server = IngestService(
            store: store, retention: Retention(days: 90), spool: spool, secret: secret, version: "1.2.3",
            host: host, port: 0, options: options, now: { clock.now }, tracer: tracer, logger: logs.logger,
            onListening: { port.yield($0) })
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { port.finish() }
                try await server.run()
            }
            guard let open = await ports.first(where: { _ in true }) else { throw NotListening() }
            let server = IngestTestServer(
                database: database, store: store, secret: secret, port: open, clock: clock, logs: logs, key: key,
                limits: options.limits, spool: spool)
            let result: Result<T, any Error>
            do { result = .success(try await body(server)) } catch { result = .failure(error) }
            group.cancelAll()
            while let ended = await group.nextResult() { _ = ended }
            await store.shutdown()
            try await database.drop()
            return try result.get()
        }
    }

    /// - Returns: A write key of the app.
    static func addApp(_ id: String, to store: Store) async throws -> Key {
        _ = try await store.apps.add(id)
        return try await store.keys.add(app: id, role: .write)
    }

    /// Runs SQL over a connection that isn't the server's, and returns the rows as psql prints them.
    func sql(_ text: String) async throws -> String {
        try await TestServer.shared().query(text, database: database.name)
    }

    func number(_ text: String) async throws -> Int { Int(try await sql(text)) ?? -1 }

    /// The number of observations, of one sample's device or of all devices.
    func rows(of sample: Sample? = nil) async throws -> Int {
        let device = sample.map { " where device_id = '\(secret.device($0.device, app: $0.app))'" } ?? ""
        return try await number("select count(*) from census.observation\(device)")
    }

    /// The codes of a sample's rejected events, in order.
    func refusals(of sample: Sample) async throws -> [String] {
        try await sql(
            """
            select code from census.refused where device_id = '\(secret.device(sample.device, app: sample.app))'
            order by code
            """
        ).split(separator: "\n").map(String.init)
    }

    struct NotListening: Error {}
}
