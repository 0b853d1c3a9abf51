/// An error of a statement or a connection. It says which statement failed, why, and whether a retry helps.
///
/// `description` is safe for any log, because it never contains a value. `debugDescription` has everything the server said, and
/// can quote rows and parameters.
public struct PostgresError: Error, Sendable {
    public enum Reason: Hashable, Sendable {
        /// The server reported an error with this code.
        case server(SQLState)
        case connectFailed
        /// The connection broke, or was closed by either side.
        case connectionLost
        /// The deadline of the statement or of the connection attempt passed.
        case deadlineExceeded
        /// The task was cancelled, or the pool shut down around it.
        case cancelled
        /// No connection became free in time, or too many callers are waiting.
        case poolExhausted
        case poolClosed
        /// A value did not have the expected type; see ``PostgresError/decodingError``.
        case decoding
        /// The transaction's body returned normally although one of its statements failed, so the server rolled it back.
        case transactionFailed
        /// The caller's mistake, such as a nested transaction.
        case wrongUse
        /// The configuration is unusable: a malformed connection string, a database with another encoding, or a pooler
        /// that shares sessions.
        case setUp
    }

    public var reason: Reason
    /// The name of the statement or transaction.
    public var statement: String?
    /// Whether the connection was lost while the server might have been committing.
    public var isOutcomeUnknown: Bool
    public var decodingError: PostgresDecodingError?
    /// A more specific sentence than the reason's, free of data.
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

    /// The server's code. Besides ``Reason/server(_:)``, a cancelled or timed-out statement has one if the server confirmed its
    /// end, and a failed connection if the server answered.
    public var sqlState: SQLState? {
        if case .server(let state) = reason { return state }
        return report?.state
    }

    /// The name of the violated constraint, if any.
    public var constraint: String? { report?.constraint }
}
