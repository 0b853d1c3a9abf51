import CensusCore
import Fleet
import Nightly
import Postgres
import Testing

@testable import CensusStore

/// A device's older observations are dropped, and its base is not one that this program wrote.
@Suite struct `Unreadable pasts` {
    /// A phone whose observations are kept for the last month only.
    private func withPast(_ body: (TestStore, Phone) async throws -> Void) async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            for day in 0...80 { phone.reports(day < 20 ? ["weather"] : ["search"], .day(day)) }
            try await test.tell(phone)
            try await test.night()
            try await keep(test)
            #expect(try await test.lines("select count(*) from census.device_base") == ["1"])
            try await body(test, phone)
        }
    }

    private func keep(_ test: TestStore, days: Int = 30) async throws {
        try await test.store.upkeep.setRetention(days: days)
        var sweep = RetentionSweep(store: test.store, logger: .quiet)
        sweep.turns = 1
        _ = try await sweep.keep()
    }

    /// Writes the older rules into the newest checkpoints.
    private func foldByOlderRules(_ test: TestStore) async throws {
        let rules = "decode(lpad(to_hex(\(DeviceFold.rules - 1)), 4, '0'), 'hex')"
        try await test.execute("update census.device set checkpoint = overlay(checkpoint placing \(rules) from 7)")
    }

    /// The device's counts, and the state behind them.
    private func stored(_ test: TestStore) async throws -> [String] {
        try await test.contents("census.span") + test.contents("census.phase") + test.ledger()
            + test.contents("census.device_base")
            + test.lines("select device_id, last_ordinal, silent_at from census.device order by 1")
    }

    private static let newer = "'\\x57434453' || '\\x7fff7fff'::bytea || sha256('')"
    private static let spoils = [
        "update census.device_base set state = \(newer)",
        "update census.device_base set state = set_byte(state, 40, get_byte(state, 40) # 1)",
        "update census.device_base set state = substring(state from 1 for length(state) - 1)",
        "update census.device_base set state = '\\x01'",
        "update census.device_base set state = ''",
        "delete from census.device_base",
    ]

    @Test(arguments: spoils) func `the device is set aside with all its data and never starts from nothing`(
        spoil: String
    ) async throws {
        try await withPast { test, phone in
            try await test.execute(
                """
                create table public.kept as select * from census.device_base;
                \(spoil);
                update census.device set checkpoint = null;
                insert into census.pending_device (app_number, device_id) select app_number, device_id from census.device
                """)
            let before = try await stored(test)
            for _ in 0..<2 {
                #expect(try await test.reconcile().setAside <= 1)
                #expect(try await test.lines("select count(*) from census.set_aside") == ["1"])
                #expect(
                    try await test.store.devices.state(of: test.device(phone), fold: test.app.fold) == DeviceState())
                #expect(try await test.store.devices.retrySetAside() == 1)
            }
            try await test.night()
            #expect(try await stored(test) == before)

            // Days that it needs are kept, and others are dropped.
            var other = Phone("other")
            other.reports(["weather"], .day(80))
            try await test.tell(other)
            try await test.night()
            try await keep(test, days: 10)
            #expect(try await test.store.upkeep.partitions().first == .first + 69)
            #expect(
                try await test.lines(
                    "select count(*) from census.observation where device_id = $1", [test.device(phone)])
                    == ["32"])

            // With its base restored, it continues as if nothing had happened.
            try await test.execute(
                "delete from census.device_base; insert into census.device_base select * from public.kept")
            try await test.night()
            #expect(try await test.lines("select reason from census.set_aside") == [])
            #expect(try await test.spans() == test.foldedSpans([phone, other]))
            #expect(try await test.differences() == [])
            try await keep(test, days: 9)
            #expect(try await test.lines("select count(*) from census.observation_other") == ["0"])
            try await test.execute(
                "insert into census.pending_device (app_number, device_id) select app_number, device_id from census.device"
            )
            try await test.night()
            #expect(try await test.spans() == test.foldedSpans([phone, other]))
            #expect(try await test.differences() == [])
        }
    }

    /// The newest checkpoint hides the damage until the base is advanced.
    @Test(arguments: spoils)
    func `an unreadable base is not advanced, and no day that it needs is dropped`(spoil: String) async throws {
        try await withPast { test, phone in
            try await test.execute(
                """
                create table public.kept as select * from census.device_base;
                \(spoil)
                """)
            let spans = try await test.spans()
            try await keep(test, days: 10)
            #expect(try await test.lines("select count(*) from census.set_aside") == ["1"])
            try await keep(test, days: 10)
            #expect(try await test.store.upkeep.partitions().first == .first + 69)
            #expect(try await test.lines("select count(*) from census.observation") == ["32"])
            try await test.execute(
                "delete from census.device_base; insert into census.device_base select * from public.kept")
            try await test.night()
            #expect(try await test.spans() == spans)
            #expect(try await test.lines("select count(*) from census.set_aside") == ["0"])
        }
    }

    @Test func `reading an unreadable base is a data error`() async throws {
        try await withPast { test, phone in
            try await test.execute("update census.device_base set state = '\\x57'")
            let error = await #expect(throws: StoreError.self) {
                _ = try await test.store.devices.base(of: test.device(phone), fold: test.app.fold)
            }
            #expect(error?.fault == .data)
        }
    }

    /// The days since the database was made, and since its rules changed.
    @Test(arguments: [(40, 29, 1), (40, 31, 0), (29, 29, 0)])
    func `a night looks for devices that an older node folded while one might run`(made: Int, changed: Int, found: Int)
        async throws
    {
        try await withPast { test, _ in
            try await foldByOlderRules(test)
            try await test.execute(
                """
                update census_schema.version
                set applied_at = now() - interval '1 day' * case when version = -1 then \(changed) else \(made) end
                """)
            let summary = try await NightlyJob(store: test.store, logger: .quiet).run(day: nil)
            #expect(summary.reconciled.refolded == found)
        }
    }

    @Test func `a change of rules refolds a device onto its base, which records the older rules`() async throws {
        try await withPast { test, phone in
            // Both are as the older rules left them: the newest checkpoint, and the base.
            let bases = try await test.store.pool.query(
                Statement("test", "select device_id, state from census.device_base"), [])
            let base = try #require(try bases.first?.decode(ByteArray.self, at: 1))
            let older = try #require(DeviceFold.underOlderRules(base.bytes))
            _ = try await test.store.pool.query(
                Statement("test", "update census.device_base set state = $1"), [ByteArray(older)])
            try await foldByOlderRules(test)
            let spans = try await test.spans()
            #expect(try await test.store.devices.queueOutdated() == 1)
            #expect(try await test.store.devices.queueOutdated() == 0, "it is queued already")
            #expect(try await test.reconcile().refolded == 1)
            #expect(try await test.store.devices.queueOutdated() == 0)
            #expect(try await test.spans() == spans)
            #expect(try await test.differences() == [])
            let past = try #require(try await test.store.devices.base(of: test.device(phone), fold: test.app.fold))
            #expect(past.state.olderRules == [Int(DeviceFold.rules) - 1])
            // The next base records them, too.
            try await keep(test, days: 10)
            let next = try #require(try await test.store.devices.base(of: test.device(phone), fold: test.app.fold))
            #expect(next.state.olderRules == [Int(DeviceFold.rules) - 1])
            #expect(next.state.lastHeardAt != past.state.lastHeardAt)
        }
    }
}
