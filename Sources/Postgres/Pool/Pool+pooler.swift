extension Pool {
    /// Makes sure that sessions are ours alone, where a pooler such as pgbouncer stands in between.
    ///
    /// It tells nobody how it pools. But one that takes a session away between two transactions gives it to the next who
    /// asks, and then two connections of ours are served by one process of the server, or one by two.
    ///
    /// - Throws: ``PostgresError/Kind/setUp`` when they are not.
    public func requireOwnSessions() async throws(PostgresError) {
        let first = try await Connection.open(configuration, logger: logger)
        defer { Task { await first.close() } }
        guard await first.isPooled else { return }
        let second = try await Connection.open(configuration, logger: logger)
        defer { Task { await second.close() } }
        // A pooler that is busy may give another of the server's processes to the second one.
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
            // pgbouncer's words where it pools by statement.
            guard error.report?.message.contains("transaction blocks not allowed") == true else { throw error }
            throw PostgresError(.setUp, statement: nil, explanation: PostgresError.sharedSessions)
        } catch {
            throw PostgresError(.wrongUse)
        }
    }
}

extension Connection {
    /// Not prepared: such a pooler does not know the statement any more.
    fileprivate func process() async throws(PostgresError) -> Int32 {
        let answer = try await queryText(Statement("session process", "select pg_catalog.pg_backend_pid()"))
        return answer.rows.first?[0].flatMap { Int32($0) } ?? 0
    }
}
