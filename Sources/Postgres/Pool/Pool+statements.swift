/// A deadline includes the wait for a connection.
extension Pool {
    /// Runs ``Connection/query(_:_:deadline:)`` on a connection of the pool.
    public func query(
        _ statement: Statement, _ parameters: [(any PostgresCodable)?] = [], deadline: Duration? = nil
    ) async throws(PostgresError) -> Rows {
        try await leased(statement.name, deadline) { connection, deadline throws(PostgresError) in
            try await connection.query(statement, parameters, deadline: deadline)
        }
    }

    /// Runs ``Connection/queryText(_:_:deadline:)`` on a connection of the pool.
    public func queryText(
        _ statement: Statement, _ parameters: [(any PostgresCodable)?] = [], deadline: Duration? = nil
    ) async throws(PostgresError) -> TextRows {
        try await leased(statement.name, deadline) { connection, deadline throws(PostgresError) in
            try await connection.queryText(statement, parameters, deadline: deadline)
        }
    }

    /// Runs ``Connection/execute(script:deadline:)`` on a connection of the pool.
    public func execute(script: Statement, deadline: Duration? = nil) async throws(PostgresError) {
        try await leased(script.name, deadline) { connection, deadline throws(PostgresError) in
            try await connection.execute(script: script, deadline: deadline)
        }
    }

    /// Runs ``Connection/copyIn(_:_:deadline:)`` on a connection of the pool.
    public func copyIn(
        _ statement: Statement, _ data: [CopyRows], deadline: Duration? = nil
    ) async throws(PostgresError) -> [ScriptResult] {
        try await leased(statement.name, deadline) { connection, deadline throws(PostgresError) in
            try await connection.copyIn(statement, data, deadline: deadline)
        }
    }

    private func leased<T: Sendable>(
        _ name: String, _ limit: Duration?, _ body: (Connection, Duration?) async throws(PostgresError) -> T
    ) async throws(PostgresError) -> T {
        let end = limit.map { ContinuousClock.now + $0 }
        let lease: PoolShell.Lease
        do throws(PostgresError) {
            lease = try await acquire(before: end)
        } catch {
            var error = error
            error.statement = name
            throw error
        }
        do throws(PostgresError) {
            let value = try await body(lease.connection, end.map { $0 - .now })
            await release(lease)
            return value
        } catch {
            await release(lease)
            throw error
        }
    }
}
