import CensusCore
import CensusStore
import Testing

@Suite struct `Retirement` {
    /// Ready at most 2 devices and a tenth of the active ones, on 3 closed days running, with half of them reporting.
    private var limits: AppSettings {
        var settings = AppSettings()
        settings.limitDevices = 2
        settings.limitShare = 0.1
        settings.readyDays = 3
        settings.minimumCoverage = 0.5
        return settings
    }

    /// - Parameters:
    ///   - holders: hold the legacy kind all the time; `former` ones until day 74.
    ///   - silent: held it when last heard from, on day 1.
    ///   - mute: were heard from and could not read their list.
    private func fleet(active: Int, holders: Int = 0, former: Int = 0, silent: Int = 0, mute: Int = 0) -> [Phone] {
        func phones(_ count: Int, _ name: String, _ story: (inout Phone) -> Void) -> [Phone] {
            (0..<count).map { number in
                var phone = Phone("\(name) \(number)")
                story(&phone)
                return phone
            }
        }
        return phones(active, "active") { $0.reports(["weather"], .day(70)) }
            + phones(holders, "holder") { $0.reports(["legacy"], .day(70)) }
            + phones(silent, "silent") { $0.reports(["legacy"], .day(1)) }
            + phones(mute, "mute") { $0.failsToRead(.day(70)) }
            + phones(former, "former") { phone in
                phone.reports(["legacy"], .day(70))
                phone.reports([], .day(74))
            }
    }

    private func judge(_ phones: [Phone], night: Day? = .first + 75, _ settings: AppSettings) async throws -> [String] {
        var lines: [String] = []
        try await TestStore.with(settings) { test in
            try await test.tell(phones)
            try await test.reconcile()
            if let night { try await test.night(night) }
            var names = KnownNames()
            names.kinds = ["legacy", "weather"]
            try await test.store.names.add(names, appNumber: test.app.number)
            _ = try await test.store.kinds.mark(kind: "legacy", as: .legacy, by: "tester", app: test.app)
            lines = try await test.lines(
                """
                select kind, lifecycle, devices_certain, devices_possible, devices_silent, limit_devices, verdict, reason
                from report.retirement
                """)
        }
        return lines
    }

