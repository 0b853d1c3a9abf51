import CensusCore
import CensusStore
import Logging
import PostgresTesting

/// The template of the suites' databases, migrated once, with partitions around the test clock's day.
enum MigratedDatabase {
    private static let making = Task {
        let database = try await TestDatabase.create()
        var logger = Logger(label: "test")
        logger.logLevel = .error
        let store = Store(
            connectionString: database.connectionString, maximumConnections: 1,
            acquireDeadline: TestDatabase.acquireDeadline, logger: logger)
        _ = try await Migrator(store: store, logger: logger).migrate()
        let today = ReportingZone.utc.day(of: TestClock().now)
        try await PartitionKeeper(store: store, logger: logger).keep(from: today - 7, through: today + 1)
        // A template must have no connections.
        await store.shutdown()
        return database.name
    }

    static func name() async throws -> String { try await making.value }
}
