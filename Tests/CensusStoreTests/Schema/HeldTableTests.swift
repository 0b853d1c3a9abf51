import CensusCore
import Fleet
import Nightly
import Postgres
import PostgresTesting
import Testing

@testable import CensusStore

/// A session reads `census.observation` for hours, like pg_dump. Exclusive locks on it must not make others wait.
@Suite struct `Held tables` {
    /// Regression: an insert queued behind the drop for five seconds, and the night ended without a summary.
    @Test func `a night puts off partitions that it can't drop or make, and no append waits for it`() async throws {
        try await TestStore.with { test in
            try await PartitionKeeper(store: test.store, logger: .quiet).keep(from: .first, through: .today + 6)
            var phone = Phone("phone")
            for day in 0...80 { phone.reports(["weather"], .day(day)) }
            try await test.tell(phone)
            try await test.night()
            // As if the last night ran yesterday: the last of the days ahead is missing.
            try await test.execute("drop table census.\(name(.today + 7))")
            try await test.store.upkeep.setRetention(days: 30)
            let expired = try await test.store.upkeep.partitions().count { $0 < .first + 49 }
            let (summary, longest) = try await test.whileSomebodyReads {
                let night = Task { try await NightlyJob(store: test.store, logger: .quiet).run() }
                let longest = try await test.longestAppend(until: night)
                return (try await night.value, longest)
            }
            #expect(summary.partitionsDropped == 0)
            #expect(summary.partitionsMade == 0)
            #expect(summary.partitionsPutOff == expired + 1)
            #expect(summary.nights.count == 1)
            #expect(longest < .milliseconds(2_500), "\(longest)")

            let next = try await NightlyJob(store: test.store, logger: .quiet).run()
            #expect(next.partitionsDropped == expired)
            #expect(next.partitionsMade == 1)
            #expect(next.partitionsPutOff == 0)
            #expect(try await test.store.upkeep.retention().keptFrom == .first + 49)
            #expect(try await test.differences() == [])
        }
    }

    @Test func `a briefly held lock puts nothing off`() async throws {
        try await TestStore.with { test in
            let keeper = PartitionKeeper(store: test.store, logger: .quiet)
            let keeping = try await test.whileSomebodyReads { () async throws in
                let keeping = Task { try await keeper.keep(from: .first, through: .first + 3) }
                #expect(try await eventually { try await test.isWaitingForLock() })
                return keeping
            }
            #expect(try await keeping.value == .init(done: 4))
        }
    }

    private func name(_ day: Day) -> String { "observation_" + day.description.filter { $0 != "-" } }
}

