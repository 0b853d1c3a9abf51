import Dispatch
package import Logging
import Synchronization

/// A private PostgreSQL in a data folder, which listens on a unix socket only.
///
/// Several processes can use one folder at once. Each holds a shared lock on `users.lock` meanwhile. The one that can make its
/// lock exclusive is the last, and stops the server. The kernel drops the locks of a process that dies, and the next process
/// uses the server that it left running.
///
/// If this object is released without ``stop()``, the server keeps running, as when the process dies.
package final class EmbeddedServer: Sendable {
    static let database = "census"
    static let user = "census"

    /// The libpq keyword string for the database `census`, e.g. `host='/var/lib/widget-census/run' port=5432 …`.
    package let connectionString: String

    private let cluster: Cluster
    private let logger: Logger
    private let usersLock: Mutex<FileLock?>

    /// Starts the folder's server, or uses the one that runs. If they are missing and the configuration allows it, creates
    /// cluster and database.
    ///
    /// Takes about a second the first time, and longer while PostgreSQL recovers from a crash.
    ///
    /// - Throws: ``EmbeddedServerError``, which says what to do. No server is left running then, unless others use it.
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

    /// Returns the libpq keyword string for another database on this server, which need not exist.
    package func connectionString(database: String) -> String {
        cluster.folder.connectionString(database: database)
    }

    /// Starts the server again after it has died, like ``start(_:logger:)``. Does nothing while it answers, and after
    /// ``stop()``.
    package func revive() async throws {
        try await onThread { [self] in
            let startLock = try FileLock.exclusive(cluster.folder.startLock, in: cluster.folder)
            defer { startLock.release() }
            guard usersLock.withLock({ $0 != nil }) else { return }
            try cluster.start(logger: logger)
        }
    }

    /// Stops using the folder. The last process that uses it stops the server (fast shutdown: open transactions roll back).
    ///
    /// It logs a failure and doesn't throw, because a process that ends can't do more. A second call does nothing.
    package func stop() async {
        await onThread { self.leave() }
    }

    private func leave() {
        guard let users = usersLock.withLock({ $0.take() }) else { return }
        defer { users.release() }
        do {
            // Between the check that we are the last and the server's end, no other process must start using the folder.
            let startLock = try FileLock.exclusive(cluster.folder.startLock, in: cluster.folder)
            defer { startLock.release() }
            guard users.makeExclusive() else {
                logger.debug("other processes still use the private PostgreSQL; leaving it running")
                return
            }
            try cluster.stop(logger: logger)
        } catch {
            logger.error("the private PostgreSQL could not be stopped", metadata: ["error": "\(error)"])
        }
    }

    /// Runs SQL through psql, outside a transaction, for administration and tests.
    ///
    /// - Returns: the rows, one per line, with columns separated by `|`, without the last line end.
    /// - Throws: ``EmbeddedServerError/queryFailed(errors:)``.
    package func query(_ sql: String, database: String = "census") async throws -> String {
        try await onThread { [cluster] in try cluster.query(sql, database: database) }
    }
}

private let queue = DispatchQueue(label: "widget-census.embedded-postgres", attributes: .concurrent)

/// Runs work that blocks (flock, waitpid) on its own thread. Swift's cooperative pool has one thread per core, and a blocked
/// one is lost to all other tasks.
func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Swift.Result(catching: work)) }
    }
}

/// Runs work that blocks and can't fail on its own thread.
func onThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: work()) }
    }
}
