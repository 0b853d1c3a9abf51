extension Connection {
    /// Runs the body between BEGIN and COMMIT; when it throws, or the task is cancelled, everything is rolled back.
    ///
    /// COMMIT itself is not cancelled, but a cancelled task waits for it no longer than the configuration's `commitGrace`. If
    /// that passes, or the connection breaks during it, the error's advice is ``PostgresError/Advice/retryOutcomeUnknown``.
    ///
    /// - Parameters:
    ///   - name: what errors and logs call the transaction.
    ///   - deadline: for all of it; the body limits its own statements. COMMIT is not cancelled then either, but gets its grace.
    ///   - body: uses the connection it is given, which no other task may use meanwhile. Transactions do not nest.
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
                throw PostgresError(.wrongUse, statement: name, explanation: "a transaction is open already")
            }
            try session.command(text, name, watch)
        }
    }

    private func commit(_ name: String, _ deadline: Duration?) async throws(PostgresError) {
        let tag = try await performWithGrace(configuration.commitGrace, deadline) {
            session, watch throws(PostgresError) in
            guard session.transactionStatus != .none else {
                // The body ended it, or the connection broke: either way it is not ours to commit.
                let reason: PostgresError.Reason = session.fate == .sound ? .wrongUse : .connectionLost
                throw PostgresError(reason, statement: name)
            }
            return try session.command("commit", name, watch, mayCommit: true)
        }
        // To COMMIT a failed transaction PostgreSQL answers ROLLBACK, without an error.
        if tag != "COMMIT" { throw PostgresError(.transactionFailed, statement: name) }
    }

    private func rollBack(_ name: String) {
        try? performUncancelled { session throws(PostgresError) in session.rollBackIfOpen(name) }
    }

    /// Makes the connection fit for the next user.
    ///
    /// - Returns: its condition, never ``Condition/inTransaction``.
    func restore() -> Condition {
        rollBack("rollback of an abandoned transaction")
        return lastCondition
    }

    /// Reads what the server sent meanwhile.
    ///
    /// - Returns: whether the connection still stands.
    func checkIdle() -> Bool {
        (try? performUncancelled { session throws(PostgresError) in session.checkIdle() }) ?? false
    }
}

/// How much a transaction sees of others that commit while it runs (PostgreSQL manual, 13.2).
public enum Isolation: String, Sendable, CaseIterable {
    case readCommitted = "read committed"
    case repeatableRead = "repeatable read"
    case serializable
}
