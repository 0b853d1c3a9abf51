import CensusCore
import Fleet
import Nightly
import Postgres
import PostgresTesting
import Testing

@testable import CensusStore

@Suite struct `Forgotten devices` {
    /// A phone with rows in every table.
    private static func phone(_ id: String = "forgotten", installation: UInt64 = 1_000) -> Phone {
        var phone = Phone(id, platform: .android)
        phone.installation = installation
        for day in 1...78 where day % 3 == 0 {
            phone.reports(
                [
                    Placement(kind: "weather", intent: "AnIntent", configuration: "a-configuration"): 1,
                    Placement(kind: "weather", instance: "an-instance"): 1, Placement(kind: "search"): 1,
                ], .day(day))
        }
        phone.reinstalls(.day(40))
        phone.boots(.day(41))
        phone.reports(["search"], .day(79))
        return phone
    }

    private func refuse(_ phone: Phone, _ test: TestStore) async throws {
        let body =
            #"{"sent_at":"2026-01-05T09:00:00Z","app":{"id":"com.example.weather","version":"1"},"#
            + #""device":{"id":"\#(phone.id)","platform":"ios","osVersion":"17.1"},"installation":{"id":"1"},"events":["#
            + #"{"id":"odd","type":"widget_danced","at":"2026-01-05T08:00:00Z","x":"a-refusal"}]}"#
        let received = try #require(Timestamp(rfc3339: "2026-01-05T09:00:00Z"))
        let batch = try BatchDecoder().decode(Array(body.utf8), received: received)
        _ = try await test.store.log.append([
            BatchRows(batch, appNumber: test.app.number, secret: test.secret, received: received)
        ])
    }

