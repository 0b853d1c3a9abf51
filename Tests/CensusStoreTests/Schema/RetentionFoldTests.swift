import CensusCore
import Fleet
import Nightly
import Postgres
import PostgresTesting
import Testing

@testable import CensusStore

/// The counts that remain after observations were dropped.
@Suite struct `Counts after retention` {
    /// One observation that a phone sent.
    private struct Told {
        var rows: BatchRows
        var id: String
        var at: Timestamp
        var day: Int { Int(ReportingZone.utc.day(of: at).daysSince1970 - Day.first.daysSince1970) }
    }

    /// The observations that are neither stored nor in a base.
    private func lost(_ test: TestStore, of told: [Told]) async throws -> [String] {
        let bases = try await bases(test)
        let stored = Set(try await test.lines("select device_id, event_id from census.observation"))
        return told.filter { told in bases[told.rows.device].map { $0 <= told.at } ?? true }
            .map { "\($0.rows.device)|\($0.id)" }.filter { !stored.contains($0) }
    }

    /// The time from which events are in no base, by device.
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

    /// All events of the last 40 days arrive in random order after the earlier days were dropped.
    @Test(arguments: TestStore.seeds(200..<208)) func `late data is folded onto the base of dropped observations`(
        seed: UInt64
    )
        async throws
    {
        // Days are dropped by UTC and counted by the zone, so one day is dropped in part.
        let zone = ["UTC", "Europe/Prague", "America/New_York", "Pacific/Kiritimati"][Int(seed % 4)]
        try await TestStore.with(isPartitioned: true, zone: zone) { test in
            var random = Seeded(seed)
            let phones = RandomFleet(seed, phones: 15).phones
            let all = phones.flatMap { phone in zip(phone.observations, test.batches(of: phone)) }
            let early = all.filter { $0.0.at < .day(25) || random.chance(50) }.map(\.1)
            let late = all.filter { $0.0.at >= .day(39, hour: 0) }.map(\.1)
            try await test.tell(Phone.everyDay)
            _ = try await test.store.log.append(early)
            try await test.night(.first + 60)
            // Everything before day 39 will be dropped. Events from then on arrive late.
            let dropped = all.filter { $0.0.at < .day(39, hour: 0) }.map(\.1)
            _ = try await test.store.log.append(dropped)
            // Observations that are not reconciled are not dropped.
            let waiting = """
                select count(*)
                from census.observation
                where device_id in (select device_id from census.pending_device)
                """
            let before = try await test.value(Int.self, waiting)
            // All at once: otherwise reconciled days before the first one that waits would be folded and dropped.
            _ = try await test.keep(days: 40, atATime: 100)
            #expect(try await test.value(Int.self, waiting) == before)
            #expect(try await test.store.upkeep.partitions().first.map { $0 < .first + 39 } == true)
            try await test.night(.first + 60)
            #expect(try await test.store.upkeep.partitions().first == .first + 39)
            _ = try await test.store.log.append(late.shuffled(using: &random))
            try await test.night(.first + 78)

            try await TestStore.with(isPartitioned: true, zone: zone) { whole in
                try await whole.tell(Phone.everyDay)
                try await whole.tell(phones)
                try await whole.night(.first + 78)
                #expect(try await test.spans() == whole.spans())
                for table in [
                    "kind_day_unsettled", "install_day", "device_day", "change_day", "outcome_day", "active_day",
                ] {
                    #expect(try await test.contents("census.\(table)") == whole.contents("census.\(table)"), "\(table)")
                }
                #expect(try await test.contents("census.phase") == whole.contents("census.phase"))
            }
            #expect(try await test.differences() == [])
        }
    }

