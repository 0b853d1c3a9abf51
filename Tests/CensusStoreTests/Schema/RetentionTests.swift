import CensusCore
import Nightly
import Postgres
import PostgresTesting
import Testing

@testable import CensusStore

@Suite struct `Kept observations` {
    private func keep(
        _ test: TestStore, days: Int, atATime: Int = 25, now: Timestamp = .now
    ) async throws -> Int {
        try await test.store.upkeep.setRetention(days: days)
        var sweep = RetentionSweep(store: test.store, logger: .quiet)
        sweep.stepSize = 3
        sweep.stepsAtATime = 2
        sweep.daysAtATime = atATime
        return try await sweep.keep(now: now).dropped
    }

    /// What a phone sent.
    private struct Told {
        var parcel: Parcel
        var id: String
        var at: Timestamp
        var day: Int { Int(ReportingZone.utc.day(of: at).daysSince1970 - Day.first.daysSince1970) }
    }

    /// What is neither stored nor in a base.
    private func lost(_ test: TestStore, of told: [Told]) async throws -> [String] {
        let bases = try await bases(test)
        let stored = Set(try await test.lines("select device_id, event_id from census.observation"))
        return told.filter { told in bases[told.parcel.device].map { $0 <= told.at } ?? true }
            .map { "\($0.parcel.device)|\($0.id)" }.filter { !stored.contains($0) }
    }

    /// From when on events are in no base, by device.
    private func bases(_ test: TestStore) async throws -> [Pseudonym: Timestamp] {
        let rows = try await test.store.pool.query(
            Statement("test", "select device_id, folded_through from census.device_base"), [])
        return Dictionary(
            uniqueKeysWithValues: try rows.map { row in
                (
                    try row.decode("device_id", as: Pseudonym.self),
                    try row.decode("folded_through", as: Timestamp.self) + .microseconds(1)
                )
            })
    }

    /// One night's turn, with a retention of thirty days.
    private func turn(_ test: TestStore, on day: Int) async throws -> RetentionSweep.Kept {
        try await test.store.upkeep.setRetention(days: 30)
        return try await RetentionSweep(store: test.store, logger: .quiet).keep(now: .day(day))
    }

    /// Observations by the day of their corrected time, counted from day 0.
    private func daysKept(_ test: TestStore) async throws -> [Int] {
        try await test.lines(
            "select distinct (corrected_at at time zone 'UTC')::date - $1::date as day from census.observation order by 1",
            [Day.first]
        ).compactMap(Int.init)
    }

