import Postgres
import PostgresTesting
import Testing

@Suite struct `Transaction` {
    private struct Stop: Error {}

    private func withTable(_ body: (Connection) async throws -> Void) async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.execute(script: Statement("setup", "create temp table t (id int4 primary key)"))
            try await body(connection)
        }
    }

    private let insert = Statement("insert", "insert into t values ($1)")
    private let count = "select count(*) from t"

    @Test func `a transaction's changes are visible after its commit`() async throws {
        try await withTable { connection in
            let affected = try await connection.transaction("add") { connection in
                try await connection.query(insert, [1]).affected
            }
            #expect(affected == 1)
            #expect(try await connection.value(Int.self, count) == 1)
        }
    }

    @Test func `a body that throws rolls everything back`() async throws {
        try await withTable { connection throws in
            await #expect(throws: Stop.self) {
                try await connection.transaction("add") { connection in
                    _ = try await connection.query(insert, [1])
                    throw Stop()
                }
            }
            #expect(try await connection.value(Int.self, count) == 0)
        }
    }

    @Test func `a swallowed error fails the commit`() async throws {
        try await withTable { connection in
            let error = try await postgresError {
                try await connection.transaction("add") { connection in
                    _ = try await connection.query(insert, [1])
                    _ = try? await connection.query(insert, [1])
                }
            }
            #expect(error.reason == .transactionFailed)
            #expect(try await connection.value(Int.self, count) == 0)
        }
    }

    @Test func `a nested transaction is a usage error, and the outer one commits`() async throws {
        try await withTable { connection in
            try await connection.transaction("outer") { connection in
                let error = try await postgresError { try await connection.transaction("inner") { _ in } }
                #expect(error.reason == .wrongUse)
                _ = try await connection.query(insert, [1])
            }
            #expect(try await connection.value(Int.self, count) == 1)
        }
    }

    @Test(arguments: Isolation.allCases) func `isolation and access are as asked`(isolation: Isolation) async throws {
        try await TestDatabase.withConnection { connection in
            try await connection.transaction("look", isolation: isolation, readOnly: true) { connection in
                let level = try await connection.value(String.self, "select current_setting('transaction_isolation')")
                #expect(level == isolation.rawValue)
                #expect(
                    try await connection.value(String.self, "select current_setting('transaction_read_only')") == "on")
            }
        }
    }

    @Test func `a cancelled task rolls back, even if the body hides the error`() async throws {
        try await withTable { connection in
            let task = Task {
                try await connection.transaction("add") { connection in
                    _ = try await connection.query(insert, [1])
                    _ = try? await connection.query(Statement("sleep", "select pg_sleep(60)"))
                }
            }
            try await Task.sleep(for: .milliseconds(200))
            task.cancel()
            #expect(try await postgresError { try await task.value }.reason == .cancelled)
            #expect(try await connection.value(Int.self, count) == 0)
        }
    }

    @Test func `conflicting transactions are retried until all have committed`() async throws {
        let pool = try await TestDatabase.create().pool()
        try await pool.execute(script: Statement("setup", "create table c (n int4); insert into c values (0)"))
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    try await pool.transaction("add", isolation: .serializable, retries: 20) { connection in
                        let n = try await connection.value(Int.self, "select n from c")
                        _ = try await connection.query(Statement("set", "update c set n = $1"), [n + 1])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await pool.value(Int.self, "select n from c") == 4)
        await pool.shutdown()
    }

    @Test func `the conflict is thrown when no retry is left`() async throws {
        let pool = try await TestDatabase.shared.value.pool()
        let raise = "do $$ begin raise 'x' using errcode = '40001'; end $$"
        var runs = 0
        let error = try await postgresError {
            try await pool.transaction("conflict", retries: 2) { connection in
                runs += 1
                try await connection.execute(script: Statement("raise", raise))
            }
        }
        #expect(error.sqlState == .serializationFailure)
        #expect(error.advice == .retry)
        #expect(runs == 3)
        await pool.shutdown()
    }

    @Test func `a connection lost before the commit advises a retry`() async throws {
        let pool = try await TestDatabase.shared.value.pool()
        let error = try await postgresError {
            try await pool.transaction("lost") { connection in
                let pid = try await connection.value(Int.self, "select pg_backend_pid()")
                try await TestDatabase.withConnection { other in
                    _ = try await other.query(Statement("kill", "select pg_terminate_backend($1::int8::int4)"), [pid])
                }
                _ = try await connection.query(Statement("next", "select 1"))
            }
        }
        #expect(error.isStoreAway)
        #expect(error.advice == .retry)
        await pool.shutdown()
    }

    @Test func `a connection lost at the commit leaves the outcome unknown`() async throws {
        let error = try await postgresError {
            try await TestDatabase.withConnection { connection in
                try await connection.transaction("lost") { connection in
                    let pid = try await connection.value(Int.self, "select pg_backend_pid()")
                    try await TestDatabase.withConnection { other in
                        _ = try await other.query(
                            Statement("kill", "select pg_terminate_backend($1::int8::int4, 5000)"), [pid])
                    }
                }
            }
        }
        #expect(error.isStoreAway)
        #expect(error.advice == .retryOutcomeUnknown)
        #expect(error.description.contains("it may have been committed"))
    }
}
