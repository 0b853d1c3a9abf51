public import Logging
internal import Synchronization

/// Connections to one server, opened on demand, lent to one caller at a time, and replaced when they break.
///
/// Callers are served first come, first served. A session's state outlasts its caller, who must undo its own `SET` and session
/// locks. A transaction left open is rolled back.
///
/// A pool needs no start. When it is released it closes its connections; ``shutdown(grace:)`` also waits for them.
public final class Pool: Sendable {
    public let configuration: ConnectionConfiguration
    public let limits: Limits
    let logger: Logger
    private let shell: Mutex<PoolShell>

    public init(_ configuration: ConnectionConfiguration, limits: Limits = Limits(), logger: Logger) {
        self.configuration = configuration
        self.limits = limits
        self.logger = logger
        shell = Mutex(PoolShell(limits: limits))
    }

    /// Runs the body with exclusive use of a connection. The body must not ask the pool for a second one, because many such
    /// bodies at once would wait for each other until their deadlines.
    ///
    /// - Parameter end: when to stop waiting for a connection, if earlier than the pool's limit.
    /// - Throws: the body's error, or ``PostgresError``.
    public nonisolated(nonsending) func withConnection<T>(
        before end: ContinuousClock.Instant? = nil, _ body: nonisolated(nonsending) (Connection) async throws -> T
    ) async throws -> T {
        let lease = try await acquire(before: end)
        do {
            let value = try await body(lease.connection)
            await release(lease)
            return value
        } catch {
            await release(lease)
            throw error
        }
    }

    public var statistics: Statistics { shell.withLock { $0.statistics } }

    /// Refuses new and waiting callers, lets the others finish, and closes all connections.
    ///
    /// - Parameter grace: how long to wait before cancelling the statements still running, and returning.
    public func shutdown(grace: Duration = .seconds(10)) async {
        await withCheckedContinuation { continuation in
            let effects = shell.withLock { shell in
                shell.awaitShutdown(continuation)
                return shell.apply { $0.shutDown(graceEnds: .now + grace) }
            }
            perform(effects)
        }
    }
}

extension Pool {
    /// - Parameter end: when the caller gives up, if earlier than the pool's limit.
    /// - Returns: a connection that worked a moment ago. Give it back with ``release(_:)``.
    func acquire(before end: ContinuousClock.Instant? = nil) async throws(PostgresError) -> PoolShell.Lease {
        let limit = ContinuousClock.now + limits.acquireDeadline
        let deadline = end.map { min($0, limit) } ?? limit
        var isReturning = false
        while true {
            let lease = try await nextLease(deadline, isReturning)
            if !lease.connection.hasNews { return lease }
            if await lease.connection.checkIdle() { return lease }
            transition { $0.release(lease.id, .lost, at: .now) }
            isReturning = true
        }
    }

    func release(_ lease: PoolShell.Lease) async {
        var condition = lease.connection.lastCondition
        if condition == .inTransaction { condition = await lease.connection.restore() }
        transition { $0.release(lease.id, condition, at: .now) }
    }

    private func nextLease(_ deadline: ContinuousClock.Instant, _ isReturning: Bool) async throws(PostgresError)
        -> PoolShell.Lease
    {
        let waiter = shell.withLock { $0.nextWaiter() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let effects = shell.withLock { shell in
                    shell.awaitLease(waiter, continuation)
                    return shell.apply { state in
                        // A cancellation before this point found no waiter; one after it will.
                        let actions = state.acquire(waiter, deadline: deadline, isReturning: isReturning)
                        return Task.isCancelled ? actions + state.cancel(waiter) : actions
                    }
                }
                perform(effects)
            }
        } onCancel: {
            transition { $0.cancel(waiter) }
        }
        return try result.get()
    }

    private func transition(_ change: (inout PoolState) -> [PoolState.Action]) {
        perform(shell.withLock { $0.apply(change) })
    }

    /// Performs effects, outside the lock.
    private func perform(_ effects: [PoolShell.Effect]) {
        for effect in effects {
            switch effect {
            case .open(let id): open(id)
            case .answer(let continuation, let result): continuation.resume(returning: result)
            case .close(let id, let connection): close(id, connection)
            case .interrupt(let connection): connection.interrupt()
            case .finishShutdown(let continuations): continuations.forEach { $0.resume() }
            case .wake(let deadline): wake(at: deadline)
            }
        }
    }

    /// Opens a connection in its own task, because the caller that needed it can be cancelled and another one served.
    private func open(_ id: PoolState.ConnectionID) {
        Task { [weak self, configuration, logger] in
            do throws(PostgresError) {
                let connection = try await Connection.open(configuration, logger: logger)
                self?.perform(self?.shell.withLock { $0.opened(id, connection) } ?? [])
            } catch {
                logger.debug("postgres connection failed", metadata: ["error": "\(error)"])
                self?.perform(self?.shell.withLock { $0.openFailed(id, error) } ?? [])
            }
        }
    }

    private func close(_ id: PoolState.ConnectionID, _ connection: Connection) {
        Task { [weak self] in
            await connection.close()
            self?.transition { $0.closed(id) }
        }
    }

    private func wake(at deadline: ContinuousClock.Instant) {
        let timer = Task { [weak self] in
            try await Task.sleep(until: deadline, clock: .continuous)
            self?.perform(self?.shell.withLock { $0.timerFired(deadline) } ?? [])
        }
        shell.withLock { $0.keep(timer, for: deadline) }
    }
}

extension Pool {
    /// How many connections to open, and how long to wait for one.
    public struct Limits: Sendable, Hashable {
        /// Includes connections being opened or closed. Keep the sum over all processes below `max_connections`.
        public var maximumConnections: Int
        /// How long a caller waits for a connection, whether a free or a new one.
        public var acquireDeadline: Duration
        /// How long a connection can be idle before the pool closes it.
        public var idleTimeout: Duration
        /// Callers beyond this number are refused at once, because they would wait until their deadline anyway.
        public var maximumWaiters: Int

        public init(
            maximumConnections: Int = 8, acquireDeadline: Duration = .seconds(5), idleTimeout: Duration = .seconds(60),
            maximumWaiters: Int = 1024
        ) {
            self.maximumConnections = max(maximumConnections, 1)
            self.acquireDeadline = acquireDeadline
            self.idleTimeout = idleTimeout
            self.maximumWaiters = max(maximumWaiters, 0)
        }
    }
}

extension Pool {
    /// A snapshot of the pool's state.
    public struct Statistics: Sendable, Hashable {
        public var idle: Int
        public var busy: Int
        /// Being opened.
        public var opening: Int
        /// Callers without a connection.
        public var waiting: Int
        public var maximum: Int
        /// Since the pool was created: connections opened, failed attempts to open one, and callers that got none.
        public var opened: Int
        public var openFailures: Int
        public var refused: Int
    }
}