    @Test func `what is older is dropped, and a day more is kept than the door takes`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            for day in 0...80 { phone.reports(["weather"], .day(day)) }
            try await test.tell(phone)
            try await test.night()
            // A night makes partitions for all that the door takes: ten days before the first, too.
            #expect(try await keep(test, days: 30) == 59)
            #expect(try await daysKept(test) == Array(49...80))
            #expect(try await test.store.upkeep.retention() == Retention(days: 30, keptFrom: .first + 49))
            #expect(try await keep(test, days: 30) == 0)
            #expect(try await test.differences() == [])
        }
    }

    /// Only their events say which app they are of.
    @Test func `devices whose events never count hold up no day`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var tester = Phone("tester")
            tester.circumstances.channel = "testflight"
            tester.reports(["weather"], .day(3))
            try await test.tell(tester, .everyDay)
            try await test.night()
            #expect(try await keep(test, days: 30) == 59)
            #expect(try await daysKept(test) == Array(49...80))
            #expect(try await test.value(Int.self, "select count(*) from census.device_base") == 2)
            #expect(try await test.differences() == [])
        }
    }

    @Test func `each night folds a week of some devices, and the day goes for which all have had their turn`()
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
            // The first sweep folds them all, and there is nothing to drop for a week. There were ten days before the first.
            #expect(try await turn(test, on: 50).dropped == 29)
            for day in 51..<57 { #expect(try await turn(test, on: day).dropped == 0) }
            var folded: Set<String> = []
            for day in 57..<71 {
                #expect(try await turn(test, on: day) == .init(dropped: 1))
                #expect(try await daysKept(test) == Array((day - 37)...80))
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

    @Test func `what was imported for devices that have had their turn holds up no day`() async throws {
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
            #expect(try await daysKept(test) == Array(20...80))
            #expect(try await test.lines("select count(*) from census.device_base") == ["21"])
            #expect(try await test.differences() == [])
        }
    }

    @Test func `a device that tells of more than a phone can holds up no day`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var test = test
            test.store.readRoom.plausibility = Plausibility(held: 3)
            var odd = Phone("odd")
            odd.reports(["one", "two", "three", "four"], .day(10))
            try await test.tell(odd, .everyDay)
            try await test.night()
            #expect(try await test.store.devices.countSetAside() == (0, 1))
            _ = try await keep(test, days: 30)
            #expect(try await daysKept(test) == Array(49...80))
        }
    }

    /// Everything of the last 40 days comes late, in random order, after what came before was dropped.
    @Test(arguments: TestStore.seeds(200..<208)) func `late data are folded onto what was dropped`(seed: UInt64)
        async throws
    {
        try await TestStore.with(isPartitioned: true) { test in
            var random = Seeded(seed)
            let phones = RandomFleet(seed, phones: 15).phones
            let all = phones.flatMap { phone in zip(phone.said, test.parcels(of: phone)) }
            let early = all.filter { $0.0.event.at < .day(25) || random.chance(50) }.map(\.1)
            let late = all.filter { $0.0.event.at >= .day(39, hour: 0) }.map(\.1)
            try await test.tell(Phone.everyDay)
            _ = try await test.store.log.append(early)
            try await test.night(.first + 60)
            // Day 39 is the last that is dropped: what comes for later days comes late.
            let dropped = all.filter { $0.0.event.at < .day(39, hour: 0) }.map(\.1)
            _ = try await test.store.log.append(dropped)
            // What is not reconciled is not dropped.
            let waiting = """
                select count(*)
                from census.observation
                where device_id in (select device_id from census.pending_device)
                """
            let before = try await test.value(Int.self, waiting)
            // All at a time: else what is reconciled before the first day that waits is folded, and goes.
            _ = try await keep(test, days: 40, atATime: 100)
            #expect(try await test.value(Int.self, waiting) == before)
            #expect(try await test.store.upkeep.partitions().first.map { $0 < .first + 39 } == true)
            try await test.night(.first + 60)
            #expect(try await test.store.upkeep.partitions().first == .first + 39)
            _ = try await test.store.log.append(late.shuffled(using: &random))
            try await test.night(.first + 78)

            try await TestStore.with(isPartitioned: true) { whole in
                try await whole.tell(Phone.everyDay)
                try await whole.tell(phones)
                try await whole.night(.first + 78)
                #expect(try await test.spans() == whole.spans())
                for table in ["kind_day_unsettled", "install_day", "device_day", "change_day", "outcome_day"] {
                    #expect(try await test.contents("census.\(table)") == whole.contents("census.\(table)"), "\(table)")
                }
                #expect(try await test.contents("census.phase") == whole.contents("census.phase"))
            }
            #expect(try await test.differences() == [])
        }
    }

    /// Nights as they come: missed, twice, broken off, before all is reconciled, with another retention; and phones that are
    /// imported with all their past.
    @Test(arguments: TestStore.seeds(300..<308))
    func `no observation is dropped that no base holds, and none stays for long`(seed: UInt64) async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var random = Seeded(seed)
            let phones = RandomFleet(seed, phones: 15).phones + [.everyDay]
            var days = 15
            try await test.store.upkeep.setRetention(days: days)
            var coming: [Int: [Told]] = [:]
            for phone in phones {
                // Some come with all their past.
                let begins = phone.id != Phone.everyDay.id && random.chance(40) ? random.below(80) : 0
                for (said, parcel) in zip(phone.said, test.parcels(of: phone)) {
                    let told = Told(parcel: parcel, id: said.event.id, at: said.event.at)
                    let late = begins == 0 && phone.id != Phone.everyDay.id && random.chance(20) ? random.below(20) : 0
                    coming[max(begins, told.day + late), default: []].append(told)
                }
            }
            var stored: [Told] = []
            for day in 0...80 {
                let now: Timestamp = .day(day, hour: 23)
                let oldest = try await now - test.store.upkeep.retention().accepted(at: now)
                let bases = try await bases(test)
                let today = (coming[day] ?? []).filter { $0.at >= oldest || bases[$0.parcel.device] == nil }
                _ = try await test.store.log.append(today.map(\.parcel))
                stored += today
                guard day >= 20, random.chance(80) else { continue }
                if random.chance(85) { try await test.reconcile() }
                if random.chance(10) {
                    days = random.pick([10, 14, 15, 16, 30])
                    try await test.store.upkeep.setRetention(days: days)
                }
                let keptFrom: Day = .first + day - days - 1
                if random.chance(15) {
                    let end = ReportingZone.utc.start(of: keptFrom)
                    let due = try await test.store.upkeep.dueBases(
                        after: .first, through: .last, before: end, limit: random.below(10) + 1)
                    _ = try await test.store.upkeep.advanceBases(of: due, before: end)
                }
                var sweep = RetentionSweep(store: test.store, logger: .quiet)
                sweep.stepSize = 3
                sweep.stepsAtATime = 2
                for _ in 0..<(random.chance(20) ? 2 : 1) { _ = try await sweep.keep(now: now) }
                if let known = try await test.store.upkeep.retention().keptFrom, known == keptFrom {
                    #expect(try await test.store.upkeep.partitions().first.map { $0 >= keptFrom - 6 } == true)
                }
                #expect(try await lost(test, of: stored) == [], "day \(day)")
            }
            try await test.night(.first + 78)
            #expect(try await test.lines("select reason from census.set_aside") == [])
            #expect(try await test.differences() == [])

            try await TestStore.with { whole in
                _ = try await whole.store.log.append(stored.map(\.parcel))
                try await whole.night(.first + 78)
                #expect(try await test.spans() == whole.spans())
                for table in ["kind_day_unsettled", "install_day", "device_day", "change_day", "outcome_day", "phase"] {
                    #expect(try await test.contents("census.\(table)") == whole.contents("census.\(table)"), "\(table)")
                }
            }
        }
    }

    /// The log had nothing any more by which to know them.
    @Test(arguments: [1, Int.max]) func `what comes again after it was dropped is not read again`(
        rowsToCopy: Int
    ) async throws {
        try await TestStore.with(rowsToCopy: rowsToCopy, isPartitioned: true) { test in
            var (phone, other) = (Phone("phone"), Phone("other"))
            for day in 0...80 {
                phone.reports(["weather"], .day(day))
                if day.isMultiple(of: 9) { other.failsToRead(.day(day)) }
            }
            try await test.tell(phone, other)
            try await test.night()
            _ = try await keep(test, days: 30)
            let reads = "select day, reads, reads_failed from report.coverage order by day"
            let before = try await test.lines(reads)
            for _ in 0..<2 {
                try await test.tell(phone, other)
                try await test.night()
                #expect(try await test.lines(reads) == before)
            }
            // What never came before is.
            var third = Phone("third")
            third.failsToRead(.day(20))
            try await test.tell(third)
            try await test.night()
            #expect(try await test.lines(reads) != before)
            #expect(try await test.differences() == [])
        }
    }

    @Test func `a setting that folds all again begins at what was dropped`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            for day in 0...80 { phone.reports(day < 60 ? ["weather"] : [], .day(day)) }
            try await test.tell(phone)
            try await test.night()
            let before = try await test.spans()
            _ = try await keep(test, days: 30)
            var settings = AppSettings()
            settings.zone = "America/New_York"
            try await test.store.apps.set(TestStore.appID, settings)
            try await test.night()
            #expect(try await test.spans() == before)
            #expect(try await test.differences() == [])
        }
    }

    @Test func `what is older than what was dropped is refused, though days are kept for longer now`() {
        let noon: Timestamp = .day(0, hour: 12)
        #expect(Retention(days: 90).accepted(at: noon) == .days(90))
        #expect(Retention(days: 90, keptFrom: .first - 91).accepted(at: noon) == .days(90))
        #expect(Retention(days: 90, keptFrom: .first - 31).accepted(at: noon) == .hours(31 * 24 + 12))
        // A clock that was set back must not turn away everything.
        #expect(Retention(days: 90, keptFrom: .first + 7).accepted(at: noon) == .days(1))
    }

    @Test func `a phone is answered from what was dropped, too`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var (phone, other) = (Phone("phone"), Phone("other"))
            phone.reports(["weather"], .day(10))
            other.reports(["weather"], .day(80))
            try await test.tell(phone, other)
            try await test.reconcile()
            let before = try await test.store.devices.state(of: test.device(phone), fold: test.app.fold)
            _ = try await keep(test, days: 30)
            #expect(try await daysKept(test) == [80])
            // Only the base knows it.
            try await test.execute("update census.device set checkpoint = null")
            let after = try await test.store.devices.state(of: test.device(phone), fold: test.app.fold)
            #expect(after == before)
            #expect(after.lastReportAt == .day(10))
        }
    }

    /// Clocks that are off put events into partitions of other days than theirs.
    @Test func `events lie where wrong clocks have put them, and are kept by their true time`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["old, clock ahead"], .day(10))
            phone.reports(["new, clock behind"], .day(70))
            phone.reports(["today"], .day(80))
            var parcels = test.parcels(of: phone)
            func sent(_ index: Int, at time: Timestamp) -> Parcel {
                var said = phone.said[index]
                said.event.occurredAt = time
                return Parcel(
                    phone.batch(of: said), appNumber: test.app.number, secret: test.secret,
                    received: said.event.at + .seconds(1))
            }
            parcels[0] = sent(0, at: .day(60))
            parcels[1] = sent(1, at: .day(5))
            _ = try await test.store.log.append(parcels)
            try await test.night()
            let before = try await test.spans()
            _ = try await keep(test, days: 30)
            #expect(try await daysKept(test).contains(70))
            #expect(try await test.lines("select count(*) from census.device_base") == ["1"])
            // Folded from the base on, nothing is missing and nothing counts twice.
            try await test.execute(
                "insert into census.pending_device (app_number, device_id) select app_number, device_id from census.device"
            )
            try await test.night()
            #expect(try await test.spans() == before)
        }
    }

    @Test func `a server's clock that jumps ahead drops nothing`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            for day in 0...80 { phone.reports(["weather"], .day(day)) }
            try await test.tell(phone)
            #expect(try await keep(test, days: 90, now: .now + .days(1_461)) == 0)
            #expect(try await daysKept(test) == Array(0...80))
        }
    }

    @Test func `killed between base and drop, the next night drops and counts nothing twice`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            let phones = RandomFleet(9, phones: 20).phones
            try await test.tell(Phone.everyDay)
            try await test.tell(phones)
            try await test.night()
            let before = try await test.spans()
            try await test.store.upkeep.setRetention(days: 30)
            let end = ReportingZone.utc.start(of: .first + 49)
            // Some bases are written, no partition is dropped.
            let due = try await test.store.upkeep.dueBases(after: .first, through: .last, before: end, limit: 5)
            _ = try await test.store.upkeep.advanceBases(of: due, before: end)
            #expect(try await keep(test, days: 30) == 59)
            try await test.execute(
                "insert into census.pending_device (app_number, device_id) select app_number, device_id from census.device"
            )
            try await test.night()
            #expect(try await test.spans() == before)
            #expect(try await test.differences() == [])
        }
    }

    @Test func `what was imported into a day meanwhile keeps it from being dropped`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(10))
            try await test.tell(phone)
            #expect(try await test.store.upkeep.dropPartition(.first + 10, before: .first + 49) == .holdsMore)
            #expect(try await daysKept(test) == [10])
        }
    }

    /// Then the door takes events again that are older than what was dropped, and their day is dropped once more.
    @Test func `what was dropped stays folded when days are kept for longer again`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var (phone, late) = (Phone("phone"), Phone("phone"))
            for day in 0...80 { phone.reports(day < 45 ? ["weather"] : [], .day(day)) }
            try await test.tell(phone)
            try await test.night()
            _ = try await keep(test, days: 30)
            let before = try await test.spans()
            let folded = try await test.lines("select folded_through from census.device_base")
            _ = try await keep(test, days: 70)
            for day in 10..<49 { late.reports(["late"], .day(day, hour: 13)) }
            try await test.tell(late)
            try await test.night()
            #expect(try await test.spans() == before)
            _ = try await keep(test, days: 60)
            #expect(try await test.lines("select folded_through from census.device_base") == folded)
            try await test.execute(
                "insert into census.pending_device (app_number, device_id) select app_number, device_id from census.device"
            )
            try await test.night()
            #expect(try await test.spans() == before)
            #expect(try await test.lines("select reason from census.set_aside") == [])
            #expect(try await test.differences() == [])
        }
    }

    /// The second found that a table it had listed no longer was there.
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
            #expect(try await daysKept(test) == Array(49...80))
        }
    }

    /// Each held a lock that the other one needed.
    @Test func `days are made while others are dropped`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            for day in 0...80 { phone.reports(["weather"], .day(day)) }
            try await test.tell(phone)
            try await test.night()
            try await test.store.upkeep.setRetention(days: 30)
            try await test.withSecondStore { second in
                async let dropped = RetentionSweep(store: test.store, logger: .quiet).keep()
                async let made = PartitionKeeper(store: second, logger: .quiet).keep(
                    from: .today + 8, through: .today + 200)
                let days = try await (dropped: dropped.dropped, made: made.done)
                #expect(days == (59, 193))
            }
        }
    }
}

extension Phone {
    /// Shows that there is a today.
    static var everyDay: Phone {
        var phone = Phone("every day")
        for day in 0...80 { phone.failsToRead(.day(day, hour: 0, minute: 1)) }
        return phone
    }
}
