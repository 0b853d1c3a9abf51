import CensusCore
import Fleet
import Postgres
import PostgresTesting
import Testing

@testable import CensusStore

@Suite struct `Days in a zone` {
    static let zones = [
        "UTC", "America/Sao_Paulo", "Europe/Prague", "Pacific/Apia", "Asia/Kolkata", "Africa/Cairo", "Asia/Beirut",
        "America/Havana", "Australia/Lord_Howe", "America/Asuncion",
    ]

    /// In Havana, midnight can occur twice. PostgreSQL takes the second, Swift the first: nothing may depend on it.
    @Test(arguments: zones) func `Swift and PostgreSQL agree on the day of an instant`(name: String) async throws {
        try await TestStore.with { test in
            let zone = try #require(ReportingZone(identifier: name))
            let first = try #require(Day(year: 2008, month: 1, day: 1))
            let starts = (0..<7_300).map { zone.start(of: first + $0) }
            let instants = starts + starts.map { $0 - .microseconds(1) }
            let different = try await test.lines(
                """
                select listed.instant
                from unnest($1::date[], $2::timestamptz[]) as listed (day, instant)
                where (listed.instant at time zone $3)::date <> listed.day
                """, [instants.map(zone.day(of:)), instants, name])
            #expect(different == [])
        }
    }

    struct Change: Sendable, CustomTestStringConvertible {
        var zone: String
        /// A day of 23 or 25 hours, with the first instant of it and of the next.
        var day: String
        var begins: String
        var ends: String

        var testDescription: String { "\(zone) \(day)" }
    }

    static let changes = [
        // Midnight did not exist.
        Change(
            zone: "America/Sao_Paulo", day: "2018-11-04", begins: "2018-11-04T03:00:00Z", ends: "2018-11-05T02:00:00Z"),
        // The hour before midnight occurred twice.
        Change(
            zone: "America/Sao_Paulo", day: "2018-02-17", begins: "2018-02-17T02:00:00Z", ends: "2018-02-18T03:00:00Z"),
        // Midnight occurred twice. The previous day ended at the first.
        Change(zone: "America/Havana", day: "2025-11-01", begins: "2025-11-01T04:00:00Z", ends: "2025-11-02T04:00:00Z"),
        Change(zone: "America/Havana", day: "2025-11-02", begins: "2025-11-02T04:00:00Z", ends: "2025-11-03T05:00:00Z"),
        Change(zone: "Europe/Prague", day: "2025-03-30", begins: "2025-03-29T23:00:00Z", ends: "2025-03-30T22:00:00Z"),
        Change(zone: "Europe/Prague", day: "2025-10-26", begins: "2025-10-25T22:00:00Z", ends: "2025-10-26T23:00:00Z"),
    ]

    @Test(arguments: changes) func `a day of 23 or 25 hours is counted at its own end`(change: Change) async throws {
        try await TestStore.with(zone: change.zone) { test in
            let begins = try #require(Timestamp(rfc3339: change.begins))
            let ends = try #require(Timestamp(rfc3339: change.ends))
            let day = try #require(Day(change.day))
            let instant = Duration.microseconds(1)
            var phones: [Phone] = []
            for (kind, at) in [
                ("eve", begins - instant), ("first", begins), ("last", ends - instant), ("morrow", ends),
            ] {
                var phone = Phone(kind, firstLaunch: begins - .days(9))
                phone.boots(begins - .days(2))
                phone.reports([kind], at)
                phones.append(phone)
            }
            try await test.tell(phones)
            // Night by night: none may see a device before its day or lose it after.
            for number in -1...30 { try await test.night(day + number) }
            let begin = try await test.lines(
                """
                select
                    kind,
                    min(day) - $1::date,
                    max(day) - $1::date,
                    count(*)
                from census.kind_day
                where devices_certain > 0
                group by kind
                order by kind
                """, [day])
            #expect(begin == ["eve|-1|26|28", "first|0|27|28", "last|0|27|28", "morrow|1|28|28"])
            let reads = try await test.lines(
                "select day - $1::date, reads from report.coverage where reads > 0 order by day", [day])
            #expect(reads == ["-1|1", "0|2", "1|1"])
            #expect(try await test.differences() == [])
        }
    }

