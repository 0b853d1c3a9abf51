import Foundation
import Testing

@testable import CensusCore

/// Days of an app, with Foundation's calendar as the oracle.
@Suite struct `Reporting zones` {
    private func zone(_ name: String) throws -> ReportingZone { try #require(ReportingZone(identifier: name)) }

    private func length(of day: String, in name: String) throws -> Duration {
        let (zone, day) = (try zone(name), try #require(Day(day)))
        return zone.start(of: day + 1) - zone.start(of: day)
    }

    @Test(arguments: [
        ("Europe/Prague", "2026-03-29", 23), ("Europe/Prague", "2026-10-25", 25), ("Europe/Prague", "2026-10-26", 24),
        ("America/New_York", "2026-03-08", 23), ("America/New_York", "2026-11-01", 25), ("UTC", "2026-03-29", 24),
        ("America/Sao_Paulo", "2018-11-04", 23), ("America/Sao_Paulo", "2018-02-17", 25),
        ("Asia/Beirut", "2024-03-31", 23), ("Asia/Beirut", "2024-10-26", 25), ("Africa/Cairo", "2024-04-26", 23),
        ("America/Havana", "2024-11-03", 25), ("Pacific/Apia", "2011-12-30", 0), ("Pacific/Apia", "2011-12-31", 24),
    ]) func `a clock change makes its day shorter or longer`(name: String, day: String, hours: Int64) throws {
        #expect(try length(of: day, in: name) == .hours(hours))
    }

    @Test func `a half-hour clock change makes a day of 23.5 hours`() throws {
        #expect(try length(of: "2024-10-06", in: "Australia/Lord_Howe") == .minutes(23 * 60 + 30))
    }

    @Test(arguments: [
        ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z"),
        ("Asia/Beirut", "2024-03-31", "2024-03-30T22:00:00Z"),
        ("Africa/Cairo", "2024-04-26", "2024-04-25T22:00:00Z"), ("UTC", "2026-01-01", "2026-01-01T00:00:00Z"),
        ("Pacific/Kiritimati", "2026-01-01", "2025-12-31T10:00:00Z"),
        ("Asia/Kathmandu", "2026-01-01", "2025-12-31T18:15:00Z"),
    ]) func `a day starts at midnight, or after the gap if midnight doesn't exist`(
        name: String, day: String, start: String
    ) throws {
        #expect(try zone(name).start(of: #require(Day(day))).description == start)
    }

    @Test(arguments: [
        "UTC", "Europe/Prague", "America/New_York", "America/Sao_Paulo", "Asia/Beirut", "Africa/Cairo",
        "Asia/Kathmandu",
        "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Kiritimati", "America/Havana", "Africa/Casablanca",
        "Asia/Tehran",
        "Pacific/Pago_Pago", "America/St_Johns", "America/Asuncion", "Atlantic/Azores", "Antarctica/Troll",
    ]) func `Foundation's calendar starts days at the same instants`(name: String) throws {
        let (zone, other) = (try zone(name), try #require(TimeZone(identifier: name)))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = other
        for day in try interestingDays(of: other) {
            let start = zone.start(of: day)
            let noon = Date(timeIntervalSince1970: Double(start.microseconds) / 1_000_000 + 43_200)
            let expected = calendar.startOfDay(for: noon).timeIntervalSince1970
            // A skipped day (Apia, 2011-12-30) starts with the next one.
            guard zone.day(of: start) == day || zone.start(of: day + 1) == start else {
                Issue.record("\(name) \(day) starts at \(start), which is another day")
                continue
            }
            #expect(Timestamp(seconds: Int64(expected)) == start, "\(name) \(day)")
            #expect(zone.day(of: start - .microseconds(1)) < day, "\(name) \(day)")
        }
    }

    /// Every eleventh day of 1990-2030, and the days around each clock change.
    private func interestingDays(of zone: TimeZone) throws -> Set<Day> {
        let (first, last) = (try #require(Day("1990-01-01")), try #require(Day("2030-01-01")))
        var days = Set(stride(from: first.daysSince1970, to: last.daysSince1970, by: 11).map(Day.init))
        var instant = Date(timeIntervalSince1970: Double(first.daysSince1970) * 86_400)
        while let change = zone.nextDaylightSavingTimeTransition(after: instant), change > instant {
            let day = Int32(change.timeIntervalSince1970 / 86_400)
            if day > last.daysSince1970 { break }
            for around in -2...2 { days.insert(Day(daysSince1970: day + Int32(around))) }
            instant = change
        }
        return days
    }

    @Test func `only names in the IANA database are accepted`() {
        for name in ["", "Nowhere/City", "+01:00", "GMT+0530", "UTC+2", "GMT-3", "europe/prague"] {
            #expect(ReportingZone(identifier: name) == nil, "\(name)")
        }
    }

    @Test func `an app's zone is UTC, or an area and a city`() {
        for name in ["UTC", "Europe/Prague", "America/Argentina/Buenos_Aires", "Pacific/Apia"] {
            #expect(ReportingZone(acceptable: name)?.identifier == name, "\(name)")
        }
        let others = [
            "IST", "PST", "BST", "ART", "GMT", "CET", "EST5EDT", "Etc/GMT+2", "US/Pacific", "Europe", "Europe/",
        ]
        for name in others {
            #expect(ReportingZone(acceptable: name) == nil, "\(name)")
        }
    }

    @Test func `a zone keeps the name it was created with`() throws {
        for name in ["UTC", "Europe/Prague", "Etc/UTC", "Etc/GMT+2"] { #expect(try zone(name).identifier == name) }
        #expect(try zone("UTC") == .utc)
    }
}