    /// Nights are missed, repeated, broken off, early or under another retention, and some phones are imported with all
    /// their past.
    @Test(arguments: TestStore.seeds(300..<308))
    func `no observation is dropped before a base holds it, and none stays for long`(seed: UInt64) async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var random = Seeded(seed)
            let phones = RandomFleet(seed, phones: 15).phones + [.everyDay]
            var days = 15
            try await test.store.upkeep.setRetention(days: days)
            var coming: [Int: [Told]] = [:]
            for phone in phones {
                // Some are imported with all their past.
                let begins = phone.id != Phone.everyDay.id && random.chance(40) ? random.below(80) : 0
                for (said, rows) in zip(phone.observations, test.batches(of: phone)) {
                    let told = Told(rows: rows, id: said.id, at: said.at)
                    let late = begins == 0 && phone.id != Phone.everyDay.id && random.chance(20) ? random.below(20) : 0
                    coming[max(begins, told.day + late), default: []].append(told)
                }
            }
            var stored: [Told] = []
            for day in 0...80 {
                let now: Timestamp = .day(day, hour: 23)
                let oldest = try await now - test.store.upkeep.retention().accepted(at: now)
                let bases = try await bases(test)
                let today = (coming[day] ?? []).filter { $0.at >= oldest || bases[$0.rows.device] == nil }
                _ = try await test.store.log.append(today.map(\.rows))
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
                _ = try await whole.store.log.append(stored.map(\.rows))
                try await whole.night(.first + 78)
                #expect(try await test.spans() == whole.spans())
                for table in ["kind_day_unsettled", "install_day", "device_day", "change_day", "outcome_day", "phase"] {
                    #expect(try await test.contents("census.\(table)") == whole.contents("census.\(table)"), "\(table)")
                }
            }
        }
    }

    /// Regression: the log had nothing left by which to recognize them.
    @Test(arguments: AppendWay.allCases) func `dropped observations that arrive again don't count again`(
        way: AppendWay
    ) async throws {
        try await TestStore.with(appends: way, isPartitioned: true) { test in
            var (phone, other) = (Phone("phone"), Phone("other"))
            for day in 0...80 {
                phone.reports(["weather"], .day(day))
                if day.isMultiple(of: 9) { other.failsToRead(.day(day)) }
            }
            try await test.tell(phone, other)
            try await test.night()
            _ = try await test.keep(days: 30)
            let reads = "select day, reads, reads_failed from report.coverage order by day"
            let before = try await test.lines(reads)
            for _ in 0..<2 {
                try await test.tell(phone, other)
                try await test.night()
                #expect(try await test.lines(reads) == before)
            }
            // New observations count.
            var third = Phone("third")
            third.failsToRead(.day(20))
            try await test.tell(third)
            try await test.night()
            #expect(try await test.lines(reads) != before)
            #expect(try await test.differences() == [])
        }
    }

    @Test func `a setting that refolds every device starts from its base`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            for day in 0...80 { phone.reports(day < 60 ? ["weather"] : [], .day(day)) }
            try await test.tell(phone)
            try await test.night()
            let before = try await test.spans()
            _ = try await test.keep(days: 30)
            var settings = AppSettings()
            settings.zone = "America/New_York"
            try await test.store.apps.set(TestStore.appID, settings)
            try await test.night()
            #expect(try await test.spans() == before)
            #expect(try await test.differences() == [])
        }
    }

    /// Regression: events around the dropped days were counted on both days by which the zones differ, at each change.
    @Test(arguments: TestStore.seeds(400..<404))
    func `changing a zone and changing it back leaves every use on its day`(seed: UInt64) async throws {
        let zone = "Europe/Berlin"
        try await TestStore.with(isPartitioned: true, zone: zone) { test in
            try await test.tell(RandomFleet(seed, phones: 20).phones)
            try await test.night()
            _ = try await test.keep(days: 30)
            let uses = "select * from report.usage order by day, surface, kind, event"
            let before = try await test.lines(uses)
            #expect(before.count > 10)
            for other in ["America/New_York", "Asia/Tokyo"] {
                for zone in [other, zone] {
                    var settings = AppSettings()
                    settings.zone = zone
                    try await test.store.apps.set(TestStore.appID, settings)
                    try await test.night()
                    #expect(try await test.differences() == [])
                }
                #expect(try await test.lines(uses) == before, "\(other)")
            }
        }
    }

    @Test func `events older than the dropped days are rejected, even under a longer retention`() {
        let noon: Timestamp = .day(0, hour: 12)
        #expect(Retention(days: 90).accepted(at: noon) == .days(90))
        #expect(Retention(days: 90, keptFrom: .first - 91).accepted(at: noon) == .days(90))
        #expect(Retention(days: 90, keptFrom: .first - 31).accepted(at: noon) == .hours(31 * 24 + 12))
        // A clock that was set back must not reject everything.
        #expect(Retention(days: 90, keptFrom: .first + 7).accepted(at: noon) == .days(1))
    }

    @Test func `a device's state includes dropped observations`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var (phone, other) = (Phone("phone"), Phone("other"))
            phone.reports(["weather"], .day(10))
            other.reports(["weather"], .day(80))
            try await test.tell(phone, other)
            try await test.reconcile()
            let before = try await test.store.devices.state(of: test.device(phone), fold: test.app.fold)
            _ = try await test.keep(days: 30)
            #expect(try await test.daysKept() == [80])
            // Leaves only the base.
            try await test.execute("update census.device set checkpoint = null")
            let after = try await test.store.devices.state(of: test.device(phone), fold: test.app.fold)
            #expect(after == before)
            #expect(after.lastReportAt == .day(10))
        }
    }

    @Test func `after a crash between base and drop, the next night drops days and counts nothing twice`() async throws
    {
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
            #expect(try await test.keep(days: 30) == 59)
            try await test.execute(
                "insert into census.pending_device (app_number, device_id) select app_number, device_id from census.device"
            )
            try await test.night()
            #expect(try await test.spans() == before)
            #expect(try await test.differences() == [])
        }
    }

    /// Then the server accepts events that are older than the dropped days, and their day is dropped again.
    @Test func `dropped observations stay folded under a longer retention`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var (phone, late) = (Phone("phone"), Phone("phone"))
            for day in 0...80 { phone.reports(day < 45 ? ["weather"] : [], .day(day)) }
            try await test.tell(phone)
            try await test.night()
            _ = try await test.keep(days: 30)
            let before = try await test.spans()
            let folded = try await test.lines("select folded_through from census.device_base")
            _ = try await test.keep(days: 70)
            for day in 10..<49 { late.reports(["late"], .day(day, hour: 13)) }
            try await test.tell(late)
            try await test.night()
            #expect(try await test.spans() == before)
            _ = try await test.keep(days: 60)
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
}
