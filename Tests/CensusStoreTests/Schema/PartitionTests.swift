import CensusCore
import Fleet
import Postgres
import PostgresTesting
import Testing

@testable import CensusStore

@Suite struct `Partitions` {
    private func keeper(_ test: TestStore) -> PartitionKeeper { PartitionKeeper(store: test.store, logger: .quiet) }

    private func phone(_ times: [Timestamp]) -> Phone {
        var phone = Phone("phone")
        for time in times { phone.reports(["weather"], time) }
        return phone
    }

    /// Compares the number of rows in each partition that has any.
    private func expect(
        _ test: TestStore, rows: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        // One by one, because on a cluster a row's `tableoid` names a shard.
        let partitions = try await test.lines(
            """
            select relname
            from pg_inherits
            join pg_class
                on pg_class.oid = inhrelid
            where inhparent = 'census.observation'::regclass
            order by relname collate "C"
            """)
        var found: [String] = []
        for partition in partitions {
            let count = try await test.value(Int.self, "select count(*) from census.\(partition)")
            if count > 0 { found.append("\(partition)|\(count)") }
        }
        #expect(found == rows, sourceLocation: sourceLocation)
    }

    private func name(_ day: Day) -> String { "observation_" + day.description.filter { $0 != "-" } }

    @Test func `a day's partition is made once and takes the day's events`() async throws {
        try await TestStore.with { test in
            let made = try await keeper(test).keep(from: .first, through: .first + 7)
            #expect(made == .init(done: 8))
            #expect(try await keeper(test).keep(from: .first, through: .first + 7) == .init())
            #expect(try await keeper(test).keep(from: .first, through: .first + 8) == .init(done: 1))
            let last = Timestamp.day(4, hour: 0) - .microseconds(1)
            try await test.tell(phone([.day(3, hour: 0), last, .day(4, hour: 0)]))
            try await expect(test, rows: ["\(name(.first + 3))|2", "\(name(.first + 4))|1"])
        }
    }

    @Test func `events that arrived before their day's partition was made move into it`() async throws {
        try await TestStore.with { test in
            let phone = phone([.day(2), .day(3), .day(3, hour: 23), .day(4)])
            try await test.tell(phone)
            try await expect(test, rows: ["observation_other|4"])
            let before = try await test.contents("census.observation")
            try await keeper(test).keep(from: .first + 3, through: .first + 3)
            try await expect(test, rows: ["\(name(.first + 3))|2", "observation_other|2"])
            #expect(try await test.contents("census.observation") == before)
            #expect(try await test.tell(phone).stored == 0)
        }
    }

    @Test func `a clock that is decades off does not fail an insert`() async throws {
        try await TestStore.with { test in
            try await keeper(test).keep(from: .first, through: .first + 7)
            let times = [
                "1970-01-01T00:00:00Z", "2090-06-01T12:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
            ]
            let outcome = try await test.tell(phone(times.compactMap { Timestamp(rfc3339: $0) } + [.day(1)]))
            #expect(outcome == AppendOutcome(received: 5, stored: 5))
            try await expect(test, rows: ["\(name(.first + 1))|1", "observation_other|4"])
        }
    }

    @Test func `eight keepers at once make every day once`() async throws {
        try await TestStore.with { test in
            try await test.tell(phone((0..<10).map { .day($0) }))
            let made = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await keeper(test).keep(from: .first, through: .first + 9).done }
                }
                return try await group.reduce(0, +)
            }
            #expect(made >= 10)
            try await expect(test, rows: (0..<10).map { "\(name(.first + $0))|1" })
        }
    }

    /// Regression: the keeper looked before the insert was committed, and then could not attach the partition.
    @Test func `the row of an uncommitted insert moves, too`() async throws {
        try await TestStore.with { test in
            let keeping = try await test.store.pool.transaction("late") { connection in
                try await connection.insertObservation(at: .day(3))
                let keeping = Task { try await keeper(test).keep(from: .first + 3, through: .first + 3) }
                #expect(try await eventually { try await test.isWaitingForLock() })
                return keeping
            }
            #expect(try await keeping.value == .init(done: 1))
            try await expect(test, rows: ["\(name(.first + 3))|1"])
        }
    }

    /// PostgreSQL allows this: an insert that reads the list of partitions while one is attached can keep the old list.
    @Test(.disabled(if: TestDatabase.isOnCluster, "a partition's row in the catalog is the coordinator's alone"))
    func `a row that was left outside its partition moves into it`() async throws {
        try await TestStore.with { test in
            try await keeper(test).keep(from: .first, through: .first + 4)
            let phone = phone([.day(2), .day(3)])
            try await test.tell(phone)
            let before = try await test.contents("census.observation")
            let isPartition =
                "update pg_class set relispartition = true where oid = 'census.observation_other'::regclass"
            try await test.store.pool.execute(
                script: Statement(
                    "test",
                    """
                    begin;
                    set local allow_system_table_mods = on;
                    \(isPartition.replacing("true", with: "false"));
                    with stored as (delete from census.\(name(.first + 3)) returning *)
                    insert into census.observation_other select * from stored;
                    \(isPartition);
                    commit;
                    """))
            try await expect(test, rows: ["\(name(.first + 2))|1", "observation_other|1"])
            try await keeper(test).keep(from: .first, through: .first + 4)
            try await expect(test, rows: ["\(name(.first + 2))|1", "\(name(.first + 3))|1"])
            #expect(try await test.contents("census.observation") == before)
            #expect(try await test.tell(phone).stored == 0)
        }
    }

    @Test func `making a partition fails no insert`() async throws {
        try await TestStore.with { test in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        for day in 0..<20 {
                            var phone = Phone("phone \(number)")
                            phone.happens(.opened(Placement(kind: "weather")), .day(day), id: "\(day)")
                            try await test.tell(phone)
                        }
                    }
                }
                for _ in 0..<2 { group.addTask { try await keeper(test).keep(from: .first, through: .first + 19) } }
                try await group.waitForAll()
            }
            // Moves rows that were left outside.
            try await keeper(test).keep(from: .first, through: .first + 19)
            try await expect(test, rows: (0..<20).map { "\(name(.first + $0))|4" })
        }
    }
}

extension Connection {
    fileprivate func insertObservation(at time: Timestamp) async throws {
        _ = try await query(
            Statement(
                "test",
                """
                insert into census.observation (device_id, event_id, occurred_at, corrected_at, received_at, app_number,
                    installation_id, type, surface, platform, app_version, channel, content)
                values ('00000000-0000-0000-0000-000000000001', 'late', $1, $1, $1, 1,
                    '00000000-0000-0000-0000-000000000002', 'widget_opened', 'widget', 'ios', '1', 'production', '{}')
                """), [time])
    }
}