    /// Regression: days kept the numbers of the old zone, and devices fell silent by the old window.
    @Test func `a new zone or window recounts everything`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(3, hour: 1))
            try await test.tell(phone)
            try await test.night(.first + 60)
            let days = """
                select min(day) - $1::date, max(day) - $1::date from census.kind_day where devices_certain > 0
                """
            #expect(try await test.lines(days, [Day.first]) == ["3|30"])
            var settings = AppSettings()
            settings.windowDays = 10
            try await test.store.apps.set(TestStore.appID, settings)
            try await test.night(.first + 60)
            #expect(try await test.lines(days, [Day.first]) == ["3|12"])
            settings.zone = "America/New_York"
            try await test.store.apps.set(TestStore.appID, settings)
            try await test.night(.first + 60)
            #expect(try await test.lines(days, [Day.first]) == ["2|11"])
            #expect(try await test.differences() == [])
            settings = AppSettings()
            settings.readyDays = 3
            try await test.store.apps.set(TestStore.appID, settings)
            #expect(try await test.value(Int.self, "select count(*) from census.pending_device") == 0)
        }
    }

    /// Regression: reads stayed on the days of the old zone for good, because only their day was stored.
    @Test func `a new zone moves reads to its days`() async throws {
        var phone = Phone("phone")
        for hour in stride(from: Int64(0), to: 70, by: 5) { phone.reports(["weather"], .day(3, hour: hour)) }
        phone.failsToRead(.day(4, hour: 1))
        var counted: [[String]] = []
        for changes in [true, false] {
            var settings = AppSettings()
            settings.zone = changes ? "Asia/Kolkata" : "America/New_York"
            try await TestStore.with(settings, isPartitioned: true) { test in
                try await test.tell(phone)
                try await test.night(.first + 60)
                settings.zone = "America/New_York"
                try await test.store.apps.set(TestStore.appID, settings)
                try await test.night(.first + 60)
                counted.append(
                    try await test.lines(
                        "select day - $1::date, reads, reads_failed from report.coverage where reads > 0 order by day",
                        [Day.first]))
                #expect(try await test.differences() == [])
                // The check reads the log itself.
                try await test.execute("update census.read_quarter set reads_failed = 1 - reads_failed where reads = 1")
                #expect(try await test.differences().map(\.table).allSatisfy { $0 == "read_quarter" })
                #expect(try await !test.differences().isEmpty)
            }
        }
        #expect(counted[0] == counted[1])
        #expect(counted[0].count == 4)
    }

    /// Regression: the reconciler read the old zone, took the devices that the new one had queued, and counted them by
    /// the old one for good.
    @Test func `a zone that is set while the reconciler waits for a device applies to it`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(3, hour: 1))
            try await test.tell(phone)
            try await test.night(.first + 60)
            phone.reports(["weather"], .day(4, hour: 1))
            try await test.tell(phone)
            let device = test.device(phone)
            try await test.withSecondStore { second in
                let reconciling = try await second.pool.transaction("test") { connection in
                    _ = try await connection.query(SQL.DeviceStore.lock, [[device]])
                    let reconciling = Task { try await test.reconcile() }
                    try await Task.sleep(for: .milliseconds(300))
                    var settings = AppSettings()
                    settings.zone = "America/New_York"
                    try await test.store.apps.set(TestStore.appID, settings)
                    return reconciling
                }
                _ = try await reconciling.value
            }
            try await test.night(.first + 60)
            #expect(try await test.lines("select zone from census.device") == ["America/New_York"])
            #expect(try await test.differences() == [])
        }
    }

    /// Regression: a device in its first fold was not known yet when the zone was set, so it was never queued.
    @Test func `a zone that is set while a new device is reconciled applies to it, too`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var (phone, new) = (Phone("phone"), Phone("new"))
            phone.reports(["weather"], .day(3, hour: 1))
            new.reports(["weather"], .day(4, hour: 1))
            try await test.tell(phone)
            try await test.night(.first + 60)
            try await test.tell(new)
            try await test.withSecondStore { second in
                let tasks = try await second.pool.transaction("test") { connection in
                    // The last write of a step.
                    _ = try await connection.query(Statement("test", "update census.reconciled set as_of = as_of"))
                    let reconciling = Task { try await test.reconcile() }
                    #expect(try await eventually { try await test.isWaitingForLock() })
                    var settings = AppSettings()
                    settings.zone = "America/New_York"
                    let setting = Task { [settings] in try await test.store.apps.set(TestStore.appID, settings) }
                    try await Task.sleep(for: .milliseconds(300))
                    return (reconciling: reconciling, setting: setting)
                }
                _ = try await tasks.reconciling.value
                _ = try await tasks.setting.value
            }
            try await test.night(.first + 60)
            #expect(try await test.lines("select distinct zone from census.device") == ["America/New_York"])
            #expect(try await test.differences() == [])
        }
    }

    @Test func `an unknown zone is rejected`() async throws {
        try await TestStore.with { test in
            var settings = AppSettings()
            settings.zone = "Europe/Atlantis"
            let error = await #expect(throws: StoreError.self) {
                try await test.store.apps.set(TestStore.appID, settings)
            }
            #expect(error?.fault == .request)
        }
    }
}