/// The number of days for which PostgreSQL has locks.
@Suite struct `Locks of partitions` {
    @Test func `a retention that needs too many locks is rejected with the reason`() async throws {
        try await TestStore.with { test in
            let most = try await test.value(
                Int.self,
                """
                select current_setting('max_locks_per_transaction')::bigint * (current_setting('max_connections')::bigint
                    + current_setting('max_prepared_transactions')::bigint) / 8 - 16
                """)
            try await test.store.upkeep.setRetention(days: min(most, 3_650))
            #expect(try await test.store.upkeep.retention().days == min(most, 3_650))
            if most < 3_650 {
                let error = await #expect(throws: StoreError.self) {
                    try await test.store.upkeep.setRetention(days: 3_650)
                }
                #expect(error?.fault == .request)
                #expect(error?.description.contains("max_locks_per_transaction is") == true)
                #expect(error?.description.contains("room for \(most) days") == true)
            }
            // As set before the limit existed.
            try await test.execute("update census.retention set days = 3650")
            try await test.store.upkeep.setRetention(days: 3_000)
            try await test.store.upkeep.setRetention(days: 30)
            #expect(try await test.store.upkeep.retention().days == 30)
        }
    }

    @Test func `the error names how many locks the days need`() {
        let table = LockTable(perSession: 64, sessions: 100)
        #expect(table.days == 784)
        #expect(table.tooFew(for: 3_650).description.contains("to 294 or more"))
        #expect(LockTable(perSession: 294, sessions: 100).days >= 3_650)
        #expect(LockTable(perSession: 10, sessions: 1).days == 1)
    }

    @Test func `a worker needs locks for a partition of each of its shards`() {
        let table = LockTable(worker: "10.0.0.2:5432", perSession: 256, sessions: 100, shards: 16)
        #expect(table.days == 184)
        let refused = table.tooFew(for: 3_650)
        #expect(
            refused.description.hasPrefix(
                "observations can't be kept for 3650 days on the worker 10.0.0.2:5432: each day is 16 partitions there")
        )
        #expect(refused.description.contains("room for 184 days. Set max_locks_per_transaction to 4693 or more"))
        #expect(LockTable(worker: nil, perSession: 4_693, sessions: 100, shards: 16).days >= 3_650)
    }

    @Test(.enabled(if: TestDatabase.isOnCluster, "it takes workers")) func `every worker reports its locks`()
        async throws
    {
        try await TestStore.with { test in
            let tables = try await test.store.deployment.locksOfWorkers()
            #expect(tables.count == 2)
            #expect(tables.reduce(0) { $0 + $1.shards } == 2)
            #expect(tables.allSatisfy { $0.worker?.contains(":") == true && $0.days > 90 })
            #expect(try await test.store.deployment.absentWorkers() == [])
        }
    }

    @Test func `a longer retention doesn't make dropped days again`() async throws {
        try await TestStore.with { test in
            try await test.execute("update census.retention set days = 500, kept_from = current_date - 9")
            try await PartitionService(store: test.store, logger: .quiet).keepAll()
            let days = try await test.store.upkeep.partitions()
            #expect(days.first == .today - 9)
            #expect(days.last == .today + PartitionKeeper.daysAhead)
        }
    }

    /// Regression: so many partitions that every night failed could not be dropped, because folding came first.
    @Test func `empty days are dropped before anything is reconciled`() async throws {
        try await TestStore.with { test in
            try await PartitionKeeper(store: test.store, logger: .quiet).keep(from: .first, through: .today)
            var phone = Phone("phone")
            phone.reports(["weather"], .day(10))
            phone.reports(["weather"], .day(80))
            try await test.tell(phone)
            try await test.store.upkeep.setRetention(days: 30)
            let sweep = RetentionSweep(store: test.store, logger: .quiet)
            #expect(try await sweep.dropEmpty() == .init(dropped: 48))
            #expect(try await test.store.upkeep.partitions().first == .first + 10)
            #expect(try await sweep.keep().dropped == 0, "day 10 waits to be reconciled")
            try await test.night()
            #expect(try await test.store.upkeep.partitions().first == .first + 49)
            #expect(try await test.differences() == [])
        }
    }
}

extension TestStore {
    /// Runs the body while another session holds a reader's lock on the observations.
    fileprivate func whileSomebodyReads<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        var result: T?
        try await withSecondStore { reader in
            result = try await reader.pool.transaction("backup") { connection in
                try await connection.execute(
                    script: Statement(
                        "backup",
                        """
                        set local idle_in_transaction_session_timeout = 0;
                        lock table census.observation, census.observation_other in access share mode
                        """))
                return try await body()
            }
        }
        guard let result else { throw NoRow() }
        return result
    }

    /// Appends one event after another until the task ends, and returns how long the slowest took.
    fileprivate func longestAppend(until task: Task<NightlyJob.Summary, any Error>) async throws -> Duration {
        let isOver = Flag()
        let watch = Task {
            _ = await task.result
            await isOver.raise()
        }
        var longest = Duration.zero
        var number = 0
        while await !isOver.isRaised {
            number += 1
            var phone = Phone("beside")
            phone.happens(.opened(Placement(kind: "weather")), .day(80), id: "beside \(number)")
            let begun = ContinuousClock.now
            try await tell(phone)
            longest = max(longest, ContinuousClock.now - begun)
            try await Task.sleep(for: .milliseconds(20))
        }
        await watch.value
        return longest
    }
}

private actor Flag {
    private(set) var isRaised = false
    func raise() { isRaised = true }
}
