import CensusCore
import Fleet
import Nightly
import Postgres
import PostgresTesting
import Testing

@testable import CensusStore

@Suite struct `Reconciliation under faults` {
    /// A cursor over a sequence or a time would skip rows that are not committed yet.
    @Test func `observations that commit late are not skipped`() async throws {
        try await TestStore.with { test in
            var (late, others) = (Phone("late"), [Phone("before"), Phone("meanwhile")])
            late.reports(["weather"], .day(1))
            for index in others.indices { others[index].reports(["search"], .day(2)) }
            try await test.store.pool.transaction("late") { connection in
                let rows = try #require(test.batches(of: late).first)
                _ = try await connection.query(SQL.ObservationLog.append, rows.columns)
                try await test.tell(others)
                #expect(try await test.reconcile().devices == 2)
                #expect(try await test.reconcile().devices == 0)
            }
            #expect(try await test.reconcile().devices == 1)
            #expect(try await test.spans() == test.foldedSpans(others + [late]))
        }
    }

    /// One event of the device commits late, after another was reconciled.
    @Test func `a late commit of a known device is not skipped`() async throws {
        try await TestStore.with { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(1))
            phone.reports(["search"], .day(2))
            try await test.store.pool.transaction("late") { connection in
                let batches = test.batches(of: phone)
                _ = try await connection.query(SQL.ObservationLog.append, batches[0].columns)
                _ = try await test.store.log.append([batches[1]])
                try await test.reconcile()
            }
            try await test.reconcile()
            #expect(try await test.spans() == test.foldedSpans([phone]))
        }
    }

    @Test(arguments: TestStore.seeds(0..<4)) func `several reconcilers store the spans of one`(seed: UInt64)
        async throws
    {
        try await TestStore.with { test in
            try await test.withSecondStore { second in
                let phones = RandomFleet(seed, phones: 20).phones
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        var random = Seeded(seed)
                        // In pieces, so that a device enters the queue many times.
                        var batches = phones.flatMap(test.batches).shuffled(using: &random)
                        while !batches.isEmpty {
                            _ = try await test.store.log.append(Array(batches.suffix(40)))
                            batches.removeLast(min(40, batches.count))
                        }
                    }
                    for store in [test.store, test.store, second, second] {
                        group.addTask {
                            var reconciler = Reconciler(store: store, logger: .quiet)
                            reconciler.stepSize = 6
                            for _ in 0..<25 { _ = try await reconciler.drain() }
                        }
                    }
                    try await group.waitForAll()
                }
                try await test.reconcile()
                #expect(try await test.spans() == test.foldedSpans(phones))
            }
        }
    }

    /// Regression: four reconcilers waited for one another's devices until the last one timed out.
    @Test func `a device that another session has locked delays no other device`() async throws {
        try await TestStore.with { test in
            try await test.withSecondStore { second in
                let phones = RandomFleet(7, phones: 9).phones
                try await test.tell(phones)
                let busy = try #require(phones.map(test.device).sorted().dropFirst(4).first)
                let reconciling = try await second.pool.transaction("test") { connection in
                    _ = try await connection.query(SQL.DeviceStore.lock, [[busy]])
                    let reconciling = Task { try await test.reconcile(stepSize: 6) }
                    #expect(
                        try await eventually {
                            try await test.lines("select distinct device_id from census.pending_device").count == 1
                        }, "the others' changes are committed")
                    return reconciling
                }
                #expect(try await reconciling.value.devices == 9)
                #expect(try await test.spans() == test.foldedSpans(phones))
            }
        }
    }

    /// The reconciler is killed before its first, a middle and its last write.
    @Test(arguments: ["span", "device", "kind_entry", "reconciled"])
    func `a killed reconciler leaves nothing half written and every device queued`(table: String) async throws {
        try await TestStore.with { test in
            try await test.withSecondStore { second in
                var phones = RandomFleet(5, phones: 15).phones
                try await test.tell(phones)
                try await test.reconcile()
                for index in phones.indices { phones[index].reports(["new"], .day(76)) }
                try await test.tell(phones)
                let before = try await stored(test)

                try await test.store.pool.transaction("blockade") { connection in
                    try await connection.execute(
                        script: Statement("test", "lock table census.\(table) in share row exclusive mode"))
                    let reconciling = Task { try await Reconciler(store: second, logger: .quiet).drain() }
                    #expect(try await eventually { try await test.isWaitingForLock() })
                    try await test.execute(
                        """
                        select pg_terminate_backend(pid)
                        from pg_stat_activity
                        where datname = current_database()
                            and wait_event_type = 'Lock'
                        """)
                    let error = await #expect(throws: StoreError.self) { _ = try await reconciling.value }
                    #expect(error?.fault == .away)
                }
                #expect(try await stored(test) == before)
                #expect(try await test.reconcile().devices == 15)
                #expect(try await test.spans() == test.foldedSpans(phones))
            }
        }
    }

    private func stored(_ test: TestStore) async throws -> [String] {
        try await test.contents("census.span") + test.contents("census.device") + test.contents("census.pending_device")
            + test.contents("census.phase") + test.entries()
    }
}
