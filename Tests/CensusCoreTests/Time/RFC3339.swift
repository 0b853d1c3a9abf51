import Foundation
import SeededRandom
import Testing

@testable import CensusCore

@Suite struct `RFC 3339` {
    static let accepted: [(String, String)] = [
        ("2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z"),
        ("2026-11-21t10:00:00z", "2026-11-21T10:00:00Z"),
        ("2026-11-21T10:00:00.250Z", "2026-11-21T10:00:00.250Z"),
        ("2026-11-21T10:00:00.5Z", "2026-11-21T10:00:00.500Z"),
        ("2026-11-21T10:00:00.000001Z", "2026-11-21T10:00:00.000001Z"),
        ("2026-11-21T10:00:00.1234567899999Z", "2026-11-21T10:00:00.123456Z"),
        ("2026-11-21T10:00:00.0Z", "2026-11-21T10:00:00Z"),
        ("2026-11-21T11:00:00+01:00", "2026-11-21T10:00:00Z"),
        ("2026-11-21T05:30:00-04:30", "2026-11-21T10:00:00Z"),
        ("2026-11-21T10:00:00-00:00", "2026-11-21T10:00:00Z"),
        ("2026-11-22T00:00:00+14:00", "2026-11-21T10:00:00Z"),
        ("2026-01-01T00:00:00+23:59", "2025-12-31T00:01:00Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
        ("2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00.500Z"),
        ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"), ("2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z"),
        ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"), ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
    ]

    static let refused = [
        "", "2026", "2026-11-21", "10:00:00Z", "2026-11-21T10:00:00", "2026-11-21 10:00:00Z", "2026-11-21T10:00Z",
        "2026-11-21T10:00:00 Z", " 2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z ", "2026-11-21T10:00:00ZZ",
        "2026-11-21T10:00:00.Z", "2026-11-21T10:00:00,5Z", "2026-11-21T10:00:00.5", "2026-11-21T10:00:00+1:00",
        "2026-11-21T10:00:00+0100", "2026-11-21T10:00:00+01", "2026-11-21T10:00:00+24:00", "2026-11-21T10:00:00+01:60",
        "2026-11-21T10:00:00GMT", "2026-11-21T10:00:00−01:00", "2026-11-21T24:00:00Z", "2026-11-21T10:60:00Z",
        "2026-11-21T10:00:61Z", "2026-13-01T10:00:00Z", "2026-00-01T10:00:00Z", "2026-01-00T10:00:00Z",
        "2026-02-29T10:00:00Z", "1900-02-29T10:00:00Z", "2026-04-31T10:00:00Z", "2026-11-31T10:00:00Z",
        "26-11-21T10:00:00Z", "02026-11-21T10:00:00Z", "-026-11-21T10:00:00Z", "+2026-11-21T10:00:00Z",
        "2026-1-21T10:00:00Z", "2026-+1-21T10:00:00Z", "20261121T100000Z", "2026-W47-6T10:00:00Z", "1795255200",
        "２026-11-21T10:00:00Z", "2026-11-21T10:00:00.٥Z", "2026-11-21T10:00:00\u{0}Z",
    ]

    @Test(arguments: accepted) func `a date-time with a zone is parsed`(text: String, inUTC: String) throws {
        #expect(try #require(Timestamp(rfc3339: text)).description == inUTC)
    }

    @Test(arguments: refused) func `any other text is rejected`(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func `a time before 1970 is negative`() {
        #expect(Timestamp(rfc3339: "1969-12-31T23:59:59.999999Z")?.microseconds == -1)
        #expect(Timestamp(rfc3339: "1970-01-01T00:00:00Z")?.microseconds == 0)
    }

    @Test(arguments: UInt64(0)..<4) func `a time reads back as it was written`(seed: UInt64) throws {
        var random = Seeded(seed)
        let span = 315_569_520_000_000_000  // From the year 0001 to 9999, in microseconds.
        for _ in 0..<500 {
            let unit = random.pick([1, 1_000, 1_000_000])
            let time = Timestamp(microseconds: Int64(random.below(span) / unit * unit) - 62_135_596_800_000_000)
            #expect(Timestamp(rfc3339: time.description) == time)
        }
    }

    @Test func `Foundation formats times in the same way`() {
        var random = Seeded(1)
        let style = Date.ISO8601FormatStyle()
        for _ in 0..<500 {
            let seconds = Int64(random.below(8_000_000_000)) - 4_000_000_000
            let date = Date(timeIntervalSince1970: Double(seconds))
            #expect(Timestamp(seconds: seconds).description == date.formatted(style))
        }
    }
}
