import CensusCore
import Testing

@testable import Pages

/// The days that a URL asks for.
@Suite struct `Periods` {
    private let end = Day(daysSince1970: 20_778)

    private func period(_ days: String? = nil, from: String? = nil, to: String? = nil) throws -> Period {
        try Period(days: days, from: from, to: to, through: end)
    }

    @Test func `a period of some days ends on the last closed day`() throws {
        for (days, count) in [(nil, 90), ("30", 30), ("365", 365), ("31", 90), ("x", 90)] as [(String?, Int32)] {
            let period = try period(days)
            #expect(period.last == end)
            #expect(period.first.daysSince1970 == end.daysSince1970 - count + 1, "\(days ?? "none")")
        }
    }

    @Test func `a range keeps its first and last day, but ends no later than the last closed day`() throws {
        let range = try period("30", from: "2026-10-01", to: "2026-10-31")
        #expect([range.first, range.last].map(\.description) == ["2026-10-01", "2026-10-31"])
        #expect(try period(from: "2026-11-01", to: "2026-12-31").last == end)
        #expect(try period(from: "2026-11-01") == period(from: "2026-11-01", to: "\(end)"))
        let open = try period(to: "2026-10-31")
        #expect(open.last.daysSince1970 - open.first.daysSince1970 == 89)
    }

    @Test(
        arguments: [
            ("2026-10-31", "2026-10-01", "must not be after"), ("2027-01-01", nil, "must not be after"),
            ("2026-02-30", nil, "must be a day"), (nil, "today", "must be a day"),
            ("2020-01-01", nil, "at most 731 days"),
        ] as [(String?, String?, String)])
    func `an invalid range is an error`(from: String?, to: String?, message: String) {
        #expect {
            try period(from: from, to: to)
        } throws: { error in
            (error as? Period.Fault)?.message.contains(message) == true
        }
    }

    @Test func `a link keeps its period, and the choices pin the last days to dates`() throws {
        let link = Link(.overview).with("app", "a")
        #expect(try period().on(link).text == "/console?app=a")
        #expect(try period("30").on(link).text == "/console?app=a&days=30")
        let range = try period(from: "2026-10-01", to: "2026-10-31")
        #expect(range.on(link).text == "/console?app=a&from=2026-10-01&to=2026-10-31")
        let choices = try period("30").choices { $0.on(link) }.map(\.html.description).joined()
        #expect(choices.contains("<strong aria-current=\"true\">30 days</strong>"))
        #expect(choices.contains("href=\"/console?app=a&amp;from=2026-10-23&amp;to=2026-11-21\""))
        #expect(!range.choices { $0.on(link) }.map(\.html.description).joined().contains("aria-current"))
    }

    @Test func `days before the first closed one are left out`() throws {
        let closed = Set((0..<12).map { end - $0 })
        let shown = try period().beginning(with: closed)
        #expect(shown.first == end - 11)
        #expect(shown.last == end)
        #expect(try period().beginning(with: []) == period())
    }
}
