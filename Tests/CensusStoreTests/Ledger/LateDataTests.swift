import CensusCore
import CensusStore
import Fleet
import Nightly
import Postgres
import PostgresTesting
import Testing

@Suite struct `Late data` {
    private func days(_ test: TestStore) async throws -> [String] {
        try await test.lines(
            """
            select
                day - $1::date,
                kind,
                devices_certain,
                devices_certain_first_known
            from census.kind_day
            order by
                day,
                kind
            """, [Day.first])
    }

    private func restated(_ test: TestStore) async throws -> [String] {
        try await test.lines(
            "select day - $1::date from census.closed_day where restated_at is not null order by day", [Day.first])
    }

    @Test func `late data restates exactly the days it touches and keeps the first-known numbers`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var (phone, other) = (Phone("phone"), Phone("other"))
            phone.reports(["weather"], .day(1))
            other.reports(["weather"], .day(1))
            phone.reports([], .day(6))
            try await test.tell(phone, other)
            try await test.night(.first + 7)
            let before = try await days(test)
            let first = try await test.lines("select day, closed_at from census.closed_day order by day")
            #expect(try await restated(test) == [])

            phone.reports([], .day(3))
            phone.reports(["weather"], .day(5))
            try await test.tell(phone)
            let night = try await test.night(.first + 7)
            // Day 5 is restated, too, because the widget came back then: its changes differ.
            #expect(night?.closed?.daysRestated == 3)
            let touched = ["3|weather|1|2", "4|weather|1|2"]
            #expect(
                try await days(test) == before.map { $0.first == "3" ? touched[0] : $0.first == "4" ? touched[1] : $0 })
            #expect(try await restated(test) == ["3", "4", "5"])
            #expect(try await test.lines("select day, closed_at from census.closed_day order by day") == first)
        }
    }

    /// The best estimate changes although no bound does, because the suspect proved to be a ghost (R6).
    @Test func `an outcome restates the best estimate`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(0, hour: 12))
            phone.reinstalls(.day(2))
            phone.reports(["weather"], .day(2, hour: 10))
            try await test.tell(phone)
            try await test.night(.first + 4)
            let expected = """
                select day - $1::date, devices_certain, devices_possible, devices_expected
                from report.live_kinds where devices_possible > 0 order by day
                """
            let bounds = ["0|1|1|1.0", "1|1|1|1.0"]
            #expect(try await test.lines(expected, [Day.first]) == bounds + ["2|0|1|0.5", "3|0|1|0.5", "4|0|1|0.5"])
            phone.boots(.day(4, hour: 20))
            phone.reports([], .day(5))
            try await test.tell(phone)
            let night = try await test.night(.first + 5)
            #expect(night?.closed?.daysRestated == 3)
            #expect(night?.closed?.daysClosed == 1)
            #expect(try await test.lines(expected, [Day.first]) == bounds + ["2|0|1|0.0", "3|0|1|0.0", "4|0|1|0.0"])
            #expect(try await restated(test) == ["2", "3", "4"])
        }
    }

    @Test func `a report from before the first closed day adds the days before it`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(10))
            try await test.tell(phone)
            try await test.night(.first + 11)
            phone.reports(["weather"], .day(8))
            try await test.tell(phone)
            try await test.night(.first + 11)
            #expect(try await days(test) == ["8|weather|1|1", "9|weather|1|1", "10|weather|1|1", "11|weather|1|1"])
        }
    }

    /// The only widgets proved to belong to an installation that had ended, so the device never had any.
    @Test func `days without widgets after all fall to zero`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(5))
            try await test.tell(phone)
            try await test.night(.first + 6)
            #expect(try await days(test) == ["5|weather|1|1", "6|weather|1|1"])
            phone.failsToRead(.day(1))
            phone.installation = 2
            phone.failsToRead(.day(2))
            try await test.tell(phone)
            try await test.night(.first + 6)
            #expect(try await test.spans() == [:])
            #expect(try await days(test) == ["5|weather|0|1", "6|weather|0|1"])
        }
    }

    /// Regression: a night for an earlier day forgot that later days needed a recount.
    @Test func `a night for an earlier day leaves later days to the next night`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(1))
            try await test.tell(phone)
            try await test.night(.first + 20)
            phone.reports([], .day(15))
            try await test.tell(phone)
            try await test.night(.first + 10)
            try await test.night(.first + 20)
            let held = try await days(test).filter { $0.contains("|weather|1|") }
            #expect(held.count == 14)
        }
    }

    /// Regression: changes that the service reconciled while a night counted were marked as counted.
    @Test func `a night leaves changes that are reconciled meanwhile to the next night`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var (phone, other) = (Phone("phone"), Phone("other"))
            phone.reports(["weather"], .day(1))
            try await test.tell(phone)
            try await test.night(.first + 10)
            phone.reports(["weather", "search"], .day(9))
            other.reports(["weather"], .day(5))
            try await test.tell(phone)
            // The night has found its work and counted, but can't mark the days as closed.
            let night = try await test.store.pool.transaction("blockade") { connection in
                try await connection.execute(
                    script: Statement("test", "lock table census.closed_day in share row exclusive mode"))
                let night = Task { try await test.night(.first + 10) }
                #expect(try await eventually { try await test.isWaitingForLock() })
                try await test.tell(other)
                try await test.reconcile()
                return night
            }
            _ = try await night.value
            try await test.night(.first + 10)
            let counts = try await days(test).filter { $0.contains("|weather|") }
            let wanted = (1...10).map { $0 < 5 ? "\($0)|weather|1|1" : "\($0)|weather|2|1" }
            #expect(counts == wanted)
        }
    }
}
