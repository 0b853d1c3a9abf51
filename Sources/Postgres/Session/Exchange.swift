/// A statement that was sent, and the state of its answer.
struct Exchange {
    let statement: Statement
    var watch: Watch
    /// Whether the server can commit something before it answers; false inside a transaction.
    let mayCommit: Bool
    /// Why we sent a cancel request; nil if we didn't.
    var reason: PostgresError.Reason?
    var cancel: CancelRequest?
    /// The first error the server sent.
    var report: ServerMessage?
    /// The error message if the statement does something that it must not do.
    var misuse: String?
    var hasCopied = false

    init(_ statement: Statement, _ watch: Watch, mayCommit: Bool) {
        self.statement = statement
        self.watch = watch
        self.mayCommit = mayCommit
    }

    /// The error to throw after the server has answered everything; nil on success.
    ///
    /// - Parameter isLost: whether the connection broke.
    func failure(isLost: Bool) -> PostgresError? {
        if let misuse { return PostgresError(.wrongUse, statement: statement.name, explanation: misuse) }
        guard isLost || report != nil else { return nil }
        let state = report?.state
        var error = PostgresError(state.map { .server($0) } ?? .connectionLost, statement: statement.name)
        // If another error came before the cancel request took effect, that error counts.
        if let reason, isLost || state == .queryCanceled { error.reason = reason }
        error.isOutcomeUnknown = isLost && mayCommit
        error.report = report
        return error
    }

    /// The error if the server didn't even answer a cancel request in time.
    var unanswered: PostgresError {
        PostgresError(reason ?? .deadlineExceeded, statement: statement.name, isOutcomeUnknown: mayCommit)
    }
}
