import CensusCore
import CensusStore
import Fleet
import Nightly
import Testing

@Suite struct `Nights` {
    private func fleet(_ test: TestStore, _ seed: UInt64 = 1) async throws -> [Phone] {
        let phones = RandomFleet(seed, phones: 15).phones
        try await test.tell(phones)
        return phones
    }

    @Test func `a night fills the report`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(
                [Placement(kind: "weather", family: "systemSmall"): 2, Placement(kind: "search"): 1], .day(1))
            try await test.tell(phone)
            let night = try await test.night(.first + 2)
            #expect(night?.closed?.from == .first + 1)
            #expect(night?.closed?.through == .first + 2)
            #expect(night?.closed?.cellsChanged == 4)
            let table = try await test.store.reports.read(
                "live_kinds", ReportFilter(app: TestStore.appID, kind: "weather")
            ).with(["day", "devices_certain", "devices_possible", "widgets_certain", "devices_certain_first_known"])
            #expect(table.rows == [1, 2].map { ["\(Day.first + $0)", "1", "1", "2", "1"] })
        }
    }

    @Test func `a night without a day closes the last one that has ended`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(75))
            try await test.tell(phone)
            let night = try await test.night()
            let last = try await test.value(Day.self, "select (now() at time zone 'UTC')::date - 1")
            #expect(night?.closed?.through == last)
        }
    }

    @Test func `a night for a day that has not ended is rejected`() async throws {
        try await TestStore.with { test in
            _ = try await fleet(test)
            let error = await #expect(throws: StoreError.self) { try await test.night(.today + 1) }
            #expect(error?.fault == .request)
            #expect(error?.description.contains("has not ended") == true)
        }
    }

    /// Regression: a night ran while the server's clock was 13 months ahead, and those days were never closed again.
    @Test(arguments: [false, true]) func `days that were closed before they ended are closed again when they end`(
        isHeard: Bool
    ) async throws {
        try await TestStore.with(isPartitioned: true) { test in
            _ = try await fleet(test)
            let before = try await test.night()
            let ledger = try await test.ledger()
            let work = try #require(try await test.store.ledger.work(app: nil).first)
            #expect(!work.isAhead)
            _ = try await test.store.ledger.close(work, through: work.lastEndedDay + 395)
            let last = "select max(day) - (now() at time zone 'UTC')::date from census.closed_day"
            #expect(try await test.lines(last) == ["394"])
            if isHeard {
                // A phone's clock is ahead, too, so the server's might be behind now. No night reopens days then.
                try await test.execute(
                    """
                    update census.observation set occurred_at = now() + interval '100 days'
                    where (device_id, event_id, occurred_at) in (
                        select device_id, event_id, occurred_at from census.observation limit 1)
                    """)
                try await test.night()
                #expect(try await test.lines(last) == ["394"])
                _ = try await NightlyJob(store: test.store, logger: .quiet).run(rebuilds: true)
                #expect(try await test.lines(last) == ["-1"])
            } else {
                let night = try await test.night()
                #expect(night?.closed?.isRecounted == true)
                #expect(night?.closed?.daysRestated == 0)
                #expect(night?.closed?.through == before?.closed?.through)
                #expect(try await test.ledger() == ledger)
            }
            #expect(try await test.differences() == [])
            #expect(try await test.night()?.closed?.isRecounted == false)
        }
    }

    @Test func `a night without any production data closes no day`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var tester = Phone("tester")
            tester.circumstances.channel = "testflight"
            tester.reports(["weather"], .day(1))
            try await test.tell(tester)
            #expect(try await test.night()?.closed == nil)
            #expect(try await test.ledger() == [])
        }
    }

    @Test func `a device without widgets is active and adds no kind`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports([:], .day(1))
            try await test.tell(phone)
            #expect(try await test.night(.first + 2)?.closed?.daysClosed == 2)
            #expect(try await test.contents("census.kind_day") == [])
            let active = try await test.lines(
                "select day - $1::date, devices_active, devices_with_widget from census.device_day order by day",
                [Day.first])
            #expect(active == ["1|1|0", "2|1|0"])
        }
    }

    @Test func `a second run changes nothing`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            _ = try await fleet(test)
            try await test.night()
            let before = try await test.ledger()
            for _ in 0..<2 {
                let again = try await test.night()
                #expect(again?.closed?.cellsChanged ?? 0 == 0)
                #expect(try await test.ledger() == before)
            }
        }
    }

    /// Regression: every closed day was reported and stored as restated.
    @Test func `a recount restates only the days that were wrong`() async throws {
        func recount(_ test: TestStore, _ day: Day) async throws -> NightlyJob.Night? {
            try await NightlyJob(store: test.store, logger: .quiet).run(day: day, rebuilds: true).nights.first
        }
        let restated = """
            select day - $1::date as number
            from census.closed_day
            where restated_at is not null
            order by number
            """
        try await TestStore.with(isPartitioned: true) { test in
            _ = try await fleet(test)
            try await test.night(.first + 76)
            let before = try await test.ledger()
            let same = try await recount(test, .first + 76)?.closed
            #expect(same?.isRecounted == true)
            #expect(same?.daysRestated == 0 && same?.daysClosed == 0 && same?.cellsChanged == 0)
            #expect(try await test.ledger() == before)

            // With a new day, that one is closed and nothing is restated.
            let next = try await recount(test, .first + 77)?.closed
            #expect(next?.daysRestated == 0 && next?.daysClosed == 1)
            #expect(next?.from == .first + 77)
            #expect(try await test.lines(restated, [Day.first]) == [])

            let right = try await test.contents("census.kind_day")
            for (column, number) in [
                ("kind_day set widgets_reported", 30), ("install_day set widgets_reported", 41),
                ("device_day set devices_active", 60),
            ] {
                try await test.execute("update census.\(column) = 7777 where day = date '\(Day.first + number)'")
            }
            let mended = try await recount(test, .first + 77)?.closed
            #expect(try await test.contents("census.kind_day") == right)
            let days = try await test.lines(restated, [Day.first])
            #expect(days == ["30", "41", "60"])
            #expect(mended?.daysRestated == 3)
            #expect(mended?.from == .first + 30)
            let cells = try await test.value(
                Int.self, "select count(*) from census.kind_day where day = $1::date", [Day.first + 30])
            #expect(cells > 0 && mended?.cellsChanged == cells)
        }
    }

    @Test func `eight nights at once equal one`() async throws {
        try await TestStore.with(isPartitioned: true) { one in
            _ = try await fleet(one)
            try await one.night(.first + 78)
            try await TestStore.with(isPartitioned: true) { test in
                _ = try await fleet(test)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 { group.addTask { _ = try await test.night(.first + 78) } }
                    try await group.waitForAll()
                }
                #expect(try await test.contents("census.kind_day") == one.contents("census.kind_day"))
                let unsettled = try await test.contents("census.kind_day_unsettled")
                #expect(try await unsettled == one.contents("census.kind_day_unsettled"))
                let days = "select app_number, day, restated_at is null from census.closed_day order by day"
                #expect(try await test.lines(days) == one.lines(days))
            }
        }
    }

    @Test func `the next night catches up on missed ones, except for first-known numbers`() async throws {
        let columns = """
            select day, surface, kind, devices_certain, devices_possible, devices_still_there, widgets_certain,
                widgets_possible, widgets_reported
            from census.kind_day
            where devices_possible > 0 or widgets_reported > 0
            order by day, surface, kind collate "C"
            """
        let phones = RandomFleet(4, phones: 25).phones
        func said(_ test: TestStore, on number: Int) async throws {
            let batches = phones.flatMap { phone in
                zip(phone.observations, test.batches(of: phone)).filter { said, _ in
                    ReportingZone.utc.day(of: said.at) == .first + number
                }.map(\.1)
            }
            _ = try await test.store.log.append(batches)
        }
        try await TestStore.with(isPartitioned: true) { onTime in
            try await TestStore.with(isPartitioned: true) { missed in
                for number in 0...50 {
                    for test in [onTime, missed] { try await said(test, on: number) }
                    try await onTime.night(.first + number)
                    if number < 30 || number > 32 { try await missed.night(.first + number) }
                }
                #expect(try await onTime.lines(columns) == missed.lines(columns))
                let unsettled = try await onTime.contents("census.kind_day_unsettled")
                #expect(try await unsettled == missed.contents("census.kind_day_unsettled"))
                let days = "select day from census.closed_day order by day"
                #expect(try await onTime.lines(days) == missed.lines(days))
            }
        }
    }

    @Test func `one app's night leaves another app's days alone`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            _ = try await fleet(test)
            _ = try await test.store.apps.add("com.example.other")
            let nights = try await NightlyJob(store: test.store, logger: .quiet).run(app: "com.example.other").nights
            #expect(nights.map(\.appID) == ["com.example.other"])
            #expect(nights.map(\.closed) == [nil])
            #expect(try await test.ledger() == [])
            await #expect(throws: StoreError.self) {
                try await NightlyJob(store: test.store, logger: .quiet).run(app: "com.example.none")
            }
        }
    }
}
