extension Connection {
    /// Runs the body between BEGIN and COMMIT. If it throws, or the task is cancelled, everything is rolled back.
    ///
    /// COMMIT itself is not cancelled, but a cancelled task waits for it no longer than the configuration's `commitGrace`. If
    /// that passes, or the connection breaks during it, the error's advice is ``PostgresError/Advice/retryOutcomeUnknown``.
    ///
    /// - Parameters:
    ///   - name: the transaction's name in errors and logs.
    ///   - deadline: for the whole transaction; the body limits its own statements. After it, COMMIT still gets its grace.
    ///   - body: uses the given connection, which no other task may use meanwhile. Transactions don't nest.
    /// - Throws: what the body throws, or ``PostgresError``; ``PostgresError/Reason/transactionFailed`` if the body
    ///   swallowed the error of one of its statements.
    public nonisolated(nonsending) func transaction<T>(
        _ name: String, isolation: Isolation = .readCommitted, readOnly: Bool = false, deadline: Duration? = nil,
        _ body: nonisolated(nonsending) (Connection) async throws -> T
    ) async throws -> T {
        let end = deadline.map { ContinuousClock.now + $0 }
        try await begin(name, "begin isolation level \(isolation.rawValue)\(readOnly ? " read only" : "")", deadline)
        let value: T
        do {
            value = try await body(self)
            if Task.isCancelled { throw PostgresError(.cancelled, statement: name) }
        } catch {
            await rollBack(name)
            throw error
        }
        try await commit(name, end.map { $0 - .now })
        return value
    }

    private func begin(_ name: String, _ text: String, _ deadline: Duration?) async throws(PostgresError) {
        try await perform(name, deadline) { session, watch throws(PostgresError) in
            guard session.transactionStatus == .none else {
                throw PostgresError(.wrongUse, statement: name, explanation: "a transaction is already open")
            }
            try session.command(text, name, watch)
        }
    }

    private func commit(_ name: String, _ deadline: Duration?) async throws(PostgresError) {
        let tag = try await performWithGrace(configuration.commitGrace, deadline) {
            session, watch throws(PostgresError) in
            guard session.transactionStatus != .none else {
                // The body ended the transaction, or the connection broke. Either way there is nothing to commit.
                let reason: PostgresError.Reason = session.fate == .sound ? .wrongUse : .connectionLost
                throw PostgresError(reason, statement: name)
            }
            return try session.command("commit", name, watch, mayCommit: true)
        }
        // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK, not with an error.
        if tag != "COMMIT" { throw PostgresError(.transactionFailed, statement: name) }
    }

    private func rollBack(_ name: String) {
        try? performUncancelled { session throws(PostgresError) in session.rollBackIfOpen(name) }
    }

    /// Prepares the connection for its next user.
    ///
    /// - Returns: its condition, never ``Condition/inTransaction``.
    func restore() -> Condition {
        rollBack("rollback of an abandoned transaction")
        return lastCondition
    }

    /// Reads what the server has sent while the connection was idle.
    ///
    /// - Returns: whether the connection still works.
    func checkIdle() -> Bool {
        (try? performUncancelled { session throws(PostgresError) in session.checkIdle() }) ?? false
    }
}

/// What a transaction sees of others that commit while it runs (PostgreSQL manual, 13.2).
public enum Isolation: String, Sendable, CaseIterable {
    case readCommitted = "read committed"
    case repeatableRead = "repeatable read"
    case serializable
}
