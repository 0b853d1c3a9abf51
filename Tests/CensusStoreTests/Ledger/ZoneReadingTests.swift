import CensusCore
import SeedTesting
import Testing

@testable import CensusStore

@Suite struct `Names of zones` {
    /// Regression: `IST` meant India to the fold and Israel to the ledger.
    @Test func `Swift and PostgreSQL read every acceptable name alike`() async throws {
        try await TestStore.with { test in
            // A server with its own zones, from another year, reads some differently, as `doubtfulZones` reports.
            let build = "select setting like '%--with-system-tzdata%' from pg_config where name = 'CONFIGURE'"
            guard try await test.lines(build) == ["t"] else { return }
            let known = try await test.lines("select name from pg_timezone_names order by name")
            let acceptable = Set(known.filter { ReportingZone(acceptable: $0) != nil })
            #expect(acceptable.count > 400)
            // In chunks, because all of them at once exceed a query's timeout on a slow machine.
            let names = Seeds.sample(of: acceptable.sorted())
            for start in stride(from: 0, to: names.count, by: 25) {
                let some = Set(names[start..<min(start + 25, names.count)])
                #expect(try await test.store.apps.readAlike(some) == some)
            }
        }
    }

    @Test(arguments: [
        "IST", "PST", "BST", "ART", "EST", "Etc/GMT+5", "US/Pacific", "posix/Europe/Prague", "Europe/prague",
    ])
    func `ambiguous names are rejected`(name: String) async throws {
        try await TestStore.with { test in
            var settings = AppSettings()
            settings.zone = name
            let error = try await #require(throws: StoreError.self) {
                try await test.store.apps.set(TestStore.appID, settings)
            }
            #expect(error.fault == .request)
            #expect(error.description.contains("not an abbreviation"))
            #expect(try await test.store.apps.app(TestStore.appID).zone == "UTC")
        }
    }

    @Test func `ambiguous names that were set before are reported`() async throws {
        try await TestStore.with { test in
            #expect(try await test.store.apps.doubtfulZones() == [])
            try await test.execute("update census.app set zone = 'IST'")
            #expect(try await test.store.apps.doubtfulZones() == [DoubtfulZone(appID: TestStore.appID, zone: "IST")])
        }
    }
}

@Suite struct `Settings of an app` {
    /// Regression: `--limit 20000000000000` died of an illegal instruction, and `--window 0` printed SQL.
    @Test func `the error names the setting that is out of bounds`() async throws {
        let changes: [(String, (inout AppSettings) -> Void)] = [
            ("the window is 0, but must be a number of days from 1 to 400", { $0.windowDays = 0 }),
            ("the window is 401", { $0.windowDays = 401 }),
            ("the limit is 20000000000000", { $0.limitDevices = 20_000_000_000_000 }),
            ("the limit is -1", { $0.limitDevices = -1 }),
            ("the number of ready days is 4294967297", { $0.readyDays = 4_294_967_297 }),
            ("the number of kinds is \(Int.max)", { $0.maximumKinds = .max }),
            ("the number of families is -5", { $0.maximumFamilies = -5 }),
            ("the limit's share is 1.5", { $0.limitShare = 1.5 }),
            ("coverage is nan", { $0.minimumCoverage = .nan }),
            ("must have 1 to 200 characters", { $0.doubtedBuilds = ["a\u{0}b"] }),
        ]
        try await TestStore.with { test in
            for (sentence, change) in changes {
                var settings = AppSettings()
                change(&settings)
                let error = try await #require(throws: StoreError.self) {
                    try await test.store.apps.set(TestStore.appID, settings)
                }
                #expect(error.fault == .request)
                #expect(error.description.contains(sentence), "\(error.description)")
            }
        }
    }
}