    @Test func `a kind is ready at the limit, after enough days, with enough coverage`() async throws {
        let lines = try await judge(fleet(active: 19, holders: 1, silent: 1), limits)
        #expect(
            lines == [
                "legacy|retire_ready|1|1|1|2|ready|at most 2 devices would lose it; the limit is 2, and no more active "
                    + "devices may have held it on any of the last 3 closed days"
            ])
    }

    /// After such a migration levels are zero and nothing is entered yet: every kind was ready to be dropped.
    @Test func `a kind is not ready before its holders are recounted`() async throws {
        try await TestStore.with(limits) { test in
            try await test.tell(fleet(active: 5, holders: 15))
            try await test.night()
            var names = KnownNames()
            names.kinds = ["legacy"]
            try await test.store.names.add(names, appNumber: test.app.number)
            _ = try await test.store.kinds.mark(kind: "legacy", as: .legacy, by: "tester", app: test.app)
            try await test.execute(
                """
                update census.kind_day set devices_certain = 0, devices_possible = 0, devices_still_there = 0,
                    widgets_certain = 0, widgets_possible = 0, widgets_reported = 0;
                delete from census.kind_entry;
                update census.device set zone = null
                """)
            let lines = try await test.lines("select lifecycle, verdict, reason from report.retirement")
            #expect(lines == ["legacy|not ready|20 active devices wait to be recounted"])
        }
    }

    @Test func `a kind that nobody holds is ready`() async throws {
        let lines = try await judge(fleet(active: 10), limits)
        #expect(lines.map { $0.hasPrefix("legacy|retire_ready|0|0|0|1|ready|at most 0 devices") } == [true])
    }

    /// Marked as a widget, which no device has, it was ready though every device holds it.
    @Test(arguments: [Surface.control, .today]) func `a kind is judged on the surface that holds it`(
        surface: Surface
    ) async throws {
        try await TestStore.with(limits) { test in
            let phones = (0..<20).map { number in
                var phone = Phone("holder \(number)")
                phone.reports(["weather"], .day(70))
                if surface == .today {
                    phone.happens(.opened(Placement(kind: "legacy")), .day(70), on: surface)
                } else {
                    phone.happens(.reported([Placement(kind: "legacy"): 1]), .day(70), on: surface)
                }
                return phone
            }
            try await test.tell(phones)
            try await test.reconcile()
            try await test.night(.first + 75)
            var names = KnownNames()
            names.kinds = ["legacy", "weather"]
            try await test.store.names.add(names, appNumber: test.app.number)
            _ = try await test.store.kinds.mark(kind: "legacy", as: .legacy, by: "tester", app: test.app)
            let lines = try await test.lines(
                "select surface, kind, devices_possible, verdict from report.retirement")
            #expect(lines == ["\(surface.rawValue)|legacy|20|not ready"])
        }
    }

    @Test func `silent devices count`() async throws {
        let lines = try await judge(fleet(active: 25, holders: 1, silent: 2), limits)
        #expect(
            lines == [
                "legacy|legacy|1|1|2|2|not ready|3 devices may still hold it (1 active, 2 silent); the limit is 2"
            ])
    }

    @Test func `a share of few devices is less than the absolute limit`() async throws {
        let lines = try await judge(fleet(active: 9, holders: 2), limits)
        let days = "0 of the last 3 closed days were at or under the limit; all must be"
        #expect(
            lines == [
                "legacy|legacy|2|2|0|1|not ready|2 devices may still hold it (2 active, 0 silent); the limit is 1; "
                    + days
            ])
    }

    @Test(arguments: [(75, 2), (76, 3)]) func `the last days must all have been under the limit`(
        night: Int, days: Int
    ) async throws {
        let lines = try await judge(fleet(active: 40, former: 3), night: .first + night, limits)
        let reason = "\(days) of the last 3 closed days were at or under the limit; all must be"
        #expect(
            lines.map { $0.hasPrefix("legacy|retire_ready|0|0|0|2|ready|") || $0.hasSuffix("|not ready|" + reason) }
                == [true])
        #expect(lines.first?.contains("|ready|") == (days == 3))
    }

    /// A night in a zone further east has closed a day that is not over here: it was counted as one of the last days.
    @Test func `a day that has not ended counts for nothing`() async throws {
        var lines: [String] = []
        try await TestStore.with(limits) { test in
            try await test.tell(fleet(active: 20))
            try await test.reconcile()
            try await test.night(.first + 71)
            var names = KnownNames()
            names.kinds = ["legacy"]
            try await test.store.names.add(names, appNumber: test.app.number)
            _ = try await test.store.kinds.mark(kind: "legacy", as: .legacy, by: "tester", app: test.app)
            try await test.execute(
                """
                delete from census.closed_day;
                insert into census.closed_day (app_number, day)
                select app_number, current_date + listed.day
                from census.app
                cross join generate_series(-2, 1) as listed (day)
                """)
            lines = try await test.lines("select verdict, reason from report.retirement")
        }
        #expect(lines == ["not ready|2 of the last 3 closed days were at or under the limit; all must be"])
    }

    @Test func `without a closed day nothing is ready`() async throws {
        let lines = try await judge(fleet(active: 10), night: nil, limits)
        #expect(
            lines == [
                "legacy|legacy|0|0|0|1|not ready|0 of the last 3 closed days were at or under the limit; all must be"
            ])
    }

    @Test func `too few reports are no ground`() async throws {
        let lines = try await judge(fleet(active: 9, mute: 11), limits)
        #expect(
            lines == ["legacy|legacy|0|0|0|2|not ready|9 of 20 active devices reported within the window; 50% must"])
        let enough = try await judge(fleet(active: 10, mute: 10), limits)
        #expect(enough.first?.contains("|ready|") == true)
    }

    /// Of a device that was reinstalled, the report of the installation before had counted for coverage, and not here.
    @Test func `a report counts for its window, whatever was installed since`() async throws {
        let reinstalled = (0..<9).map { number in
            var phone = Phone("reinstalled \(number)")
            phone.reports(["weather"], .day(68))
            phone.reinstalls(.day(69))
            phone.failsToRead(.day(70))
            return phone
        }
        let lines = try await judge(fleet(active: 1) + reinstalled, limits)
        #expect(lines.map { $0.contains("|ready|") } == [true])
    }

    @Test func `where no device is active nothing is known`() async throws {
        let lines = try await judge(fleet(active: 0, silent: 0) + [quiet], limits)
        #expect(lines == ["legacy|legacy|0|0|0|0|not ready|no active device: nothing is known"])
    }

    /// Held another kind, long ago.
    private var quiet: Phone {
        var phone = Phone("quiet")
        phone.reports(["weather"], .day(1))
        return phone
    }

    @Test func `what is suspect counts as held`() async throws {
        var phones = fleet(active: 30)
        for number in 0..<3 {
            var phone = Phone("suspect \(number)")
            phone.failsToRead(.day(68))
            phone.reinstalls(.day(69))
            phone.reports(["legacy"], .day(70))
            phones.append(phone)
        }
        let lines = try await judge(phones, limits)
        #expect(lines.map { $0.hasPrefix("legacy|legacy|0|3|0|2|not ready|3 devices may still hold it") } == [true])
    }
}
