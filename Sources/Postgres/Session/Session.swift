internal import CLibPQ
internal import Logging

/// One libpq connection in non-blocking mode. Its methods block the calling thread, at most as long as their ``Watch``.
final class Session {
    /// Whether the connection can still be used.
    enum Fate {
        case sound
        /// The connection broke.
        case lost
        /// The server didn't even answer a cancel request in time, so other connections to it might be dead, too.
        case unanswered
    }

    let connection: OpaquePointer
    let wakeUp: WakeUp
    let logger: Logger
    /// How long to wait for the answer to a cancel request.
    let cancelGrace: Duration
    private let notices: NoticeLog
    var fate = Fate.sound
    /// The server process that runs our statements.
    var serverProcess: Int32
    var prepared: StatementCache

    /// - Parameters:
    ///   - connection: a connection after its handshake. The session owns it from now on.
    ///   - notices: the listener for the connection's notices.
    init(
        _ connection: OpaquePointer, _ configuration: ConnectionConfiguration, _ notices: NoticeLog, wakeUp: WakeUp,
        logger: Logger
    ) {
        self.connection = connection
        self.wakeUp = wakeUp
        self.logger = logger
        cancelGrace = configuration.cancelGrace
        serverProcess = PQbackendPID(connection)
        prepared = StatementCache(capacity: configuration.preparedStatements)
        self.notices = notices
        PQsetnonblocking(connection, 1)
    }

    deinit {
        // In non-blocking mode this doesn't wait.
        PQfinish(connection)
    }

    var socket: Int32 { PQsocket(connection) }

    enum TransactionStatus {
        case none, open, failed
    }

    var transactionStatus: TransactionStatus {
        switch PQtransactionStatus(connection) {
        case PQTRANS_INTRANS, PQTRANS_ACTIVE: .open
        case PQTRANS_INERROR: .failed
        default: .none
        }
    }

    /// Reads messages that arrived unasked. A server that shuts down announces it and then disconnects.
    ///
    /// - Returns: whether the connection still works.
    func checkIdle() -> Bool {
        // The message arrives before the disconnection.
        while fate == .sound, SocketWait.hasNews(socket) {
            let isStanding = PQconsumeInput(connection) == 1
            // Makes libpq process the messages.
            _ = PQisBusy(connection)
            if !isStanding || PQstatus(connection) != CONNECTION_OK || notices.hasGoodbye { fate = .lost }
        }
        return fate == .sound
    }

    /// The error for a statement that libpq refused, so that nothing was sent.
    func refusal(_ statement: Statement) -> PostgresError {
        if PQstatus(connection) != CONNECTION_OK {
            fate = .lost
            return PostgresError(.connectionLost, statement: statement.name)
        }
        let message = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        var error = PostgresError(.wrongUse, statement: statement.name, explanation: "libpq refused the statement")
        error.report = ServerMessage(message: message, state: nil)
        return error
    }
}
