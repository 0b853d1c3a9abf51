import CensusCore
import Logging
import PostgresTesting
import Postgres
import Webhooks

@testable import CensusStore

/// A database with an app, and the parts that deliver its webhooks.
struct WebhookWorld: Sendable {
    static let start = Timestamp(seconds: 1_900_000_000)

    let database: TestDatabase
    let store: Store
    let app: App
    let logs: LogRecords

    private static let template = Task {
        let database = try await TestDatabase.create()
        let store = Store(
            connectionString: database.connectionString, maximumConnections: 1,
            acquireDeadline: TestDatabase.acquireDeadline, logger: .quiet)
        _ = try await Migrator(store: store, logger: .quiet).migrate()
        // A template must have no sessions.
        await store.shutdown()
        return database.name
    }

    static func with(_ body: (WebhookWorld) async throws -> Void) async throws {
        let database = try await TestDatabase.create(template: template.value)
        let logs = LogRecords()
        let store = Store(
            connectionString: database.connectionString, acquireDeadline: TestDatabase.acquireDeadline,
            logger: logs.logger)
        do {
            _ = try await store.apps.add("com.example.weather")
            let app = try await store.apps.app("com.example.weather")
            try await body(WebhookWorld(database: database, store: store, app: app, logs: logs))
        } catch {
            await store.shutdown()
            throw error
        }
        await store.shutdown()
        try await database.drop()
    }

    /// Adds a webhook that leads to a local receiver.
    @discardableResult
    func add(
        _ receiver: Receiver, path: String = "/census", allowsPrivate: Bool = true
    ) async throws -> (number: Int64, secret: WebhookSecret) {
        try await add("http://127.0.0.1:\(receiver.port)\(path)", allowsPrivate: allowsPrivate)
    }

    @discardableResult
    func add(_ url: String, allowsPrivate: Bool = true) async throws -> (number: Int64, secret: WebhookSecret) {
        try await store.webhooks.add(url: url, allowsPrivate: allowsPrivate, by: "anna", app: app)
    }

    /// Queues a message in a transaction, as the night does.
    @discardableResult
    func enqueue(_ message: WebhookMessage = .opened) async throws -> Int {
        try await store.database.transaction("test") { transaction in
            try await transaction.enqueue(message, appNumber: app.number)
        }
    }

    /// A node with a patient sender, because the machine can be busy.
    func service(
        _ sender: WebhookSender = WebhookSender(version: "1.2.3", limit: .seconds(100))
    ) -> WebhookService {
        WebhookService(store: store, sender: sender, logger: logs.logger)
    }

    /// The database's time plus a duration.
    func now(in time: Duration) async throws -> Timestamp {
        let rows = try await store.pool.query(Statement("test", "select now() as now"))
        guard let now = try rows.first?.decode("now", as: Timestamp.self) else { throw NoRow() }
        return now + time
    }

    /// Every row as text, columns separated by `|`; NULL is ∅.
    func lines(_ text: String) async throws -> [String] {
        try await store.pool.queryText(Statement("test", text)).rows
            .map { $0.map { $0 ?? "∅" }.joined(separator: "|") }
    }

    struct NoRow: Error {}
}

extension WebhookMessage {
    static let opened = WebhookMessage(
        .massLoss(
            .opened,
            MassLossMessage(
                appID: "com.example.weather", surface: .widget, kind: "weather", toVersion: "20.12",
                fromVersions: ["20.10", "20.11"], upgraders: 1_204, lost: 118, lossRate: 0.098, ordinaryRate: 0.002,
                evidence: 81_943.2, devicesAtRisk: 10_311, smallestDetectableRate: 0.011,
                openedOn: Day(daysSince1970: 20_778), state: .open,
                headline: "118 of 1,204 lost it", advice: "pause the phased release now; a pause undoes nothing")),
        at: Timestamp(seconds: 1_795_313_649))
}

extension Logger {
    static var quiet: Logger { Logger(label: "webhooks.tests") { _ in SwiftLogNoOpLogHandler() } }
}
