import CensusCore
import Fleet
import Nightly
import Postgres
import PostgresTesting
import Synchronization
import Testing

@testable import CensusStore

/// The results of a race so far.
private final class Tally: Sendable {
    let stored = Atomic(0)
    let dropped = Atomic(0)
    let erased = Atomic(0)
    let isOver = Atomic(false)
}

@Suite struct `Forgetting under faults` {
    private func phone(_ id: String, events: Int = 8, from day: Int = 60) -> Phone {
        var phone = Phone(id)
        for number in 0..<events { phone.reports(["weather"], .day(day, minute: Int64(number))) }
        return phone
    }

    /// Regression: Swift's `==` equates them, so a dictionary trapped, and every night with it.
    @Test func `two apps can have ids that only look alike`() async throws {
        try await TestStore.with { test in
            // As earlier programs stored them.
            try await test.execute("insert into census.app (app_id) values ('caf\u{E9}'), ('cafe\u{301}')")
            for id in ["caf\u{E9}", "cafe\u{301}"] {
                #expect(try await test.store.apps.app(id).id.utf8.elementsEqual(id.utf8))
            }
            #expect(try await test.finishForgetting() == (0, 0))
        }
    }

    @Test(arguments: [false, true]) func `an erasure waits for an append that doesn't see it`(
        isCopied: Bool
    ) async throws {
        try await TestStore.with { test in
            let (phone, other) = (phone("phone"), phone("other"))
            try await test.tell(other)
            let app = try await test.store.apps.app(TestStore.appID)
            let device = test.device(phone)
            try await test.store.pool.transaction("a slow append") { connection in
                let rows = try #require(test.batches(of: phone).first)
                if isCopied {
                    _ = try await connection.copyIn(SQL.ObservationLog.copy.statement, [rows.observations])
                } else {
                    _ = try await connection.query(SQL.ObservationLog.append, rows.columns)
                }
                let error = await #expect(throws: StoreError.self) {
                    try await test.store.forgetting.forget(device, of: app, patience: .milliseconds(200))
                }
                #expect(error?.fault == .away)
                // Other devices can still append.
                var more = other
                more.opens(.day(70))
                #expect(try await test.tell(more).stored == 1)
                #expect(try await test.tell(phone).stored == 0)
            }
            #expect(try await test.rows(of: [device]) > 0)
            #expect(try await test.finishForgetting() == (1, 0))
            #expect(try await test.rows(of: [device]) == 0)
            #expect(try await test.tables(holding: "\(device)") == [])
            #expect(try await test.finishForgetting() == (0, 0))
        }
    }

    /// A statement can take the snapshot in which it looks for erased devices before its transaction has an id. It
    /// takes its locks even earlier.
    ///
    /// On a cluster, a small append waits for no partition lock.
    @Test(arguments: TestDatabase.isOnCluster ? [AppendWay.merges] : AppendWay.allCases)
    func `an erasure waits for an append that has not begun to write`(way: AppendWay) async throws {
        try await TestStore.with(appends: way) { test in
            let phone = phone("phone")
            let app = try await test.store.apps.app(TestStore.appID)
            let device = test.device(phone)
            let append = try await test.store.pool.transaction("a lock") { connection in
                try await connection.execute(
                    script: Statement("a lock", "lock table census.observation_other in share row exclusive mode"))
                let append = Task { try await test.tell(phone) }
                #expect(try await eventually { try await test.isWaitingForLock() })
                let error = await #expect(throws: StoreError.self) {
                    try await test.store.forgetting.forget(device, of: app, patience: .milliseconds(200))
                }
                #expect(error?.fault == .away)
                return append
            }
            // A COPY checks for erased devices afterwards, and sees this one.
            #expect(try await append.value.stored == (way == .copies ? 0 : 8))
            #expect(try await test.finishForgetting() == (1, 0))
            #expect(try await test.rows(of: [device]) == 0)
        }
    }

    @Test func `an erasure goes on when the transaction that it waits for ends`() async throws {
        try await TestStore.with { test in
            let phone = phone("phone")
            try await test.tell(phone)
            let device = test.device(phone)
            let late = self.phone("phone", from: 61)
            try await test.store.pool.transaction("a slow append") { connection in
                let rows = try #require(test.batches(of: late).first)
                _ = try await connection.query(SQL.ObservationLog.append, rows.columns)
                Task { try await test.forget(phone) }
                #expect(
                    try await eventually {
                        try await test.value(Int.self, "select count(*) from census.forgotten") == 1
                    })
                try await Task.sleep(for: .milliseconds(100))
                #expect(try await test.rows(of: [device]) > 0)
            }
            #expect(try await eventually { try await test.rows(of: [device]) == 0 })
            #expect(try await eventually { try await test.tables(holding: "\(device)") == [] })
        }
    }

    /// Regression: no night erased the devices after it or dropped a day.
    @Test func `a device that can't be erased delays neither others nor retention`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            let phones = ["phone", "another", "third"].map { phone($0) }
            for phone in phones {
                try await test.tell(phone)
                try await test.beginToForget(phone, at: .day(70))
            }
            let stuck = test.device(phones[1])
            try await test.execute(
                """
                alter table census.forgotten add constraint stuck
                check (erasing_device_id is not null or device_hash <> sha256(uuid_send('\(stuck)')))
                """)
            let finished = try await test.store.forgetting.finish()
            #expect((finished.done, finished.left) == (2, 1))
            #expect(finished.failure?.description.contains("stuck") == true)
            let night = try await NightlyJob(store: test.store, logger: .quiet).run(day: .first + 78)
            #expect(night.failures.isEmpty)
            try await test.execute("alter table census.forgotten drop constraint stuck")
            #expect(try await test.finishForgetting() == (1, 0))
            #expect(try await test.rows(of: phones.map { test.device($0) }) == 0)
        }
    }

    @Test(arguments: [false, true]) func `an erasure that was killed between its two transactions is finished later`(
        isAskedAgain: Bool
    ) async throws {
        try await TestStore.with(isPartitioned: true) { test in
            let (phone, other) = (phone("phone"), phone("other"))
            try await test.tell(phone, other)
            try await test.night(.first + 78)
            try await test.beginToForget(phone, at: .day(70))
            var late = phone
            late.reports(["search"], .day(71))
            #expect(try await test.tell(late).stored == 0)
            if isAskedAgain { try await test.forget(phone, at: .day(70)) } else { try await test.night(.first + 78) }
            let device = test.device(phone)
            #expect(try await test.rows(of: [device]) == 0)
            #expect(try await test.tables(holding: "\(device)") == [])
            #expect(try await test.differences() == [])
            try await test.night(.first + 78)
            #expect(try await test.lines("select devices_certain from report.live_now") == ["1"])
            #expect(try await test.differences() == [])
        }
    }

    /// Four senders append over two nodes while a reconciler and nights run.
    @Test func `no erased row reappears in hundreds of races`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            try await test.withSecondStore { second in
                let rounds = 400
                let tally = Tally()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        var reconciler = Reconciler(store: second, logger: .quiet)
                        reconciler.stepSize = 3
                        while !tally.isOver.load(ordering: .relaxed) {
                            let batch = try await reconciler.drain()
                            _ = try await second.devices.retrySetAside()
                            // Doesn't spin on an empty queue.
                            if batch.devices == 0 { try await Task.sleep(for: .milliseconds(3)) }
                        }
                    }
                    group.addTask {
                        var zones = ["Asia/Tokyo", "UTC"]
                        while !tally.isOver.load(ordering: .relaxed) {
                            try await test.night(.first + 78)
                            var settings = AppSettings()
                            settings.zone = zones.removeFirst()
                            zones.append(settings.zone ?? "")
                            try await test.store.apps.set(TestStore.appID, settings)
                        }
                    }
                    for round in 0..<rounds {
                        var random = Seeded(UInt64(round))
                        let phone = phone("phone \(round)", events: 12)
                        let batches = test.batches(of: phone)
                        try await withThrowingTaskGroup(of: Void.self) { race in
                            for sender in 0..<4 {
                                let pause = random.below(6_000)
                                race.addTask {
                                    try await Task.sleep(for: .microseconds(pause))
                                    for number in 0..<3 {
                                        var store = sender.isMultiple(of: 2) ? test.store : second
                                        // Two of them know of no erasure, again and again.
                                        if sender > 1 {
                                            (sender == 2 ? AppendWay.copies : .inserts).set(&store)
                                            store.redeliveries = Redeliveries()
                                        }
                                        let outcome = try await store.append(until202: batches[sender * 3 + number])
                                        tally.stored.add(outcome.stored, ordering: .relaxed)
                                        tally.dropped.add(1 - outcome.stored, ordering: .relaxed)
                                    }
                                }
                            }
                            let pause = random.below(12_000)
                            race.addTask {
                                try await Task.sleep(for: .microseconds(pause))
                                let erasure = try await test.forget(phone)
                                tally.erased.add(erasure.events, ordering: .relaxed)
                            }
                            try await race.waitForAll()
                        }
                    }
                    tally.isOver.store(true, ordering: .relaxed)
                    try await group.waitForAll()
                }
                try await test.reconcile()
                let devices = (0..<rounds).map { test.secret.device("phone \($0)", app: TestStore.appID) }
                #expect(try await test.rows(of: devices) == 0)
                // Rows that a night erased first aren't in the sum. On a cluster, erasures are rarely slower.
                let enough = TestDatabase.isOnCluster ? rounds / 4 : rounds
                #expect(tally.erased.load(ordering: .relaxed) > enough)
                #expect(tally.stored.load(ordering: .relaxed) > enough)
                #expect(tally.dropped.load(ordering: .relaxed) > rounds)
                #expect(try await test.finishForgetting() == (0, 0))
                try await test.night(.first + 78)
                #expect(try await test.differences() == [])
            }
        }
    }

    /// A delete would miss a row that moves to another partition meanwhile.
    @Test func `an erasure misses no row in a partition that is made meanwhile`() async throws {
        try await TestStore.with { test in
            try await test.withSecondStore { second in
                let phones = (0..<60).map { phone("phone \($0)", from: $0) }
                try await test.tell(phones)
                for (number, phone) in phones.enumerated() {
                    async let made = PartitionKeeper(store: second, logger: .quiet)
                        .keep(from: .first + number, through: .first + number)
                    try await Task.sleep(for: .microseconds(number * 100))
                    try await test.forget(phone)
                    #expect(try await made == .init(done: 1))
                }
                #expect(try await test.rows(of: phones.map(test.device)) == 0)
            }
        }
    }
}

extension Store {
    /// Retries like a phone when the store is too slow.
    fileprivate func append(until202 rows: BatchRows) async throws -> AppendOutcome {
        while true {
            do throws(StoreError) {
                return try await log.append([rows])
            } catch {
                guard error.isStoreAway else { throw error }
            }
        }
    }
}

extension TestStore {
    fileprivate func finishForgetting() async throws -> (done: Int, left: Int) {
        let finished = try await store.forgetting.finish()
        return (finished.done, finished.left)
    }
}
