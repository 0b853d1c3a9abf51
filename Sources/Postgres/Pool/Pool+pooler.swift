extension Pool {
    /// Checks that each connection has a session of its own, even behind a pooler like pgbouncer.
    ///
    /// A pooler doesn't tell how it pools. But if it reassigns sessions between transactions, one server process serves two of
    /// our connections, or two processes serve one connection.
    ///
    /// - Throws: ``PostgresError/Reason/setUp`` if connections share sessions.
    public func requireOwnSessions() async throws(PostgresError) {
        let first = try await Connection.open(configuration, logger: logger)
        defer { Task { await first.close() } }
        guard await first.isPooled else { return }
        let second = try await Connection.open(configuration, logger: logger)
        defer { Task { await second.close() } }
        // Several attempts, because a busy pooler might happen to give the second connection another server process.
        for _ in 0..<3 {
            let before = try await first.process()
            let (others, ours) = try await Self.processes(ofTransactionOn: second, beside: first)
            guard others != before, others != ours, ours == before else {
                throw PostgresError(.setUp, statement: nil, explanation: PostgresError.sharedSessions)
            }
        }
    }

    private static func processes(
        ofTransactionOn second: Connection, beside first: Connection
    ) async throws(PostgresError) -> (Int32, Int32) {
        do {
            return try await second.transaction("session check", readOnly: true) { second in
                (try await second.process(), try await first.process())
            }
        } catch let error as PostgresError {
            // pgbouncer's message if it pools by statement.
            guard error.report?.message.contains("transaction blocks not allowed") == true else { throw error }
            throw PostgresError(.setUp, statement: nil, explanation: PostgresError.sharedSessions)
        } catch {
            throw PostgresError(.wrongUse)
        }
    }
}

extension Connection {
    /// Not prepared, because behind such a pooler the prepared statement might not exist later.
    fileprivate func process() async throws(PostgresError) -> Int32 {
        let answer = try await queryText(Statement("session process", "select pg_catalog.pg_backend_pid()"))
        return answer.rows.first?[0].flatMap { Int32($0) } ?? 0
    }
}
