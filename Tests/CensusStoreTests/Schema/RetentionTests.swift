import CensusCore
import Fleet
import Nightly
import Testing

@testable import CensusStore

@Suite struct `Kept observations` {
    /// One night's turn, with a retention of thirty days.
    private func turn(_ test: TestStore, on day: Int) async throws -> RetentionSweep.Kept {
        try await test.store.upkeep.setRetention(days: 30)
        return try await RetentionSweep(store: test.store, logger: .quiet).keep(now: .day(day))
    }

    @Test func `retention keeps one day more than the server accepts, and drops older ones`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            for day in 0...80 { phone.reports(["weather"], .day(day)) }
            try await test.tell(phone)
            try await test.night()
            // A night makes partitions for all days that the server accepts, including ten before the first.
            #expect(try await test.keep(days: 30) == 59)
            #expect(try await test.daysKept() == Array(49...80))
            #expect(try await test.store.upkeep.retention() == Retention(days: 30, keptFrom: .first + 49))
            #expect(try await test.keep(days: 30) == 0)
            #expect(try await test.differences() == [])
        }
    }

    /// Only their events name their app.
    @Test func `devices whose events never count don't keep a day from being dropped`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var tester = Phone("tester")
            tester.circumstances.channel = "testflight"
            tester.reports(["weather"], .day(3))
            try await test.tell(tester, .everyDay)
            try await test.night()
            #expect(try await test.keep(days: 30) == 59)
            #expect(try await test.daysKept() == Array(49...80))
            #expect(try await test.value(Int.self, "select count(*) from census.device_base") == 2)
            #expect(try await test.differences() == [])
        }
    }

    @Test func `each night folds a week of some devices, and drops the day that every device has folded`()
        async throws
    {
        try await TestStore.with(isPartitioned: true) { test in
            let phones = (0..<40).map { number in
                var phone = Phone("phone \(number)")
                for day in 0...80 { phone.reports(["weather"], .day(day)) }
                return phone
            }
            try await test.tell(phones)
            try await test.night()
            let before = try await test.spans()
            // The first sweep folds them all, so nothing is dropped for a week. Ten partitions are before the first.
            #expect(try await turn(test, on: 50).dropped == 29)
            for day in 51..<57 { #expect(try await turn(test, on: day).dropped == 0) }
            var folded: Set<String> = []
            for day in 57..<71 {
                #expect(try await turn(test, on: day) == .init(dropped: 1))
                #expect(try await test.daysKept() == Array((day - 37)...80))
                #expect(try await test.store.upkeep.retention().keptFrom == .first + day - 31)
                #expect(try await turn(test, on: day) == .init())
                let end = ReportingZone.utc.start(of: .first + day - 31) - .microseconds(1)
                let tonight = try await test.lines(
                    "select device_id from census.device_base where folded_through = $1", [end])
                #expect((1..<phones.count / 2).contains(tonight.count))
                #expect(folded.isDisjoint(with: tonight) == (day < 64))
                folded.formUnion(tonight)
            }
            #expect(folded.count == phones.count)
            try await test.execute(
                "insert into census.pending_device (app_number, device_id) select app_number, device_id from census.device"
            )
            try await test.night()
            #expect(try await test.spans() == before)
            #expect(try await test.differences() == [])
        }
    }

    @Test func `an import for devices that were just folded doesn't keep a day from being dropped`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            try await test.tell(.everyDay)
            try await test.night()
            for day in 50..<57 { _ = try await turn(test, on: day) }
            let phones = (0..<20).map { number in
                var phone = Phone("phone \(number)")
                phone.reports(["weather"], .day(19))
                return phone
            }
            try await test.tell(phones)
            try await test.reconcile()
            #expect(try await turn(test, on: 57).dropped == 1)
            #expect(try await test.daysKept() == Array(20...80))
            #expect(try await test.lines("select count(*) from census.device_base") == ["21"])
            #expect(try await test.differences() == [])
        }
    }

    @Test func `a device with implausible data doesn't keep a day from being dropped`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var test = test
            test.store.readLimits.plausibility = Plausibility(held: 3)
            var odd = Phone("odd")
            odd.reports(["one", "two", "three", "four"], .day(10))
            try await test.tell(odd, .everyDay)
            try await test.night()
            #expect(try await test.store.devices.countSetAside() == (0, 1))
            _ = try await test.keep(days: 30)
            #expect(try await test.daysKept() == Array(49...80))
        }
    }

    /// Wrong clocks put events into partitions of other days.
    @Test func `events in the partition of a wrong clock's day are kept by their true time`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["old, clock ahead"], .day(10))
            phone.reports(["new, clock behind"], .day(70))
            phone.reports(["today"], .day(80))
            var batches = test.batches(of: phone)
            func sent(_ index: Int, at time: Timestamp) -> BatchRows {
                var said = phone.observations[index]
                said.occurredAt = time
                return BatchRows(
                    phone.batch(of: said), appNumber: test.app.number, secret: test.secret,
                    received: said.at + .seconds(1))
            }
            batches[0] = sent(0, at: .day(60))
            batches[1] = sent(1, at: .day(5))
            _ = try await test.store.log.append(batches)
            try await test.night()
            let before = try await test.spans()
            _ = try await test.keep(days: 30)
            #expect(try await test.daysKept().contains(70))
            #expect(try await test.lines("select count(*) from census.device_base") == ["1"])
            // A fold from the base misses nothing and counts nothing twice.
            try await test.execute(
                "insert into census.pending_device (app_number, device_id) select app_number, device_id from census.device"
            )
            try await test.night()
            #expect(try await test.spans() == before)
        }
    }

    @Test func `a jump of the server's clock drops nothing`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            for day in 0...80 { phone.reports(["weather"], .day(day)) }
            try await test.tell(phone)
            #expect(try await test.keep(days: 90, now: .day(80 + 1_461)) == 0)
            #expect(try await test.daysKept() == Array(0...80))
        }
    }

    @Test func `an import into a day keeps it from being dropped`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(10))
            try await test.tell(phone)
            #expect(try await test.store.upkeep.dropPartition(.first + 10, before: .first + 49) == .holdsMore)
            #expect(try await test.daysKept() == [10])
        }
    }

    /// Regression: the second night failed on a table that it had listed and that was gone.
    @Test func `two nights at once drop the same days`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            for day in 0...80 { phone.reports(["weather"], .day(day)) }
            try await test.tell(phone)
            try await test.night()
            try await test.store.upkeep.setRetention(days: 30)
            try await test.withSecondStore { second in
                async let one = NightlyJob(store: test.store, logger: .quiet).run()
                async let other = NightlyJob(store: second, logger: .quiet).run()
                _ = try await (one, other)
            }
            #expect(try await test.daysKept() == Array(49...80))
        }
    }

    /// Regression: each held a lock that the other one needed.
    @Test func `days can be made while others are dropped`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            for day in 0...80 { phone.reports(["weather"], .day(day)) }
            try await test.tell(phone)
            try await test.night()
            try await test.store.upkeep.setRetention(days: 30)
            try await test.withSecondStore { second in
                async let dropped = RetentionSweep(store: test.store, logger: .quiet).keep(now: .day(80))
                // Nights make a week ahead, and midnight might have passed since `today` was read.
                async let made = PartitionKeeper(store: second, logger: .quiet).keep(
                    from: .today + 10, through: .today + 200)
                let days = try await (dropped: dropped.dropped, made: made.done)
                #expect(days == (59, 191))
            }
        }
    }
}

extension TestStore {
    /// - Returns: the number of dropped days.
    func keep(days: Int, atATime: Int = 25, now: Timestamp = .day(80)) async throws -> Int {
        try await store.upkeep.setRetention(days: days)
        var sweep = RetentionSweep(store: store, logger: .quiet)
        sweep.stepSize = 3
        sweep.stepsAtATime = 2
        sweep.daysAtATime = atATime
        return try await sweep.keep(now: now).dropped
    }

    /// Observations by the day of their corrected time, counted from day 0.
    func daysKept() async throws -> [Int] {
        try await lines(
            "select distinct (corrected_at at time zone 'UTC')::date - $1::date as day from census.observation order by 1",
            [Day.first]
        ).compactMap(Int.init)
    }
}

extension Phone {
    /// A phone that is heard from on every day, so that days end.
    static var everyDay: Phone {
        var phone = Phone("every day")
        for day in 0...80 { phone.failsToRead(.day(day, hour: 0, minute: 1)) }
        return phone
    }
}
