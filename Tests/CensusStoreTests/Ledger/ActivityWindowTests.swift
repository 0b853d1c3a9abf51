import CensusCore
import CensusStore
import Fleet
import Nightly
import Testing

@Suite struct `Activity window` {
    /// The days, counted from day 0, on which the kind has a device.
    private func days(_ test: TestStore, _ kind: String = "weather") async throws -> [Int] {
        try await test.lines(
            "select day - $1::date from census.kind_day where kind = $2 and devices_possible > 0 order by day",
            [Day.first, kind]
        ).compactMap(Int.init)
    }

    @Test func `a device that sends nothing leaves after 28 days, including the first one`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(3, hour: 23, minute: 59))
            try await test.tell(phone)
            try await test.night(.first + 60)
            #expect(try await days(test) == Array(3..<31))
        }
    }

    @Test func `a silent device stays gone, in one night or in many`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(3))
            try await test.tell(phone)
            for number in [3, 29, 30, 31, 32, 60] { try await test.night(.first + number) }
            #expect(try await days(test) == Array(3..<31))
            let closed = try await test.value(Int.self, "select count(*) from census.closed_day")
            #expect(closed == 58)
        }
    }

    @Test func `a failed read keeps a device active`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(3))
            phone.failsToRead(.day(20))
            try await test.tell(phone)
            try await test.night(.first + 60)
            #expect(try await days(test).last == 47)
        }
    }

    @Test func `a silent device returns on the day it is heard from, and not before`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(0))
            try await test.tell(phone)
            try await test.night(.first + 50)
            #expect(try await days(test) == Array(0..<28))
            phone.failsToRead(.day(55))
            try await test.tell(phone)
            try await test.night(.first + 60)
            #expect(try await days(test) == Array(0..<28) + Array(55...60))
        }
    }

    @Test func `a late failed read fills the days of silence`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(0))
            try await test.tell(phone)
            try await test.night(.first + 60)
            #expect(try await days(test) == Array(0..<28))
            phone.failsToRead(.day(20))
            try await test.tell(phone)
            let night = try await test.night(.first + 60)
            #expect(try await days(test) == Array(0..<48))
            // Those 20, and the week in which it now counts as heard from.
            #expect(night?.closed?.daysRestated == 27)
            let known = try await test.lines(
                "select distinct devices_certain_first_known from census.kind_day where day >= $1", [Day.first + 28])
            #expect(known == ["0"])
        }
    }

    @Test(arguments: [1, 7, 60]) func `the window's length is a setting of the app`(length: Int) async throws {
        var settings = AppSettings()
        settings.windowDays = length
        try await TestStore.with(settings, isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(2))
            try await test.tell(phone)
            try await test.night(.first + 75)
            #expect(try await days(test) == Array(2..<2 + length))
        }
    }
}
