/// One statement sent, and what is known about its answer so far.
struct Exchange {
    let statement: Statement
    var watch: Watch
    /// Whether the server may commit something before it answers; false inside a transaction.
    let mayCommit: Bool
    /// Why the server was asked to cancel, if it was.
    var reason: PostgresError.Reason?
    var cancel: CancelRequest?
    /// The first error the server sent.
    var report: ServerMessage?
    /// Something that the statement does but must not do; it is ended with an error.
    var misuse: String?
    var hasCopied = false

    init(_ statement: Statement, _ watch: Watch, mayCommit: Bool) {
        self.statement = statement
        self.watch = watch
        self.mayCommit = mayCommit
    }

    /// The error to throw once the server has answered everything; nil after success.
    ///
    /// - Parameter isLost: whether the connection broke.
    func failure(isLost: Bool) -> PostgresError? {
        if let misuse { return PostgresError(.wrongUse, statement: statement.name, explanation: misuse) }
        guard isLost || report != nil else { return nil }
        let state = report?.state
        var error = PostgresError(state.map { .server($0) } ?? .connectionLost, statement: statement.name)
        // A cancel request that lost the race against another error changes nothing about it.
        if let reason, isLost || state == .queryCanceled { error.reason = reason }
        error.isOutcomeUnknown = isLost && mayCommit
        error.report = report
        return error
    }

    /// The error when not even a cancel request was answered in time.
    var unanswered: PostgresError {
        PostgresError(reason ?? .deadlineExceeded, statement: statement.name, isOutcomeUnknown: mayCommit)
    }
}
