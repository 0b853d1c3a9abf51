internal import CLibPQ
internal import Logging

/// One libpq connection in non-blocking mode. Its methods block the calling thread, each no longer than its ``Watch``.
final class Session {
    /// Whether more statements can be sent.
    enum Fate {
        case sound
        /// The connection broke.
        case lost
        /// The server did not answer in time, not even a cancel request, so other connections to it may be dead as well.
        case unanswered
    }

    let connection: OpaquePointer
    let wakeUp: WakeUp
    let logger: Logger
    /// How long to wait for the answer to a cancel request.
    let cancelGrace: Duration
    private let notices: NoticeLog
    var fate = Fate.sound
    /// The server's process that runs our statements.
    var serverProcess: Int32
    var prepared: StatementCache

    /// - Parameters:
    ///   - connection: a connection whose handshake is done; owned from here on.
    ///   - notices: what listens to it.
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
        // In non-blocking mode this waits for nothing.
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

    /// Reads what arrived unasked: a server that shuts down says so and then closes.
    ///
    /// - Returns: whether the connection still stands.
    func checkIdle() -> Bool {
        // The message arrives first, and the end only after it.
        while fate == .sound, SocketWait.hasNews(socket) {
            let isStanding = PQconsumeInput(connection) == 1
            // Makes libpq work through the messages.
            _ = PQisBusy(connection)
            if !isStanding || PQstatus(connection) != CONNECTION_OK || notices.hasGoodbye { fate = .lost }
        }
        return fate == .sound
    }

    /// The error for a statement that could not even be given to libpq: nothing was sent.
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
