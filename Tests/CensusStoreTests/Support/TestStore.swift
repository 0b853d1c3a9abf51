import CensusCore
import Logging
import Nightly
import Postgres
import PostgresTesting
import SeedTesting

@testable import CensusStore

/// A store on a migrated database of its own, with one app in it. If a cluster is named, the database is distributed.
struct TestStore: Sendable {
    static let appID = "com.example.weather"

    let database: TestDatabase
    var store: Store
    let secret: Secret
    /// The app as it was when the test began.
    let app: App

    /// Seeds of random histories. On a cluster only the first two, because each takes ten times as long there.
    static func seeds(_ all: Range<UInt64>) -> Range<UInt64> {
        TestDatabase.isOnCluster ? all.prefix(2) : Seeds.of(all)
    }

    /// The schema without partitions: all rows are in `observation_other` unless a test makes some.
    private static let template = Task { try await makeTemplate() }

    /// The schema and a partition for each day of the histories. Making them takes longer than most tests.
    private static let partitionedTemplate = Task {
        try await makeTemplate { store in
            try await PartitionKeeper(store: store, logger: .quiet).keep(from: .first, through: .today + 7)
        }
    }

    /// - Returns: the database's name.
    private static func makeTemplate(_ fill: (Store) async throws -> Void = { _ in }) async throws -> String {
        let database = try await TestDatabase.create()
        let store = Store(
            connectionString: database.connectionString, maximumConnections: 1,
            acquireDeadline: TestDatabase.acquireDeadline, logger: .quiet)
        let migrator = Migrator(store: store, logger: .quiet)
        _ = try await migrator.migrate()
        if TestDatabase.isOnCluster { _ = try await migrator.distribute() }
        try await fill(store)
        // PostgreSQL copies a template only if nobody is connected to it.
        await store.shutdown()
        return database.name
    }

    /// Makes the database, runs the body, and drops it.
    ///
    /// - Parameter isPartitioned: whether there is a partition for each day from ``Day/first`` to a week after today.
    static func with(
        _ settings: AppSettings = AppSettings(), appends way: AppendWay? = nil, isPartitioned: Bool = false,
        _ body: (TestStore) async throws -> Void
    ) async throws {
        try await Turnstile.shared.pass {
            let template = isPartitioned ? partitionedTemplate : template
            try await withCopy(of: template.value, way, addingApp: settings, body)
        }
    }

    /// Makes a database that several tests copy: see ``with(copyOf:_:)``.
    ///
    /// - Returns: its name.
    static func filled(_ fill: (TestStore) async throws -> Void) async throws -> String {
        let database = try await TestDatabase.create(template: template.value)
        try await using(database, nil, addingApp: AppSettings(), fill)
        return database.name
    }

    /// Copies a database, runs the body, and drops the copy.
    static func with(copyOf filled: String, _ body: (TestStore) async throws -> Void) async throws {
        try await Turnstile.shared.pass { try await withCopy(of: filled, nil, body) }
    }

    private static func withCopy(
        of template: String, _ way: AppendWay?, addingApp settings: AppSettings? = nil,
        _ body: (TestStore) async throws -> Void
    ) async throws {
        let database = try await TestDatabase.create(template: template)
        do {
            try await using(database, way, addingApp: settings, body)
        } catch {
            try? await database.drop()
            throw error
        }
        try await database.drop()
    }

    private static func using(
        _ database: TestDatabase, _ way: AppendWay?, addingApp settings: AppSettings?,
        _ body: (TestStore) async throws -> Void
    ) async throws {
        // No statement may depend on the search path, which has our schema on the private PostgreSQL.
        let path = database.connectionString + " options='-c search_path=pg_catalog'"
        var store = Store(connectionString: path, acquireDeadline: TestDatabase.acquireDeadline, logger: .quiet)
        way?.set(&store)
        // So low that most histories are read in pages, and many steps leave some of their devices for the next.
        store.readLimits = ReadLimits(rows: 40, bytes: 3_000, stepBytes: 12_000)
        do {
            if let settings {
                _ = try await store.apps.add(appID)
                try await store.apps.set(appID, settings)
            }
            try await body(
                TestStore(
                    database: database, store: store, secret: Secret("a secret of the tests"),
                    app: store.apps.app(appID)))
        } catch {
            await store.shutdown()
            throw error
        }
        await store.shutdown()
    }

