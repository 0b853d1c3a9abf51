import Postgres
import PostgresTesting
import Testing

@Suite struct `Connection pool` {
    @Test func `many tasks share few connections`() async throws {
        let pool = try await TestDatabase.shared.value.pool(
            limits: .init(maximumConnections: 4, acquireDeadline: .seconds(30)))
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<500 { group.addTask { try await pool.value(Int.self, "select $1", [number]) } }
            return try await group.reduce(0, +)
        }
        #expect(sum == 124_750)
        #expect(pool.statistics.opened <= 4)
        #expect(pool.statistics.busy == 0 && pool.statistics.waiting == 0)
        await pool.shutdown()
        #expect(pool.statistics.idle == 0)
    }

    /// A closure that didn't capture the actor once ran, and blocked, on the threads that all tasks share.
    @Test func `waiting for the server blocks no other task`() async throws {
        let limits = Pool.Limits(maximumConnections: 24, acquireDeadline: .seconds(30))
        let pool = try await TestDatabase.shared.value.pool(limits: limits)
        let sleepers = Task {
            try await withThrowingTaskGroup { group in
                for _ in 0..<24 { group.addTask { _ = try await pool.query(Statement("sleep", "select pg_sleep(8)")) } }
                try await group.waitForAll()
            }
        }
        #expect(try await eventually { pool.statistics.busy == 24 })
        let start = ContinuousClock.now
        for _ in 0..<10 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(ContinuousClock.now - start < .seconds(4))
        sleepers.cancel()
        _ = await sleepers.result
        await pool.shutdown()
    }

    @Test func `the pool serves callers in order`() async throws {
        let limits = Pool.Limits(maximumConnections: 1, acquireDeadline: .seconds(30))
        let pool = try await TestDatabase.shared.value.pool(limits: limits)
        let order = Order()
        try await withThrowingTaskGroup { group in
            try await pool.withConnection { _ throws in
                for number in 0..<20 {
                    group.addTask { try await pool.withConnection { _ in await order.append(number) } }
                    #expect(try await eventually { pool.statistics.waiting == number + 1 })
                }
            }
            try await group.waitForAll()
        }
        #expect(await order.numbers == Array(0..<20))
        await pool.shutdown()
    }

    @Test func `the pool rejects callers after their deadline, or at once when the queue is full`() async throws {
        let limits = Pool.Limits(maximumConnections: 1, acquireDeadline: .seconds(1), maximumWaiters: 1)
        let pool = try await TestDatabase.shared.value.pool(limits: limits)
        #expect(try await eventually { (try? await pool.value(Int.self, "select 1")) == 1 })
        let before = pool.statistics.refused
        try await pool.withConnection { _ in
            let waiter = Task { try await pool.query(Statement("late", "select 1")) }
            #expect(try await eventually { pool.statistics.waiting == 1 })
            let refused = try await postgresError { _ = try await pool.query(Statement("crowd", "select 1")) }
            #expect(refused.description == "crowd: too many callers wait for a connection")
            let error = try await postgresError { _ = try await waiter.value }
            #expect(error.reason == .poolExhausted)
            #expect(error.statement == "late")
            #expect(error.advice == .retry)
            #expect(error.isStoreAway)
        }
        #expect(try await pool.value(Int.self, "select 1") == 1)
        #expect(pool.statistics.refused == before + 2)
        await pool.shutdown()
    }

    @Test func `a cancelled waiter leaves the queue`() async throws {
        let pool = try await TestDatabase.shared.value.pool(limits: .init(maximumConnections: 1))
        try await pool.withConnection { _ throws in
            let waiter = Task { try await pool.query(Statement("late", "select 1")) }
            #expect(try await eventually { pool.statistics.waiting == 1 })
            waiter.cancel()
            #expect(try await postgresError { _ = try await waiter.value }.reason == .cancelled)
            #expect(pool.statistics.waiting == 0)
        }
        await pool.shutdown()
    }

    @Test func `a storm of cancellations loses no connection and no waiter`() async throws {
        let limits = Pool.Limits(maximumConnections: 3, acquireDeadline: .seconds(30))
        let pool = try await TestDatabase.shared.value.pool("storm", limits: limits)
        await withTaskGroup { group in
            for number in 0..<300 {
                group.addTask {
                    let task = Task { try await pool.query(Statement("short", "select pg_sleep(0.002)")) }
                    try? await Task.sleep(for: .microseconds(number * 37 % 5000))
                    if number % 3 != 0 { task.cancel() }
                    let result = await task.result
                    if number % 3 == 0 { #expect((try? result.get()) != nil) }
                }
            }
        }
        #expect(pool.statistics.busy == 0 && pool.statistics.waiting == 0)
        #expect(pool.statistics.idle <= 3)
        #expect(try await pool.value(Int.self, "select 1") == 1)
        await pool.shutdown()
        try await TestDatabase.withConnection { connection throws in
            let text = "select count(*) from pg_stat_activity where application_name = 'storm'"
            #expect(try await eventually { try await connection.value(Int.self, text) == 0 })
        }
    }

    @Test func `the pool silently replaces a connection killed while idle`() async throws {
        let database = try await TestDatabase.shared.value
        let pool = database.pool("victim", limits: .init(maximumConnections: 2))
        let first = try await pool.value(Int.self, "select pg_backend_pid()")
        try await TestDatabase.withConnection { connection throws in
            let text = "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'victim'"
            #expect(try await connection.value(Bool.self, text))
        }
        #expect(try await pool.value(Int.self, "select pg_backend_pid()") != first)
        #expect(pool.statistics.opened == 2)
        await pool.shutdown()
    }

    @Test func `the pool replaces a connection killed during a statement`() async throws {
        let pool = try await TestDatabase.shared.value.pool(limits: .init(maximumConnections: 1))
        let error = try await postgresError {
            _ = try await pool.query(Statement("suicide", "select pg_terminate_backend(pg_backend_pid()), pg_sleep(5)"))
        }
        #expect(error.reason == .server(.adminShutdown))
        #expect(error.isStoreAway)
        #expect(error.advice == .retryOutcomeUnknown)
        #expect(try await pool.value(Int.self, "select 1") == 1)
        await pool.shutdown()
    }

    @Test func `the pool rolls back an open transaction before the next caller`() async throws {
        let pool = try await TestDatabase.shared.value.pool(limits: .init(maximumConnections: 1))
        try await pool.withConnection { connection in
            _ = try await connection.query(Statement("begin", "begin"))
            _ = try await connection.query(Statement("create", "create temp table left_open ()"))
        }
        let text = "select to_regclass('left_open') is null"
        #expect(try await pool.value(Bool.self, text))
        #expect(pool.statistics.opened == 1)
        await pool.shutdown()
    }

    @Test func `the pool closes an idle connection after its timeout`() async throws {
        let pool = try await TestDatabase.shared.value.pool(limits: .init(idleTimeout: .milliseconds(100)))
        #expect(try await pool.value(Int.self, "select 1") == 1)
        #expect(try await eventually { pool.statistics.idle == 0 })
        #expect(try await pool.value(Int.self, "select 1") == 1)
        #expect(pool.statistics.opened == 2)
        await pool.shutdown()
    }

    @Test func `callers learn why a connection can't be opened`() async throws {
        let pool = Pool(ConnectionConfiguration(connectionString: "host=127.0.0.1 port=1 dbname=x"), logger: .quiet)
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    let error = try? await postgresError { _ = try await pool.query(Statement("away", "select 1")) }
                    #expect(error?.reason == .connectFailed)
                }
            }
        }
        await pool.shutdown()
    }

    @Test func `shutdown rejects new callers and waits for running statements`() async throws {
        let pool = try await TestDatabase.shared.value.pool()
        let working = Task { try await pool.query(Statement("sleep", "select pg_sleep(0.3)")).count }
        #expect(try await eventually { pool.statistics.busy == 1 })
        await pool.shutdown()
        #expect(try await working.value == 1)
        #expect(
            try await postgresError { _ = try await pool.query(Statement("new", "select 1")) }.reason == .poolClosed)
        await pool.shutdown()
    }

    @Test func `shutdown cancels statements that outlast its grace period`() async throws {
        let pool = try await TestDatabase.shared.value.pool()
        let working = Task { try await pool.query(Statement("sleep", "select pg_sleep(60)")) }
        #expect(try await eventually { pool.statistics.busy == 1 })
        let start = ContinuousClock.now
        await pool.shutdown(grace: .milliseconds(100))
        #expect(try await postgresError { _ = try await working.value }.reason == .cancelled)
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(try await eventually { pool.statistics.busy == 0 })
    }
}

private actor Order {
    private(set) var numbers: [Int] = []

    func append(_ number: Int) {
        numbers.append(number)
    }
}
