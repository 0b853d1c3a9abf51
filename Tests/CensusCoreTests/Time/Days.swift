import Testing

@testable import CensusCore

@Suite struct `Days` {
    @Test func `the calendar is Gregorian before and after 1970`() throws {
        #expect(Day(year: 1970, month: 1, day: 1)?.daysSince1970 == 0)
        #expect(Day(year: 1969, month: 12, day: 31)?.daysSince1970 == -1)
        #expect(Day(year: 2000, month: 2, day: 29)?.daysSince1970 == 11_016)
        #expect(Day(year: 1600, month: 1, day: 1)?.daysSince1970 == -135_140)
        #expect(Day(year: 1, month: 1, day: 1)?.daysSince1970 == -719_162)
    }

    @Test func `every day of 800 years is followed by the next`() throws {
        var expected = (year: 1600, month: 1, day: 1)
        let first = try #require(Day(year: 1600, month: 1, day: 1))
        for offset in 0..<292_194 {
            let day = first + offset
            let civil = day.civil
            guard civil == expected, Day(year: civil.year, month: civil.month, day: civil.day) == day else {
                Issue.record("\(day), expected \(expected)")
                return
            }
            expected.day += 1
            if expected.day > Day.length(ofMonth: expected.month, year: expected.year) {
                expected = nextMonth(expected)
            }
        }
        #expect(expected == (2400, 1, 1))
    }

    private func nextMonth(_ date: (year: Int, month: Int, day: Int)) -> (year: Int, month: Int, day: Int) {
        date.month == 12 ? (date.year + 1, 1, 1) : (date.year, date.month + 1, 1)
    }

    @Test(arguments: ["2026-11-21", "0001-01-01", "9999-12-31", "2024-02-29"])
    func `a day reads back as it was written`(text: String) {
        #expect(Day(text)?.description == text)
    }

    @Test(arguments: [
        "", "2026", "2026-11", "2026-11-21-", "2026-2-01", "26-11-21", "2026-02-29", "2026-13-01", "2026-00-10",
        "2026-01-32", "2026-+1-01", "+026-01-01", "2026-01-+1", "-001-01-01", "２026-01-01", "2026/01/01", " 2026-01-1",
    ]) func `a text that isn't YYYY-MM-DD is rejected as a day`(text: String) {
        #expect(Day(text) == nil)
    }

    @Test(arguments: [("today", 0), ("yesterday", 1), ("0d", 0), ("7d", 7), ("99999d", 99_999)])
    func `a relative day is counted back from today`(text: String, count: Int) throws {
        let today = try #require(Day("2026-03-01"))
        #expect(NamedDay(text)?.day(today: today) == today - count)
        #expect(NamedDay("2026-02-28")?.day(today: today) == today - 1)
    }

    @Test(arguments: ["", "d", "-7d", "+7d", "7", "7 d", "7days", "100000d", "tomorrow", "Today", "７d", "2026-02-29"])
    func `a text that is neither a day nor a relative day is rejected`(text: String) {
        #expect(NamedDay(text) == nil)
    }

    @Test func `days support arithmetic and comparison`() throws {
        let day = try #require(Day("2024-02-28"))
        #expect((day + 2).description == "2024-03-01")
        #expect((day - 59).description == "2023-12-31")
        #expect(day < day + 1)
    }
}