    static func with(
        isPartitioned: Bool = false, zone: String, _ body: (TestStore) async throws -> Void
    ) async throws {
        var settings = AppSettings()
        settings.zone = zone
        try await with(settings, isPartitioned: isPartitioned, body)
    }

    /// Runs the body with another program's store on the same database.
    func withSecondStore(_ body: (Store) async throws -> Void) async throws {
        let second = Store(
            connectionString: database.connectionString, acquireDeadline: TestDatabase.acquireDeadline, logger: .quiet)
        do {
            try await body(second)
        } catch {
            await second.shutdown()
            throw error
        }
        await second.shutdown()
    }
}

extension TestStore {
    /// The first column of the first row.
    func value<T: PostgresCodable & Sendable>(
        _ type: T.Type = T.self, _ text: String, _ parameters: [(any PostgresCodable)?] = []
    ) async throws -> T {
        let rows = try await store.pool.query(Statement("test", text), parameters)
        guard let row = rows.first else { throw NoRow() }
        return try row.decode(T.self, at: 0)
    }

    /// Every row as text, columns separated by `|`; NULL is ∅.
    func lines(_ text: String, _ parameters: [(any PostgresCodable)?] = []) async throws -> [String] {
        try await store.pool.queryText(Statement("test", text), parameters).rows
            .map { $0.map { $0 ?? "∅" }.joined(separator: "|") }
    }

    /// Whether some session of this database waits for another's lock.
    func isWaitingForLock() async throws -> Bool {
        try await value(
            Bool.self,
            """
            select exists (
                select 1
                from pg_stat_activity
                where datname = current_database()
                    and wait_event_type = 'Lock')
            """)
    }

    /// Has a timeout that is long enough for a busy machine.
    func execute(_ script: String) async throws {
        try await store.pool.execute(script: Statement("test", script), deadline: .seconds(300))
    }

    /// All rows of a table, in an order that depends only on them.
    func contents(_ table: String) async throws -> [String] {
        try await lines("select line::text from \(table) as line order by line::text collate \"C\"")
    }

    /// All that the nightly job writes, except for reads that the log no longer has.
    func ledger() async throws -> [String] {
        try await contents("census.kind_day") + contents("census.kind_day_unsettled")
            + contents("census.version_day") + contents("census.install_day") + contents("census.device_day")
            + contents("census.change_day")
            + contents("census.move_day") + contents("census.outcome_day") + contents("census.closed_day")
            + contents("census.active_day") + contents("census.overlap_day")
            + contents("census.intent_day") + contents("census.widget_count_day")
            + contents("census.use_day") + contents("census.cohort_day") + contents("census.lifetime_day")
            + contents("census.first_widget_day") + contents("census.engagement_day")
            + lines("select app_number, quarter_at, reads, reads_failed from census.read_quarter order by 1, 2")
    }

    /// Net changes that wait for a night, except for reads that the log no longer has.
    func entries() async throws -> [String] {
        var entries: [String] = []
        for name in [
            "kind", "kind_unsettled", "version", "install", "device", "change", "move", "outcome", "active", "overlap",
            "use", "cohort", "intent", "widget_count", "lifetime", "first_widget", "engagement",
        ] {
            entries += try await contents("census.\(name)_entry")
        }
        return try await entries + lines("select line::text from census.read_entry as line where reads > 0 order by 1")
    }

    /// The differences between the ledger and a new count from the spans.
    func differences() async throws -> [LedgerDifference] {
        var differences: [LedgerDifference] = []
        for work in try await store.ledger.work(app: nil) { differences += try await store.ledger.verify(work) }
        return differences
    }

    @discardableResult
    func reconcile(stepSize: Int = 500) async throws -> ReconciledBatch {
        var reconciler = Reconciler(store: store, logger: .quiet)
        reconciler.stepSize = stepSize
        reconciler.workers = stepSize.isMultiple(of: 2) ? 2 : 1
        return try await reconciler.drain()
    }

    /// Closes days through this one. Nil means the last one that has ended.
    @discardableResult
    func night(_ day: Day? = nil) async throws -> NightlyJob.Night? {
        try await NightlyJob(store: store, logger: .quiet).run(day: day).nights.first
    }
}

extension Logger {
    /// A logger that discards everything.
    static var quiet: Logger { Logger(label: "store.tests") { _ in SwiftLogNoOpLogHandler() } }
}

struct NoRow: Error {}
