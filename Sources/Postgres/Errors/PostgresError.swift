/// What went wrong with a statement or a connection, whether trying again helps, and which statement it was.
///
/// `description` is safe for any log: it never carries a value. `debugDescription` is all that the server said, which may
/// quote rows and parameters.
public struct PostgresError: Error, Sendable {
    public enum Reason: Hashable, Sendable {
        /// The server refused, with this code.
        case server(SQLState)
        case connectFailed
        /// The connection broke, or was closed by either side.
        case connectionLost
        /// The deadline of the statement or of the connection attempt passed.
        case deadlineExceeded
        /// The task was cancelled, or the pool shut down around it.
        case cancelled
        /// No connection became free in time, or too many callers wait already.
        case poolExhausted
        case poolClosed
        /// A value was not of the type asked for; see ``PostgresError/decodingError``.
        case decoding
        /// The transaction's body returned normally, but one of its statements had failed: the server rolled it back.
        case transactionFailed
        /// The caller's mistake, such as a nested transaction.
        case wrongUse
        /// Somebody's set-up is unusable: a malformed connection string, a database with another encoding, a pooler
        /// that shares sessions.
        case setUp
    }

    public var reason: Reason
    /// The name of the statement or transaction.
    public var statement: String?
    /// Set when the connection was lost while the server may have been committing.
    public var isOutcomeUnknown: Bool
    public var decodingError: PostgresDecodingError?
    /// A safe sentence about this case, where the reason says too little.
    var explanation: String?
    var report: ServerMessage?

    public init(_ reason: Reason, statement: String? = nil, isOutcomeUnknown: Bool = false) {
        self.reason = reason
        self.statement = statement
        self.isOutcomeUnknown = isOutcomeUnknown
    }

    init(_ reason: Reason, statement: String?, explanation: String) {
        self.init(reason, statement: statement)
        self.explanation = explanation
    }

    init(_ decodingError: PostgresDecodingError, statement: String?) {
        self.init(.decoding, statement: statement)
        self.decodingError = decodingError
    }

    /// The server's code. Besides ``Reason/server(_:)`` a cancelled or overdue statement has one when the server confirmed
    /// its end, and a failed connection when the server answered at all.
    public var sqlState: SQLState? {
        if case .server(let state) = reason { return state }
        return report?.state
    }

    /// The name of the constraint, where one was violated.
    public var constraint: String? { report?.constraint }
}
