public import Logging
internal import Synchronization

/// One connection to a PostgreSQL server.
///
/// It has its own thread, so that waiting for the server doesn't block other tasks. Statements of several tasks run one after
/// another, in no guaranteed order. A transaction needs exclusive use of the connection, which ``Pool`` gives.
///
/// The parameters and results of a statement are in PostgreSQL's binary format; see ``PostgresCodable``.
///
/// Cancelling a task cancels its statement on the server, too. Every wait has a deadline. A broken connection stays broken:
/// open another.
public actor Connection {
    let configuration: ConnectionConfiguration
    private let logger: Logger
    private let wakeUp: WakeUp
    private let thread = ConnectionThread()
    private var session: Session?
    /// State that the pool reads without waiting for the thread.
    private let state = Mutex(SharedState())

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private init(_ configuration: ConnectionConfiguration, logger: Logger) throws(PostgresError) {
        guard let wakeUp = WakeUp() else {
            throw PostgresError(.connectFailed, statement: nil, explanation: "no file descriptor left")
        }
        self.configuration = configuration
        self.logger = logger
        self.wakeUp = wakeUp
        guard thread.start() else {
            throw PostgresError(.connectFailed, statement: nil, explanation: "no thread left")
        }
    }

    deinit { thread.retire() }

    /// Connects, within the configuration's `connectTimeout`.
    ///
    /// - Throws: ``PostgresError/Reason/connectFailed``, with a ``PostgresError/sqlState`` if the server answered.
    public static func open(
        _ configuration: ConnectionConfiguration, logger: Logger
    ) async throws(PostgresError) -> Connection {
        let connection = try Connection(configuration, logger: logger)
        let interruption = Interruption(connection.wakeUp)
        let handshake = FirstResult<Void>()
        // In its own task, because looking up a host name can hang beyond any deadline; then we abandon it.
        Task { handshake.finish(await connection.connect(interruption)) }
        let timer = Task {
            try await Task.sleep(for: configuration.connectTimeout + .milliseconds(250))
            handshake.finish(.failure(Session.connectTimeout))
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await handshake.value
        } onCancel: {
            interruption.request()
            handshake.finish(.failure(PostgresError(.cancelled)))
        }
        try result.get()
        return connection
    }

    private func connect(_ interruption: Interruption) -> Result<Void, PostgresError> {
        Result { () throws(PostgresError) in
            let watch = Watch(configuration.connectTimeout, interruption)
            session = try Session.connect(configuration, watch, wakeUp: wakeUp, logger: logger)
            publishState()
        }
    }

    /// Runs work on the session, and interrupts it if the task is cancelled.
    func perform<T>(
        _ name: String, _ deadline: Duration?, _ work: (Session, Watch) throws(PostgresError) -> T
    ) async throws(PostgresError) -> T {
        guard let session, session.fate == .sound else { throw PostgresError(.connectionLost, statement: name) }
        let interruption = Interruption(wakeUp)
        guard state.withLock({ $0.begin(interruption) }) else { throw PostgresError(.cancelled, statement: name) }
        let watch = Watch(deadline ?? configuration.statementDeadline, interruption)
        let result = await withTaskCancellationHandler {
            // Calls a method of the actor, because a closure that doesn't capture `self` would run on the shared threads.
            outcome(of: work, session, watch)
        } onCancel: {
            interruption.request()
        }
        return try result.get()
    }

    private func outcome<T>(
        of work: (Session, Watch) throws(PostgresError) -> T, _ session: Session, _ watch: Watch
    ) -> Result<T, PostgresError> {
        defer { publishState() }
        return Result { () throws(PostgresError) in try work(session, watch) }
    }

    /// Runs work that must complete even if the task is cancelled.
    func performUncancelled<T>(_ work: (Session) throws(PostgresError) -> T) throws(PostgresError) -> T {
        guard let session else { throw PostgresError(.connectionLost) }
        defer { publishState() }
        return try work(session)
    }

    /// Runs work that must complete even if the task is cancelled, but only within the grace.
    func performWithGrace<T>(
        _ grace: Duration, _ deadline: Duration?, _ work: (Session, Watch) throws(PostgresError) -> T
    ) async throws(PostgresError) -> T {
        guard let session else { throw PostgresError(.connectionLost) }
        let interruption = Interruption(wakeUp)
        let limit = min(deadline.map { $0 + grace } ?? configuration.statementDeadline, configuration.statementDeadline)
        let watch = Watch(limit, interruption, grace: grace)
        let result = await withTaskCancellationHandler {
            outcome(of: work, session, watch)
        } onCancel: {
            interruption.request()
        }
        return try result.get()
    }

    /// Closes the connection and ends its thread. A second call does nothing.
    public func close() {
        session = nil
        publishState()
        thread.retire()
    }

    /// Whether it is open and worked when last used.
    public var isUsable: Bool { session?.fate == .sound }

    /// Whether there is a pooler between us and the server; known only for connections with settings.
    var isPooled: Bool { session?.isPooled == true }

    private func publishState() {
        let condition = condition
        let socket = session?.socket ?? -1
        state.withLock { $0.end(condition, socket) }
    }

    private var condition: Condition {
        guard let session else { return .lost }
        switch session.fate {
        case .sound: return session.transactionStatus == .none ? .clean : .inTransaction
        case .lost: return .lost
        case .unanswered: return .unanswered
        }
    }
}

extension Connection {
    /// Ends the running statement, and refuses all further ones.
    nonisolated func interrupt() {
        state.withLock { $0.interrupt() }
    }

    /// The condition after the last statement.
    nonisolated var lastCondition: Condition { state.withLock { $0.condition } }

    /// Whether an idle connection has something to read. A server that sends something unasked is usually about to disconnect.
    nonisolated var hasNews: Bool { SocketWait.hasNews(state.withLock { $0.socket }) }
}
