package import Logging
package import Postgres

/// The tables of Widget Census, subject by subject: the only part of the program that runs SQL.
///
/// Cheap to copy. Each statement is in `sql/statements`, in the file of the type that runs it.
package struct Store: Sendable {
    let database: Database
    package var pool: Pool { database.pool }
    /// Fewer observations are merged with the known ones, however many are known: each known one fails an insertion, and
    /// PostgreSQL logs the failure.
    var rowsToInsert = 16
    /// Fewer observations are not worth the round trips of a transaction, so they are inserted or merged, not copied.
    var rowsToCopy = 200
    var redeliveries = Redeliveries()
    var readLimits = ReadLimits()

    /// The received observations.
    package var log: ObservationLog {
        ObservationLog(
            database: database, rowsToInsert: rowsToInsert, rowsToCopy: rowsToCopy, redeliveries: redeliveries)
    }
    /// Events as they arrive.
    package var arrivals: ArrivalReader { ArrivalReader(database: database) }
    /// The folded state of each device.
    package var devices: DeviceStore { DeviceStore(database: database, limits: readLimits) }
    /// The counts of each day.
    package var ledger: DayLedger { DayLedger(database: database) }
    /// A record of each night.
    package var nights: NightRuns { NightRuns(database: database) }
    package var apps: AppRegistry { AppRegistry(database: database) }
    package var keys: KeyRegistry { KeyRegistry(database: database, apps: apps) }
    /// The capped names that apps' events use.
    package var names: NameCatalogue { NameCatalogue(database: database) }
    /// Decisions about widget kinds.
    package var kinds: KindRegistry { KindRegistry(database: database) }
    /// Verdicts on the kinds that people decided on.
    package var decisions: DecisionStore { DecisionStore(database: database) }
    /// Kinds that updates took away.
    package var losses: LossStore { LossStore(database: database) }
    /// What each version of an app ships.
    package var manifests: ManifestRegistry { ManifestRegistry(database: database) }
    /// What devices have, for comparison with a coming version.
    package var installedBase: InstalledBase {
        InstalledBase(database: database, manifests: manifests, acknowledgements: acknowledgements)
    }
    /// The losses that people accepted.
    package var acknowledgements: AcknowledgementRegistry { AcknowledgementRegistry(database: database) }
    /// The receivers of messages about mass losses.
    package var webhooks: WebhookRegistry { WebhookRegistry(database: database) }
    package var forgetting: Forgetting { Forgetting(database: database, apps: apps, devices: devices) }
    /// How long observations are kept, and their partitions.
    package var upkeep: Upkeep { Upkeep(database: database, limits: readLimits) }
    /// How the census is doing.
    package var status: StatusReader { StatusReader(database: database) }
    package var reports: ReportReader { ReportReader(database: database) }
    /// What the console's pages show.
    package var console: ConsoleReader { ConsoleReader(database: database) }
    package var analysts: AnalystRegistry { AnalystRegistry(database: database) }
    /// Checks of the whole database that must pass before anything is stored in it.
    package var deployment: Deployment { Deployment(database: database) }

    /// - Parameters:
    ///   - connectionString: a URI or keywords, as libpq takes them; empty: the `PG*` environment.
    ///   - acquireDeadline: how long a statement waits for a connection, whether a free or a new one.
    package init(
        connectionString: String, maximumConnections: Int = 8, acquireDeadline: Duration = .seconds(5), logger: Logger
    ) {
        var configuration = ConnectionConfiguration(connectionString: connectionString)
        configuration.applicationName = "widget-census"
        configuration.settings = Store.sessionSettings
        // In any other encoding PostgreSQL can't store what phones send, or stores unchecked bytes.
        configuration.serverEncoding = "UTF8"
        configuration.oldestServer = 150_000
        // How long PostgreSQL may take to answer a cancellation before its connection is closed.
        configuration.cancelGrace = .milliseconds(500)
        var limits = Pool.Limits()
        limits.maximumConnections = maximumConnections
        limits.acquireDeadline = acquireDeadline
        self.database = Database(pool: Pool(configuration, limits: limits, logger: logger))
    }

    package func shutdown() async {
        await database.pool.shutdown()
    }

    /// Makes sure that PostgreSQL answers.
    package func ping() async throws(StoreError) {
        try await database.run(Statement("Store.ping", "select 1"))
    }

    package var connections: StoreConnections {
        let pool = database.pool.statistics
        return StoreConnections(
            idle: pool.idle, busy: pool.busy, opening: pool.opening, maximum: pool.maximum, waiting: pool.waiting,
            opened: pool.opened, openFailures: pool.openFailures, refused: pool.refused)
    }
}

/// The store's connections at one moment.
package struct StoreConnections: Hashable, Sendable {
    package var idle: Int
    package var busy: Int
    package var opening: Int
    package var maximum: Int
    /// Callers waiting for a connection.
    package var waiting: Int
    /// Since the store was created: connections opened, failed attempts, callers that got no connection.
    package var opened: Int
    package var openFailures: Int
    package var refused: Int
}

extension Store {
    /// Runs work that a caller waits for. After the limit it is cancelled, and the store counts as away.
    ///
    /// - Parameter limit: for everything, including the wait for a connection. A server that does not answer a cancellation
    ///   takes half a second more.
    package func within<T: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable (Store) async throws -> T
    ) async throws(StoreError) -> T {
        let result = await withTaskGroup(of: Result<T, any Error>?.self) { group in
            group.addTask {
                do { return .success(try await work(self)) } catch { return .failure(error) }
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let result else {
            throw StoreError(.away, "PostgreSQL did not answer in time: it is down, locked or too slow; try again")
        }
        return try await StoreError.wrapping {
            return try result.get()
        }
    }
}
