import Postgres
import PostgresTesting
import Testing

@Suite struct `Cancellation` {
    /// The number of statements with this comment that run on the server.
    private func running(_ mark: String) async throws -> Int {
        let connection = try await TestDatabase.shared.value.connect()
        let text =
            "select count(*) from pg_stat_activity where state = 'active' and query like '%' || $1 and pid <> pg_backend_pid()"
        let count = try await connection.value(Int.self, text, [mark])
        await connection.close()
        return count
    }

    @Test func `a cancelled task ends its statement on the server`() async throws {
        try await TestDatabase.withConnection { connection in
            let task = Task { try await connection.query(Statement("sleep", "select pg_sleep(60) -- cancel me")) }
            #expect(try await eventually { try await running("-- cancel me") == 1 })
            let start = ContinuousClock.now
            task.cancel()
            let error = try await postgresError { _ = try await task.value }
            #expect(ContinuousClock.now - start < .seconds(30))
            #expect(error.reason == .cancelled)
            #expect(error.sqlState == .queryCanceled)
            #expect(error.advice == .doNotRetry)
            #expect(try await running("-- cancel me") == 0)
            #expect(try await connection.value(Int.self, "select 1") == 1)
        }
    }

    @Test func `a task cancelled before its statement sends nothing`() async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.execute(script: Statement("setup", "create temp table t ()"))
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await connection.query(Statement("insert", "insert into t default values"))
            }
            #expect(try await postgresError { try await task.value }.reason == .cancelled)
            #expect(try await connection.value(Int.self, "select count(*) from t") == 0)
        }
    }

    @Test func `a late cancel never hits the next statement`() async throws {
        try await TestDatabase.withConnection { connection in
            for round in 0..<60 {
                let task = Task { try await connection.query(Statement("short", "select pg_sleep(0.003)")) }
                try await Task.sleep(for: .microseconds(50 * round))
                task.cancel()
                if case .failure(let error) = await task.result {
                    #expect((error as? PostgresError)?.reason == .cancelled)
                }
                #expect(try await connection.value(Int.self, "select $1", [round]) == round)
            }
        }
    }

    @Test func `a cancelled task stops opening its connection`() async throws {
        let listener = try SilentListener()
        let configuration = ConnectionConfiguration(connectionString: "host=127.0.0.1 port=\(listener.port) dbname=x")
        let task = Task { try await Connection.open(configuration, logger: .quiet) }
        try await Task.sleep(for: .milliseconds(100))
        let start = ContinuousClock.now
        task.cancel()
        #expect(try await postgresError { _ = try await task.value }.reason == .cancelled)
        #expect(ContinuousClock.now - start < .milliseconds(2_500))
    }
}
