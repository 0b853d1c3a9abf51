import CensusCore
import CensusStore
import Fleet
import Nightly
import Postgres
import PostgresTesting
import Testing

/// One app, day or device with faulty data stops no other, and the next night repairs it.
@Suite struct `Faults of a night` {
    private func fleet(_ test: TestStore, app: String = TestStore.appID) async throws {
        let number = try await test.store.apps.app(app).number
        _ = try await test.store.log.append(
            RandomFleet(5, phones: 12, platforms: [.ios, .android]).phones.flatMap { phone in
                phone.observations.map { said in
                    var batch = phone.batch(of: said)
                    batch.appID = app
                    return BatchRows(
                        batch, appNumber: number, secret: test.secret, received: said.at + .seconds(1))
                }
            })
    }

    private func run(_ test: TestStore) async throws -> NightlyJob.Summary {
        try await NightlyJob(store: test.store, logger: .quiet).run(day: .first + 78)
    }

    /// Regression: it judged by what was reconciled, as if nothing waited.
    @Test func `a night that can't reconcile gives no verdict`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(70))
            try await test.tell(phone)
            var names = KnownNames()
            names.kinds = ["weather"]
            try await test.store.names.add(names, appNumber: test.app.number)
            _ = try await test.store.kinds.mark(
                kind: "weather", KindDecision(.legacy, by: "tester"), app: test.app)
            #expect(try await run(test).verdicts.count == 1)
            try await test.execute("alter table census.pending_device rename to out_of_reach")
            let night = try await run(test)
            #expect(night.failures.map(\.step) == [.reconciling])
            #expect(night.verdicts.isEmpty)
        }
    }

    /// Four incompressible names of 200 four-byte characters are too long for a row of an index.
    @Test func `names of the maximum length are counted like others`() async throws {
        var random = Seeded(1)
        func name(_ suffix: String = "") -> String {
            String(
                String.UnicodeScalarView(
                    (0..<200).map { _ in Unicode.Scalar(0x10000 + UInt32(random.below(0xFFF0))) ?? "x" }))
                + suffix
        }
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone", osVersion: name(".1"))
            phone.circumstances.appVersion = name()
            let placement = Placement(kind: name(), family: name())
            phone.reports([placement: 2], .day(1))
            phone.reports([placement: 1], .day(5))
            try await test.tell(phone)
            let night = try await run(test)
            #expect(night.failed == [])
            #expect(night.nights.first?.closed?.isRecounted == false)
            #expect(try await test.lines("select count(*) from report.live_installs") == ["\(28 + 4)"])
            #expect(try await test.differences() == [])
        }
    }

    /// Regression: the check used the new zone for it, so a correct ledger was recounted every night.
    @Test func `a device that waits through a change of zone is still checked in its old zone`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            let stuck = Placement(kind: "stuck")
            phone.reports([stuck: 1], .day(1, hour: 20, minute: 30))
            try await test.tell(phone)
            _ = try await run(test)
            try await test.execute("alter table census.span add constraint stuck check (kind <> 'stuck') not valid")
            phone.reports([stuck: 2], .day(5, hour: 20, minute: 30))
            try await test.tell(phone)
            var settings = AppSettings()
            settings.zone = "Asia/Kathmandu"
            try await test.store.apps.set(TestStore.appID, settings)
            for _ in 0..<2 {
                _ = try await run(test)
                #expect(try await test.lines("select count(*) from census.set_aside") == ["1"])
                #expect(try await test.differences() == [])
            }
            try await test.execute("alter table census.span drop constraint stuck")
            _ = try await run(test)
            #expect(try await test.lines("select count(*) from census.set_aside") == ["0"])
            #expect(try await test.differences() == [])
        }
    }

    /// Regression: an older version left such entries for restored instances, and a constraint stopped every night.
    @Test func `an impossible entry makes a night recount the ledger from the spans`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            try await fleet(test)
            _ = try await run(test)
            let before = try await test.contents("census.install_day") + test.contents("census.change_day")
            try await test.execute(
                """
                insert into census.install_entry (
                    app_number, day, surface, kind, family, app_version, os_version, platform, devices_certain,
                    devices_possible, widgets_certain, widgets_possible, widgets_reported)
                select
                    app_number, day, surface, kind, family, app_version, os_version, platform, -99, 0, 0, 0, 0
                from census.install_day limit 1;
                update census.change_day set widgets_added = widgets_added + 1;
                """)
            let night = try await run(test)
            #expect(night.failed == [])
            #expect(night.nights.map { $0.closed?.isRecounted } == [true])
            #expect(night.ledgersRecounted == 1)
            #expect(try await test.differences() == [])
            #expect(
                try await test.lines("select ledgers_recounted, apps_failed, failure from census.night_run").last
                    == "1|0|∅")
            let after = try await test.contents("census.install_day") + test.contents("census.change_day")
            #expect(after == before)
            #expect(try await run(test).ledgersRecounted == 0)
        }
    }

    @Test func `the next night recounts a ledger that failed a check`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            try await fleet(test)
            _ = try await run(test)
            try await test.execute("update census.kind_day set widgets_reported = widgets_reported + 1")
            let checked = try await NightlyJob(store: test.store, logger: .quiet).run(day: .first + 78, verifies: true)
            #expect(checked.verification?.holds == false)
            #expect(try await run(test).ledgersRecounted == 1)
            #expect(try await test.differences() == [])
        }
    }

    @Test func `an app that can't be closed stops neither others nor retention, and the next night repairs it`()
        async throws
    {
        try await TestStore.with(isPartitioned: true) { test in
            _ = try await test.store.apps.add("com.example.another")
            try await fleet(test)
            try await fleet(test, app: "com.example.another")
            try await test.execute(
                """
                alter table census.kind_day add constraint nothing_fits check (app_number <> \(test.app.number)) not valid
                """)
            let night = try await run(test)
            #expect(night.nights.map(\.appID) == ["com.example.another", TestStore.appID])
            #expect(night.nights.map { $0.closed != nil } == [true, false])
            #expect(night.failed.count == 1)
            #expect(night.failed.first?.hasPrefix("\(TestStore.appID) could not be closed: ") == true)
            #expect(!night.isStoreAway)
            #expect(night.partitionsMade != nil && night.partitionsDropped != nil)
            #expect(try await test.store.ledger.appsNotClosed() == [.data: 1])
            let runs = "select apps_failed, failure like '%could not be closed%' from census.night_run"
            #expect(try await test.lines(runs) == ["1|t"])

            try await test.execute("alter table census.kind_day drop constraint nothing_fits")
            let next = try await run(test)
            #expect(next.failed == [])
            #expect(next.nights.map { $0.closed?.isRecounted } == [false, true])
            #expect(try await test.store.ledger.appsNotClosed() == [:])
            #expect(try await test.differences() == [])
        }
    }

    @Test func `a device with an unreadable span is set aside, and counted once the span is readable`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            try await fleet(test)
            var phone = Phone("from tomorrow")
            phone.reports(["weather"], .day(3))
            try await test.tell(phone)
            _ = try await run(test)
            let before = try await test.contents("census.device_day")
            try await test.execute(
                "update census.span set began_cause = 'not known yet' where device_id = '\(test.device(phone))'")
            phone.failsToRead(.day(4))
            try await test.tell(phone)
            let night = try await run(test)
            #expect(night.setAside == 1)
            #expect(night.failed == [])
            #expect(night.ledgersRecounted == 1)
            #expect(try await test.lines("select zone from census.device where zone is null") == ["∅"])
            try await test.execute(
                "update census.span set began_cause = 'installed' where began_cause = 'not known yet'")
            let next = try await run(test)
            #expect(next.setAside == 0)
            #expect(try await test.differences() == [])
            #expect(try await test.contents("census.device_day").count == before.count)
        }
    }

    /// Regression: the next span got a number that another span had.
    @Test func `a device whose stored spans are inconsistent is folded from the start`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(1))
            phone.reports(["search"], .day(2))
            phone.reports(["search", "weather"], .day(3))
            try await test.tell(phone)
            try await test.reconcile()
            try await test.execute("update census.device set last_ordinal = 0")
            phone.reports(["weather", "weather"], .day(5))
            try await test.tell(phone)
            let night = try await run(test)
            #expect(night.setAside == 0)
            #expect(night.failed == [])
            #expect(try await test.spans() == test.foldedSpans([phone]))
            #expect(try await test.differences() == [])
        }
    }
}
