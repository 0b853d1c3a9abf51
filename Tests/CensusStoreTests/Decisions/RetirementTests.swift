import CensusCore
import Fleet
import Testing

@testable import CensusStore

@Suite struct `Retirement` {
    /// Limits of 4 devices and a tenth of the active ones, on 3 days in a row, with half of the devices reporting.
    var limits: AppSettings {
        var settings = AppSettings()
        settings.limitDevices = 4
        settings.limitShare = 0.1
        settings.readyDays = 3
        settings.minimumCoverage = 0.5
        return settings
    }

    /// - Parameters:
    ///   - holders: devices that always have the legacy kind; `former` ones have it until `formerUntil`.
    ///   - silent: devices that had it when last heard from, on day 1.
    ///   - mute: devices that were heard from but could not read their list.
    func fleet(
        active: Int, holders: Int = 0, former: Int = 0, until formerUntil: Int = 77, silent: Int = 0, mute: Int = 0
    ) -> [Phone] {
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
                phone.reports([], .day(formerUntil))
            }
    }

    /// - Parameter marked: how many days ago.
    func mark(_ test: TestStore, marked: Int = 100, replacedBy: String? = nil) async throws {
        var names = KnownNames()
        names.kinds = ["legacy", "weather"]
        try await test.store.names.add(names, appNumber: test.app.number)
        let decision = KindDecision(.legacy, by: "tester", replacedBy: replacedBy)
        _ = try await test.store.kinds.mark(kind: "legacy", decision, app: test.app)
        try await test.execute("update census.kind_act set acted_at = now() - interval '\(marked) days'")
    }

    func judge(
        _ phones: [Phone], _ settings: AppSettings, night: Day? = nil, marked: Int = 100, replacedBy: String? = nil
    ) async throws -> Verdict {
        var verdict: Verdict?
        try await TestStore.with(settings, isPartitioned: true) { test in
            try await test.tell(phones)
            try await test.reconcile()
            try await mark(test, marked: marked, replacedBy: replacedBy)
            // Marking the kind judged it already.
            try await test.execute("delete from census.readiness")
            try await test.night(night)
            verdict = try await Verdict(test)
        }
        return try #require(verdict)
    }

    struct Verdict {
        var figures: String
        var verdict: String
        var reason: String

        init(_ test: TestStore) async throws {
            let lines = try await test.lines(
                """
                select devices_certain, devices_possible, devices_silent, limit_devices, lifecycle, verdict, reason
                from report.retirement
                """)
            let parts = try #require(lines.first).split(separator: "|", omittingEmptySubsequences: false)
            figures = parts[0..<4].joined(separator: " ")
            verdict = parts[4..<6].joined(separator: " ")
            reason = String(parts[6])
        }
    }

    @Test func `a kind is ready at the limit, after enough days, with enough coverage`() async throws {
        let found = try await judge(fleet(active: 37, holders: 2, silent: 1), limits)
        #expect(found.figures == "2 2 1 3")
        #expect(found.verdict == "retire_ready ready")
        #expect(found.reason.contains("At most 3 devices have it (2 active, 1 silent)."))
    }

    @Test func `silent devices count toward the limit`() async throws {
        let found = try await judge(fleet(active: 25, holders: 1, silent: 3), limits)
        #expect(found.figures == "1 1 3 3")
        #expect(found.verdict == "legacy not ready")
        #expect(found.reason.contains("At most 4 devices have it (1 active, 3 silent); limit: 3 ("))
        // Regression: today's verdict left them out on past days.
        #expect(found.reason.contains("At or under the limit of 3 on 0 of the last 3 days"))
    }

    /// Regression: after a migration that zeroes levels, and before the first entries, every kind was ready.
    @Test func `a kind is not judged before its holders are recounted`() async throws {
        try await TestStore.with(limits, isPartitioned: true) { test in
            try await test.tell(fleet(active: 5, holders: 15))
            try await test.night()
            try await mark(test)
            try await test.execute("update census.device set zone = null")
            try await test.store.decisions.decide(test.app)
            let found = try await Verdict(test)
            #expect(found.verdict == "legacy unknown")
            #expect(found.reason == "20 devices have not been counted yet; the next night does it.")
        }
    }

    @Test func `a kind that no device has is ready`() async throws {
        let found = try await judge(fleet(active: 10), limits)
        #expect(found.figures == "0 0 0 3")
        #expect(found.verdict == "retire_ready ready", "\(found.reason)")
    }

    /// Regression: it was judged on `widget`, where no device has it, and was ready although every device has it.
    @Test(arguments: [Surface.control, .today]) func `a kind is judged on the surface where devices have it`(
        surface: Surface
    ) async throws {
        try await TestStore.with(limits, isPartitioned: true) { test in
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
            try await test.night()
            try await mark(test)
            try await test.store.decisions.decide(test.app)
            let lines = try await test.lines(
                "select surface, kind, devices_possible, verdict from report.retirement")
            #expect(lines == ["\(surface.rawValue)|legacy|20|not ready"])
        }
    }

    @Test(arguments: [(77, 3), (78, 2)]) func `all of the last days must be at or under the limit`(
        until: Int, days: Int
    ) async throws {
        let found = try await judge(fleet(active: 35, former: 5, until: until), limits)
        #expect(found.verdict == (days == 3 ? "retire_ready ready" : "legacy not ready"))
        if days == 2 {
            #expect(
                found.reason
                    == "At or under the limit of 4 on 2 of the last 3 days; required: all 3.")
        }
    }

    /// Regression: a verdict was `ready` because of days that were closed weeks before.
    @Test func `a verdict from before the last ended day is unknown`() async throws {
        let found = try await judge(fleet(active: 20), limits, night: .first + 75)
        #expect(found.verdict == "legacy unknown")
        #expect(found.reason.hasPrefix("The last verdict is from \(Day.first + 75), but later days have ended"))
    }

    @Test func `a verdict is unknown without a closed day`() async throws {
        try await TestStore.with(limits, isPartitioned: true) { test in
            try await mark(test)
            try await test.store.decisions.decide(test.app)
            let found = try await Verdict(test)
            #expect(found.verdict == "legacy unknown")
            #expect(found.reason.hasPrefix("No day is closed yet; "))
        }
    }

    @Test func `a verdict is unknown if too few devices report`() async throws {
        let found = try await judge(fleet(active: 9, mute: 11), limits)
        #expect(found.verdict == "legacy unknown")
        #expect(
            found.reason
                == "9 of 20 active devices (45%) reported within the window; at least 50% must report. "
                + "9 of 20 devices (45%) sent the list that would name it; at least 50% must, within the window.")
        let enough = try await judge(fleet(active: 10, mute: 10), limits)
        #expect(enough.verdict == "retire_ready ready", "\(enough.reason)")
    }

    /// Regression: the report of the previous installation counted for coverage, but not here.
    @Test func `a report counts for its window even after a reinstallation`() async throws {
        let reinstalled = (0..<9).map { number in
            var phone = Phone("reinstalled \(number)")
            phone.reports(["weather"], .day(68))
            phone.reinstalls(.day(69))
            phone.failsToRead(.day(70))
            return phone
        }
        let found = try await judge(fleet(active: 1) + reinstalled, limits)
        #expect(found.verdict == "retire_ready ready", "\(found.reason)")
    }

    /// Regression: controls stayed `unknown`, because Android and older systems never send a list of controls.
    @Test func `a control is judged only by devices that can have one`() async throws {
        try await TestStore.with(limits, isPartitioned: true) { test in
            let able = (0..<12).map { number in
                var phone = Phone("able \(number)", osVersion: "18.2")
                phone.happens(.reported([Placement(kind: "weather"): 1]), .day(70), on: .control)
                return phone
            }
            let others = (0..<8).map { number in
                var phone = Phone(
                    "other \(number)", osVersion: number < 4 ? "15" : "17.6", platform: number < 4 ? .android : .ios)
                phone.failsToRead(.day(70))
                return phone
            }
            var former = Phone("former", osVersion: "18.2")
            former.happens(.reported([Placement(kind: "legacy"): 1]), .day(60), on: .control)
            former.happens(.reported([:]), .day(70), on: .control)
            try await test.tell(able + others + [former])
            try await test.reconcile()
            try await test.night()
            try await mark(test)
            try await test.store.decisions.decide(test.app)
            let lines = try await test.lines(
                "select surface, kind, devices_possible, verdict, reason from report.retirement")
            #expect(lines.count == 1)
            #expect(lines.first?.hasPrefix("control|legacy|0|ready|") == true, "\(lines)")
        }
    }

    /// Regression: lists of controls counted for widgets, and one of two phones with the same id counted for both.
    @Test(arguments: ["control", "cloned", "refused"])
    func `a kind is not judged by lists that say nothing about it`(because: String) async throws {
        try await TestStore.with(limits, isPartitioned: true) { test in
            let others = (0..<12).map { number in
                var phone = Phone("other \(number)")
                switch because {
                case "control": phone.happens(.reported([Placement(kind: "weather"): 1]), .day(70), on: .control)
                default: phone.reports(["weather"], .day(70))
                }
                return phone
            }
            if because == "refused" {
                try await test.execute(
                    """
                    insert into census.refused (device_id, refused_on, digest, app_number, received_at, code, message, event)
                    select md5(number::text)::uuid, (now() at time zone 'UTC')::date, decode(md5(number::text), 'hex'), app_number, now(),
                        'too_long', 'too long', ''
                    from census.app cross join generate_series(1, 12) as number
                    """)
            } else {
                try await test.tell(others)
            }
            try await test.tell(fleet(active: 10))
            try await test.reconcile()
            if because == "cloned" {
                try await test.execute(
                    """
                    update census.device set is_cloned = true
                    where device_id in (select device_id from census.device limit 12)
                    """)
            }
            try await mark(test)
            try await test.night()
            let found = try await Verdict(test)
            #expect(found.verdict == "legacy unknown")
            let all = because == "refused" ? "at most 22" : "22"
            #expect(found.reason.contains("10 of \(all) devices (45%) sent the list"), "\(found.reason)")
        }
    }

    @Test func `a verdict is unknown without an active device`() async throws {
        var quiet = Phone("quiet")
        quiet.reports(["weather"], .day(1))
        let found = try await judge([quiet], limits)
        #expect(found.verdict == "legacy unknown")
        #expect(
            found.reason
                == "No device was active when the last closed day ended; at least 50% must report. No active device can send "
                + "the list that would name it; at least 50% must, within the window.")
    }

    @Test func `suspect widgets count toward the limit`() async throws {
        var phones = fleet(active: 30)
        for number in 0..<4 {
            var phone = Phone("suspect \(number)")
            phone.failsToRead(.day(68))
            phone.reinstalls(.day(69))
            phone.reports(["legacy"], .day(70))
            phones.append(phone)
        }
        let found = try await judge(phones, limits)
        #expect(found.figures == "0 4 0 3")
        #expect(found.verdict == "legacy not ready")
    }

    @Test func `a kind must have been marked for 90 days`() async throws {
        let found = try await judge(fleet(active: 10), limits, marked: 30)
        #expect(found.verdict == "legacy not ready")
        #expect(found.reason.hasSuffix("; required: at least 90 days."))
    }

    @Test func `the replacement must have shipped in two versions`() async throws {
        let one = try await judge(fleet(active: 10), limits, replacedBy: "weather")
        #expect(one.verdict == "legacy not ready")
        #expect(one.reason == "weather has shipped in 1 version; required: at least 2.")
        var phones = fleet(active: 10)
        var newer = Phone("newer")
        newer.circumstances.appVersion = "2.0"
        newer.reports(["weather"], .day(70))
        phones.append(newer)
        let two = try await judge(phones, limits, replacedBy: "weather")
        #expect(two.verdict == "retire_ready ready", "\(two.reason)")
        // Regression: once all devices had updated, it counted as shipped in one.
        let updated = fleet(active: 10).map { phone in
            var phone = phone
            phone.circumstances.appVersion = "2.0"
            phone.reports(["weather"], .day(75))
            return phone
        }
        #expect(try await judge(updated, limits, replacedBy: "weather").verdict == "retire_ready ready")
    }

    /// Regression: it took today's holders for those of the older day.
    @Test func `a night for an older day doesn't change the verdicts`() async throws {
        try await TestStore.with(limits, isPartitioned: true) { test in
            try await test.tell(fleet(active: 10, holders: 1))
            try await test.reconcile()
            try await mark(test)
            try await test.night()
            let verdicts = "select day, verdict, devices_possible, devices_active from census.readiness"
            let before = try await test.lines(verdicts)
            try await test.night(.first + 70)
            #expect(try await test.lines(verdicts) == before)
            #expect(try await test.store.decisions.verdicts(on: test.app).first?.figures.days.last?.active == 11)
        }
    }

    /// A pipeline can add a manifest long before any device has the version.
    @Test func `a manifest's kinds count as shipped once devices run its version`() async throws {
        try await TestStore.with(limits, isPartitioned: true) { test in
            let manifest = Manifest(appID: TestStore.appID, appVersion: "2.0", kinds: [.init("new.weather")])
            _ = try await test.store.manifests.add(manifest, source: manifest.canonical, by: "tester", app: test.app)
            try await test.tell(fleet(active: 10))
            try await test.reconcile()
            try await mark(test, replacedBy: "new.weather")
            try await test.night()
            let added = try await Verdict(test)
            #expect(added.reason == "new.weather has shipped in 0 versions; required: at least 2.")
            var newer = Phone("newer")
            newer.circumstances.appVersion = "2.0"
            newer.reports(["weather"], .day(70))
            try await test.tell(newer)
            try await test.night()
            let out = try await Verdict(test)
            #expect(out.reason == "new.weather has shipped in 1 version; required: at least 2.")
        }
    }

    @Test func `the verdict counts the holders that already have the replacement`() async throws {
        try await TestStore.with(limits, isPartitioned: true) { test in
            var both = Phone("both")
            both.reports(["legacy", "weather"], .day(70))
            try await test.tell(fleet(active: 4, holders: 3, silent: 2) + [both])
            try await test.reconcile()
            try await mark(test, replacedBy: "weather")
            try await test.night()
            let lines = try await test.lines("select devices_possible, devices_with_replacement from report.retirement")
            #expect(lines == ["4|1"])
            let verdict = try #require(try await test.store.decisions.verdicts(on: test.app).first)
            // They fell silent after day 28, and count for a year.
            #expect(verdict.figures.expiring == [Day.first + 29 + 365: 2])
        }
    }

    /// Its span is stored ahead, with its end in the future.
    @Test func `a holder on the Today surface that has the replacement counts, too`() async throws {
        try await TestStore.with(limits, isPartitioned: true) { test in
            var phone = Phone("phone")
            for kind in ["legacy", "weather"] {
                phone.happens(.opened(Placement(kind: kind)), .day(70), on: .today)
            }
            // It is heard from later, so it is still active when the opened widgets expire.
            phone.reports([], .day(75))
            try await test.tell(phone)
            try await test.night()
            try await mark(test, replacedBy: "weather")
            let lines = try await test.lines(
                "select surface, devices_possible, devices_with_replacement from report.retirement")
            #expect(lines == ["today|1|1"])
        }
    }

    /// Regression: a kind that was judged only on `widget` was retired on `control`, too.
    @Test func `retiring a kind skips the surfaces on which it was never marked`() async throws {
        try await TestStore.with(limits, isPartitioned: true) { test in
            try await test.tell(fleet(active: 10, holders: 1))
            try await test.night()
            try await mark(test)
            var phone = Phone("with a control")
            phone.happens(.reported([Placement(kind: "legacy"): 1]), .day(76), on: .control)
            try await test.tell(phone)
            try await test.night()
            let acts = try await test.store.kinds.mark(
                kind: "legacy", KindDecision(.retired, by: "tester"), app: test.app)
            #expect(acts.map(\.surface) == ["widget"])
        }
    }

    @Test func `the required days can exceed the days that a forecast reads`() async throws {
        try await TestStore.with(limits, isPartitioned: true) { test in
            var settings = AppSettings()
            settings.readyDays = 200
            try await test.store.apps.set(TestStore.appID, settings)
            try await test.tell(fleet(active: 10))
            try await test.night()
            try await mark(test)
            try await test.execute(
                """
                insert into census.closed_day (app_number, day)
                select app_number, day::date
                from census.app
                cross join generate_series(current_date - 250, current_date - 1, interval '1 day') as day
                on conflict do nothing
                """)
            try await test.store.decisions.decide(test.store.apps.app(TestStore.appID))
            let found = try await Verdict(test)
            #expect(found.verdict == "retire_ready ready", "\(found.reason)")
        }
    }

    /// Regression: a kind was ready while ten of fifty devices, all of them holders, were set aside.
    @Test func `unreadable devices don't count as devices without the kind`() async throws {
        try await TestStore.with(limits, isPartitioned: true) { test in
            try await test.tell(fleet(active: 9))
            try await test.night()
            try await mark(test)
            try await test.store.decisions.decide(test.app)
            #expect(try await Verdict(test).verdict == "retire_ready ready")
            try await test.execute(
                """
                insert into census.set_aside (device_id, app_number, reason, is_implausible)
                select gen_random_uuid(), app_number, 'x', true
                from census.app
                cross join generate_series(1, 8)
                """)
            // These wait for the reconciler.
            try await test.tell(
                [Phone("one"), Phone("two")].map { phone in
                    var phone = phone
                    phone.reports(["legacy"], .day(76))
                    return phone
                })
            try await test.store.decisions.decide(test.app)
            let found = try await Verdict(test)
            #expect(found.verdict == "legacy unknown")
            #expect(
                found.reason
                    == "9 of at most 19 devices (47%) reported within the window; 10 are waiting to be reconciled, set aside, or "
                    + "had every event refused; at least 50% must report. 9 of at most 19 devices (47%) sent the list that would "
                    + "name it; 10 are waiting to be reconciled, set aside, or had every event refused; at least 50% must, "
                    + "within the window.")
            let manifest = Manifest(appID: TestStore.appID, appVersion: "9.0", kinds: [])
            let preflight = try await test.store.installedBase.preflight(
                .manifest(manifest), app: test.app, allowance: PreflightAllowance(), today: .today)
            #expect(preflight.base?.devicesUnknown == 10)
            let unknown = "; 10 are waiting to be reconciled, set aside, or had every event refused"
            #expect(preflight.doubts.contains { $0.hasSuffix(unknown) })
        }
    }

    /// Regression: marking queues the holders. While another reconciler had them, silent ones counted as unread.
    @Test func `silent devices that only wait for a recount are known`() async throws {
        try await TestStore.with(limits, isPartitioned: true) { test in
            try await test.tell(fleet(active: 10, silent: 12))
            try await test.night()
            try await mark(test)
            try await test.store.decisions.decide(test.app)
            let found = try await Verdict(test)
            #expect(found.verdict == "legacy not ready", "\(found.reason)")
        }
    }

    /// Regression: a kind was ready while lists with it, from all 245 devices, waited to be reconciled.
    @Test func `active devices whose lists wait count as not reporting`() async throws {
        try await TestStore.with(limits, isPartitioned: true) { test in
            try await test.tell(fleet(active: 9))
            try await test.night()
            try await mark(test)
            try await test.tell(
                fleet(active: 9).map { phone in
                    var phone = phone
                    phone.reports(["legacy"], .day(76))
                    return phone
                })
            try await test.store.decisions.decide(test.app)
            let found = try await Verdict(test)
            #expect(found.verdict == "legacy unknown")
            let none = "0 of 9 active devices (0%) reported within the window; 9 are waiting to be reconciled"
            #expect(found.reason.hasPrefix(none))
            let preflight = try await test.store.installedBase.preflight(
                .manifest(Manifest(appID: TestStore.appID, appVersion: "9.0", kinds: [])), app: test.app,
                allowance: PreflightAllowance(), today: .today)
            #expect(preflight.doubts.contains { $0.hasPrefix("0 of 9 active devices (0%) reported within the window") })
        }
    }

    /// Regression: `report retirement` kept showing the verdict of a day that had not ended yet.
    @Test func `the newest verdict is shown even after the zone moves west`() async throws {
        try await TestStore.with(limits, isPartitioned: true) { test in
            try await test.tell(fleet(active: 10))
            try await test.night()
            try await mark(test)
            try await test.execute(
                """
                insert into census.readiness (
                    app_number, day, surface, kind, lifecycle, devices_certain, devices_possible, devices_expected,
                    devices_silent, devices_active, devices_reporting, limit_devices, forecast, verdict, reason, figures)
                select
                    app_number, current_date + 3, surface, kind, lifecycle, devices_certain, devices_possible,
                    devices_expected, devices_silent, devices_active, devices_reporting, limit_devices, forecast,
                    'not ready', 'of another zone', figures
                from census.readiness
                limit 1
                """)
            #expect(try await Verdict(test).reason == "of another zone")
            try await test.store.decisions.decide(test.app)
            #expect(try await Verdict(test).verdict == "retire_ready ready")
        }
    }
}
