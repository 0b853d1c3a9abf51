import Dispatch
package import Logging
import Synchronization

/// A private PostgreSQL in a data folder, reached over a unix socket only.
///
/// Several processes may use one folder at once. Each holds a shared lock on `users.lock` while it does; the one that
/// can make its lock exclusive is the last, and stops the server. The kernel drops the locks of a process that dies,
/// and the next one adopts the server it left behind.
///
/// Dropping the object without ``stop()`` leaves the server running, as the death of the process would.
package final class EmbeddedServer: Sendable {
    static let database = "census"
    static let user = "census"

    /// libpq keyword string for the database `census`, e.g. `host='/var/lib/widget-census/run' port=5432 …`.
    package let connectionString: String

    private let cluster: Cluster
    private let logger: Logger
    private let usersLock: Mutex<FileLock?>

    /// Starts the folder's server or adopts the one that runs, and makes cluster and database when they are absent, if it may.
    ///
    /// Takes about a second the first time, and longer while PostgreSQL recovers from a crash.
    ///
    /// - Throws: ``EmbeddedServerError``, which says what to do. Nothing is left running then, unless others use it.
    package static func start(_ configuration: Configuration, logger: Logger) async throws -> EmbeddedServer {
        try await onThread { try EmbeddedServer(starting: configuration, logger: logger) }
    }

    private init(starting configuration: Configuration, logger: Logger) throws {
        let folder = try DataFolder(configuration.dataDirectory)
        try folder.checkKind()
        try folder.checkReach(for: ServerAccount.choose(for: folder))
        guard configuration.makes || folder.holdsCluster else {
            throw EmbeddedServerError.noCluster(folder: folder.path)
        }
        try folder.make()
        let startLock = try FileLock.exclusive(folder.startLock, in: folder)
        defer { startLock.release() }
        let users = try FileLock.shared(folder.usersLock, in: folder)

        let cluster = try Cluster(folder: folder, configuration: configuration)
        try cluster.start(logger: logger)
        do {
            try cluster.makeDatabase(Self.database)
        } catch {
            if users.makeExclusive() { try? cluster.stop(logger: logger) }
            throw error
        }
        self.cluster = cluster
        self.logger = logger
        self.usersLock = Mutex(users)
        self.connectionString = folder.connectionString(database: Self.database)
    }

    /// libpq keyword string for another database on this server; the database need not exist.
    package func connectionString(database: String) -> String {
        cluster.folder.connectionString(database: database)
    }

    /// Starts the server again when it has died under us, as ``start(_:logger:)`` would; does nothing while it answers,
    /// and after ``stop()``.
    package func revive() async throws {
        try await onThread { [self] in
            let startLock = try FileLock.exclusive(cluster.folder.startLock, in: cluster.folder)
            defer { startLock.release() }
            guard usersLock.withLock({ $0 != nil }) else { return }
            try cluster.start(logger: logger)
        }
    }

    /// Leaves the folder; the last process that uses it stops the server (fast shutdown: open transactions roll back).
    ///
    /// Failure is logged, not thrown: at the end of a process there is nothing better to do. A second call does
    /// nothing.
    package func stop() async {
        await onThread { self.leave() }
    }

    private func leave() {
        guard let users = usersLock.withLock({ $0.take() }) else { return }
        defer { users.release() }
        do {
            // Nobody may start using the folder between our finding that we are the last and the server's end.
            let startLock = try FileLock.exclusive(cluster.folder.startLock, in: cluster.folder)
            defer { startLock.release() }
            guard users.makeExclusive() else {
                logger.debug("Embedded PostgreSQL left to its other users")
                return
            }
            try cluster.stop(logger: logger)
        } catch {
            logger.error("Embedded PostgreSQL could not be stopped", metadata: ["error": "\(error)"])
        }
    }

    /// Runs SQL through psql, outside a transaction, for administration and tests.
    ///
    /// - Returns: the rows, one a line, columns separated by `|`, without the last line's end.
    /// - Throws: ``EmbeddedServerError/queryFailed(errors:)``.
    package func query(_ sql: String, database: String = "census") async throws -> String {
        try await onThread { [cluster] in try cluster.query(sql, database: database) }
    }
}

private let queue = DispatchQueue(label: "widget-census.embedded-postgres", attributes: .concurrent)

/// Runs work that blocks (flock, waitpid) on a thread of its own: Swift's cooperative pool has one thread a core, and a
/// blocked one is lost to every other task.
func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Swift.Result(catching: work)) }
    }
}

/// Runs work that blocks and cannot fail on a thread of its own.
func onThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: work()) }
    }
}