    @Test func `an erasure leaves nothing in any table and doesn't touch other devices`() async throws {
        try await TestStore.with { test in
            try await PartitionKeeper(store: test.store, logger: .quiet).keep(from: .first + 10, through: .today + 7)
            let phone = Self.phone()
            let others = RandomFleet(3, phones: 20).phones + [Self.phone("another", installation: 2_000)]
            try await test.tell(others + [phone])
            try await test.night(.first + 78)
            try await test.store.upkeep.setRetention(days: 40)
            _ = try await RetentionSweep(store: test.store, logger: .quiet).keep()
            try await refuse(phone, test)
            try await refuse(others[20], test)
            var late = phone
            late.opens(.day(79, hour: 11))
            try await test.tell(late)
            let device = test.device(phone)
            try await test.execute(
                """
                insert into census.set_aside (device_id, app_number, reason)
                values ('\(device)', \(test.app.number), 'a test')
                """)
            let installation = test.secret.installation(phone.observations[0].installationID, app: TestStore.appID)
            let pseudonyms = try await test.tables(holding: "\(device)", "\(installation)")
            for table in [
                "device", "device_base", "observation_other", "pending_device", "phase", "refused", "set_aside", "span",
                "warned",
            ] {
                #expect(pseudonyms.contains("census.\(table)"), "\(table)")
            }
            #expect(pseudonyms.contains { $0.hasPrefix("census.observation_2") })
            let strings = ["a-configuration", "an-instance", "a-refusal"]
            for string in strings { #expect(try await test.tables(holding: string) != []) }
            // The other phone sent the same strings.
            try await test.forget(others[20])
            let unlike = "device_id <> all(array['\(device)', '\(test.device(others[20]))']::uuid[])"
            func theirs() async throws -> [String] {
                var theirs: [String] = []
                for table in [
                    "observation", "device", "device_base", "span", "phase", "pending_device", "refused", "warned",
                ] {
                    theirs += try await test.lines(
                        """
                        select line::text
                        from census.\(table) as line
                        where \(unlike)
                            and device_id in (select distinct device_id from census.observation)
                        order by line::text collate "C"
                        """)
                }
                return theirs
            }
            let before = try await theirs()

            let erasure = try await test.forget(phone)
            #expect(erasure.wasCounted)
            #expect(erasure.events > 10)
            #expect(try await test.rows(of: [device]) == 0)
            #expect(try await test.tables(holding: "\(device)", "\(installation)") == [])
            for string in strings { #expect(try await test.tables(holding: string) == [], "\(string)") }
            // Like a kind, an intent is a name from the app. It stays with the counts of past days.
            let intents = try await test.tables(holding: "AnIntent")
            #expect(Set(intents).isSubset(of: ["census.intent_day", "census.intent_entry", "census.span"]))
            #expect(try await theirs() == before)
            #expect(before.count > 300)
            #expect(try await test.differences() == [])
        }
    }

    /// Random phones, some of them erased at random times.
    @Test(arguments: TestStore.seeds(300..<316)) func `past days keep their numbers, and the ledger stays correct`(
        seed: UInt64
    ) async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var random = Seeded(seed)
            let phones = RandomFleet(seed, phones: 12).phones
            try await test.tell(phones)
            try await test.night(.first + 78)
            #expect(try await test.differences() == [])
            var earliest = Day.today
            for phone in phones.shuffled(using: &random).prefix(5) {
                let time = Timestamp.day(random.below(90), hour: Int64(random.below(24)))
                let before = try await days(test, until: ReportingZone.utc.day(of: time))
                try await test.forget(phone, at: time)
                earliest = min(earliest, ReportingZone.utc.day(of: time))
                #expect(try await test.differences() == [], "seed \(seed)")
                if random.chance(50) { try await test.night(.first + 78) }
                try await test.reconcile()
                #expect(try await days(test, until: ReportingZone.utc.day(of: time)) == before, "seed \(seed)")
                #expect(try await test.differences() == [], "seed \(seed)")
            }
            try await test.night(.first + 79)
            #expect(try await test.differences() == [])
            for zone in ["Pacific/Auckland", "America/Los_Angeles", "UTC"] {
                var settings = AppSettings()
                settings.zone = zone
                if random.chance(50) { settings.windowDays = 20 + random.below(20) }
                try await test.store.apps.set(TestStore.appID, settings)
                try await test.night(.first + 78)
                #expect(try await test.differences() == [], "seed \(seed) \(zone)")
                #expect(
                    try await test.value(
                        Int.self, "select count(*) from census.device where zone is distinct from $1", [zone]) == 0)
            }
        }
    }

    /// The numbers of the closed days before a day, with the entries that wait for a night.
    private func days(_ test: TestStore, until day: Day) async throws -> [String] {
        try await test.lines(
            """
            select
                closed_day.day,
                entered.kind,
                sum(entered.devices_certain),
                sum(entered.devices_possible),
                sum(entered.widgets_certain),
                sum(entered.widgets_suspect)
            from census.closed_day
            join (
                select day, kind, devices_certain, devices_possible, widgets_certain, widgets_suspect, true as is_level
                from census.kind_day
                union all
                select day, kind, devices_certain, devices_possible, widgets_certain, widgets_suspect, false
                from census.kind_entry
            ) as entered
                on case when entered.is_level then entered.day = closed_day.day else entered.day <= closed_day.day end
            where closed_day.day < $1
            group by closed_day.day, entered.kind
            having sum(entered.devices_possible) > 0
            order by closed_day.day, entered.kind collate "C"
            """, [day])
    }

    @Test func `counts drop from the day of the erasure on, and changes name the cause`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var (one, other) = (Phone("one"), Phone("other"))
            one.reports(["weather", "weather"], .day(60))
            other.reports(["weather"], .day(61))
            try await test.tell(one, other)
            try await test.night(.first + 78)
            let live = "select kind, devices_certain, widgets_certain from report.live_now"
            #expect(try await test.lines(live) == ["weather|2|3"])
            try await test.forget(one, at: .day(70))
            #expect(try await test.lines(live) == ["weather|1|1"])
            try await test.night(.first + 78)
            #expect(try await test.lines(live) == ["weather|1|1"])
            let days = try await test.lines(
                """
                select day - $1::date, devices_certain
                from report.live_kinds
                where day - $1::date in (60, 61, 69, 70, 78)
                order by day
                """, [Day.first])
            #expect(days == ["60|1", "61|2", "69|2", "70|1", "78|1"])
            let changes = try await test.lines(
                "select day - $1::date, cause, widgets_added, widgets_removed from report.changes order by day, cause",
                [Day.first])
            #expect(changes == ["60|installed|2|0", "61|installed|1|0", "70|forgotten|0|2"])
            #expect(try await test.lines("select count(*) from report.retirement where devices_silent > 0") == ["0"])
        }
    }

    /// Regression: events that waited for the reconciler were deleted with the device, and past days missed them.
    @Test func `events that waited for the reconciler count on past days, too`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var (one, other) = (Phone("one"), Phone("other"))
            one.reports(["weather"], .day(60))
            other.reports(["weather"], .day(61))
            try await test.tell(one, other)
            try await test.forget(one, at: .day(70))
            try await test.night(.first + 78)
            let days = try await test.lines(
                """
                select day - $1::date, devices_certain
                from report.live_kinds
                where day - $1::date in (60, 61, 69, 70)
                order by day
                """, [Day.first])
            #expect(days == ["60|1", "61|2", "69|2", "70|1"])
            #expect(try await test.rows(of: [test.device(one)]) == 0)
            #expect(try await test.differences() == [])
        }
    }

    @Test func `an erasure doesn't change the end of a device that was already silent`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(10))
            try await test.tell(phone)
            try await test.night(.first + 78)
            let before = try await test.ledger()
            try await test.forget(phone)
            // It stays a silent holder for a year, because its screen still shows the widgets.
            #expect(try await test.entries().count == 1)
            let later = try await test.lines(
                "select day - $1::date, devices_silent from census.kind_entry", [Day.first])
            #expect(later == ["403|-1"])
            try await test.night(.first + 78)
            #expect(try await test.ledger() == before)
            #expect(try await test.lines("select ended_cause, to_at is null from census.span") == ["silent|f"])
            #expect(try await test.differences() == [])
        }
    }

    @Test func `late events of an erased device are accepted and dropped`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(60))
            try await test.tell(phone)
            try await test.night(.first + 78)
            try await test.forget(phone)
            let before = try await test.entries() + test.ledger()
            phone.reports(["weather", "search"], .day(61))
            phone.failsToRead(.day(62))
            let outcome = try await test.tell(phone)
            #expect(outcome == AppendOutcome(received: 3, stored: 0))
            try await refuse(phone, test)
            try await test.reconcile()
            #expect(try await test.rows(of: [test.device(phone)]) == 0)
            #expect(try await test.entries() + test.ledger() == before)
            // Other devices in the same commit are stored.
            var other = Phone("other")
            other.opens(.day(61))
            #expect(try await test.tell(phone, other).stored == 1)
            #expect(try await test.forget(phone) == Erasure())
            #expect(try await test.value(Int.self, "select count(*) from census.forgotten") == 1)
        }
    }

    @Test func `an unknown device can be erased, too`() async throws {
        try await TestStore.with { test in
            var phone = Phone("phone")
            let erasure = try await test.forget(phone)
            #expect(erasure == Erasure())
            phone.reports(["weather"], .day(60))
            #expect(try await test.tell(phone).stored == 0)
            #expect(try await test.rows(of: [test.device(phone)]) == 0)
        }
    }

    @Test func `the hash is dropped after retention, and its id then means a new device`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var (phone, other) = (Phone("phone"), Phone("other"))
            for day in 0...80 { other.reports(["weather"], .day(day)) }
            phone.reports(["weather"], .day(3))
            try await test.tell(phone, other)
            try await test.night(.first + 78)
            try await test.forget(phone, at: .day(40))
            try await test.store.upkeep.setRetention(days: 38)
            let hashes = "select count(*) from census.forgotten"
            _ = try await RetentionSweep(store: test.store, logger: .quiet).keep()
            #expect(try await test.value(Int.self, hashes) == 1)
            try await test.store.upkeep.setRetention(days: 37)
            _ = try await RetentionSweep(store: test.store, logger: .quiet).keep()
            #expect(try await test.value(Int.self, hashes) == 0)
            phone.reports(["weather"], .day(79))
            #expect(try await test.store.log.append([test.batches(of: phone)[1]]).stored == 1)
            try await test.night(.first + 79)
            #expect(try await test.differences() == [])
        }
    }
}

extension Phone {
    mutating func opens(_ at: Timestamp) { happens(.opened(Placement(kind: "weather")), at) }
}
