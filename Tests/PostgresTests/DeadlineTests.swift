import Postgres
import PostgresTesting
import Testing

@Suite struct `Deadline` {
    @Test func `the server ends a statement at its deadline, and the connection stays usable`() async throws {
        try await TestDatabase.withConnection { connection in
            let start = ContinuousClock.now
            let error = try await postgresError {
                _ = try await connection.query(Statement("sleep", "select pg_sleep(60)"), deadline: .milliseconds(200))
            }
            let elapsed = ContinuousClock.now - start
            #expect(elapsed > .milliseconds(190) && elapsed < .seconds(30))
            #expect(error.reason == .deadlineExceeded)
            #expect(error.sqlState == .queryCanceled)
            #expect(error.advice == .retry)
            #expect(error.isStoreAway)
            #expect(try await connection.value(Int.self, "select 1") == 1)
        }
    }

    @Test func `connecting to a silent socket ends at the connection timeout`() async throws {
        let listener = try SilentListener()
        var configuration = ConnectionConfiguration(connectionString: "host=127.0.0.1 port=\(listener.port) dbname=x")
        configuration.connectTimeout = .milliseconds(300)
        let start = ContinuousClock.now
        let error = try await postgresError { _ = try await Connection.open(configuration, logger: .quiet) }
        #expect(ContinuousClock.now - start < .milliseconds(2_500), "libpq's own limit is five seconds")
        #expect(error.reason == .connectFailed)
        #expect(error.advice == .retry)
    }

    @Test func `a black-holed statement ends with an unknown outcome, and the pool recovers`() async throws {
        let database = try await TestDatabase.shared.value
        let proxy = try await TCPProxy(to: database)
        var configuration = ConnectionConfiguration(connectionString: proxy.connectionString)
        configuration.statementDeadline = .milliseconds(500)
        configuration.cancelGrace = .milliseconds(300)
        configuration.connectTimeout = .seconds(2)
        let pool = Pool(configuration, limits: Pool.Limits(maximumConnections: 3), logger: .quiet)
        // Three connections, all of them black-holed.
        try await withThrowingTaskGroup { group in
            for _ in 0..<3 { group.addTask { _ = try await pool.query(Statement("sleep", "select pg_sleep(0.1)")) } }
            try await group.waitForAll()
        }
        #expect(pool.statistics.idle == 3)
        proxy.stall()
        let start = ContinuousClock.now
        let error = try await postgresError { _ = try await pool.query(Statement("lost", "select pg_sleep(0.1)")) }
        let elapsed = ContinuousClock.now - start
        #expect(elapsed > .milliseconds(490) && elapsed < .seconds(15))
        #expect(error.reason == .deadlineExceeded)
        #expect(error.advice == .retryOutcomeUnknown)
        #expect(try await eventually { pool.statistics.idle == 0 })
        #expect(try await postgresError { _ = try await pool.query(Statement("away", "select 1")) }.isStoreAway)
        proxy.resume()
        #expect(try await eventually { (try? await pool.value(Int.self, "select 1")) == 1 })
        await pool.shutdown()
        proxy.stop()
    }

    /// Such a COMMIT once blocked the task, one of the few that commit, for the statement's deadline of half a minute.
    @Test func `a COMMIT without a response blocks a cancelled task only for the grace period`() async throws {
        let proxy = try await TCPProxy(to: try await TestDatabase.shared.value)
        var configuration = ConnectionConfiguration(connectionString: proxy.connectionString)
        configuration.commitGrace = .milliseconds(300)
        configuration.cancelGrace = .milliseconds(300)
        let pool = Pool(configuration, limits: Pool.Limits(maximumConnections: 1), logger: .quiet)
        let (stalls, stalled) = AsyncStream.makeStream(of: Void.self)
        let committing = Task {
            try await postgresError {
                try await pool.transaction("lost") { connection in
                    _ = try await connection.value(Int.self, "select 1")
                    proxy.stall()
                    stalled.finish()
                }
            }
        }
        for await _ in stalls {}
        // Wait until COMMIT is sent.
        try await Task.sleep(for: .milliseconds(500))
        let start = ContinuousClock.now
        committing.cancel()
        let error = try await committing.value
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(error.reason == .deadlineExceeded)
        #expect(error.advice == .retryOutcomeUnknown)
        await pool.shutdown()
        proxy.stop()
    }

    /// A committer that nobody cancels once waited for the statement's deadline.
    @Test func `a COMMIT without a response ends at the transaction's deadline plus the grace period`() async throws {
        let proxy = try await TCPProxy(to: try await TestDatabase.shared.value)
        var configuration = ConnectionConfiguration(connectionString: proxy.connectionString)
        configuration.commitGrace = .milliseconds(300)
        configuration.cancelGrace = .milliseconds(300)
        let pool = Pool(configuration, limits: Pool.Limits(maximumConnections: 1), logger: .quiet)
        let start = ContinuousClock.now
        let error = try await postgresError {
            try await pool.withConnection { connection in
                try await connection.transaction("lost", deadline: .milliseconds(500)) { connection in
                    _ = try await connection.value(Int.self, "select 1")
                    proxy.stall()
                }
            }
        }
        let elapsed = ContinuousClock.now - start
        #expect(elapsed > .milliseconds(790) && elapsed < .seconds(10))
        #expect(error.reason == .deadlineExceeded)
        #expect(error.advice == .retryOutcomeUnknown)
        await pool.shutdown()
        proxy.stop()
    }

    @Test func `a connection reset in the middle of a COPY stores nothing`() async throws {
        let database = try await TestDatabase.create()
        let proxy = try await TCPProxy(to: database)
        let pool = Pool(ConnectionConfiguration(connectionString: proxy.connectionString), logger: .quiet)
        try await pool.execute(script: Statement("setup", "create table t (a text)"))
        var rows = CopyRows(columns: 1)
        for _ in 0..<4000 { rows.append { $0.value(String(repeating: "x", count: 1000)) } }
        let copy = Statement("copy", "copy t from stdin (format binary)")
        for bytes in [10_000, 1_000_000, 3_000_000] {
            proxy.reset(after: bytes)
            let error = try await postgresError { _ = try await pool.copyIn(copy, [rows]) }
            #expect(error.reason == .connectionLost)
            #expect(error.advice == .retryOutcomeUnknown)
        }
        proxy.resume()
        #expect(try await pool.value(Int.self, "select count(*) from t") == 0)
        #expect(try await pool.copyIn(copy, [rows]).first?.affected == 4000)
        await pool.shutdown()
        proxy.stop()
    }
}
