import CensusCore
import CensusStore
import Fleet
import Testing

/// Preflight of reported widgets: open spans say which devices have which widgets.
@Suite struct `Preflight of an installed base` {
    private func manifest(_ kinds: Manifest.Kind..., version: String = "2.0") -> Manifest {
        Manifest(appID: TestStore.appID, appVersion: version, kinds: kinds)
    }

    private func verdict(
        _ manifest: Manifest, _ test: TestStore, allow: Int = 0, allowsUnknown: Bool = false
    ) async throws -> PreflightVerdict {
        try await test.store.installedBase.preflight(
            .manifest(manifest), app: test.app, allowance: PreflightAllowance(devices: allow),
            allowsUnknown: allowsUnknown,
            today: .today)
    }

    private func phone(_ id: String, _ claimed: [Placement: Int], _ day: Int = 75, version: String = "1.0") -> Phone {
        var phone = Phone(id)
        phone.circumstances.appVersion = version
        phone.reports(claimed, .day(day))
        return phone
    }

    private let weather = Placement(kind: "weather", family: "systemSmall", intent: "CityIntent")
    private let radar = Placement(kind: "radar", family: "systemLarge")

    @Test func `devices and widgets are counted by finding and version, and devices once in the total`() async throws {
        try await TestStore.with { test in
            try await test.tell([
                phone("both", [weather: 2, radar: 1]), phone("first", [weather: 1], version: "1.10"),
                phone("second", [radar: 3], version: "1.9"), phone("neither", [:], version: "1.9"),
            ])
            try await test.reconcile()
            let verdict = try await verdict(manifest(), test)
            #expect(verdict.exitStatus == 1)
            #expect(verdict.base?.devicesActive == 4)
            #expect(verdict.base?.versions == ["1.0", "1.9", "1.10"])
            #expect(verdict.findings.map(\.change.kind.kind.text) == ["radar", "weather"])
            #expect(verdict.findings.map(\.loss.devicesCertain) == [2, 2])
            #expect(verdict.findings.map(\.loss.devicesPossible) == [2, 2])
            #expect(verdict.findings.map(\.loss.widgetsCertain) == [4, 3])
            #expect(verdict.findings[0].byVersion.map(\.version.text) == ["1.0", "1.9"])
            #expect(verdict.total.devicesPossible == 3)
            #expect(try await self.verdict(manifest(), test, allow: 3).exitStatus == 0)
        }
    }

    @Test func `silent devices count in the upper bound for a year, and suspects only as possible`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var suspect = phone("suspect", [weather: 1], 60)
            suspect.reinstalls(.day(70))
            suspect.reports([weather: 1], .day(71))
            try await test.tell([phone("silent", [weather: 1], 20), suspect, phone("active", [weather: 1])])
            try await test.reconcile()
            try await test.night()
            let finding = try #require(try await verdict(manifest(), test).findings.first)
            #expect(finding.loss.devicesCertain == 1)
            #expect(finding.loss.devicesPossible == 3)
            #expect(finding.loss.devicesSilent == 1)
            // As in a verdict, the year begins when the device falls silent, 28 days after it was last heard from.
            for (silent, possible) in [(364, 3), (366, 2)] {
                try await test.execute(
                    """
                    update census.device set first_heard_at = now() - interval '3 years',
                        last_heard_at = now() - interval '\(silent + 28) days', silent_at = now() - interval '\(silent) days'
                    where silent_at < now()
                    """)
                #expect(try await verdict(manifest(), test).findings.first?.loss.devicesPossible == possible)
            }
        }
    }

    /// Changes by time alone are stored ahead: the current span already has its end, in the future.
    @Test func `a widget that will count as unconfirmed next week is certain today`() async throws {
        try await TestStore.with { test in
            var phone = phone("fading", [weather: 1], 60)
            phone.happens(.opened(Placement(kind: "search", family: "systemSmall")), .day(79))
            phone.happens(.opened(Placement(kind: "extension")), .day(78), on: .today)
            try await test.tell(phone)
            try await test.reconcile()
            let ahead = try await test.value(Int.self, "select count(*) from census.span where to_at > now()")
            #expect(ahead > 0)
            let findings = try await verdict(manifest(), test).findings
            #expect(findings.map(\.change.kind.description) == ["extension (today)", "search", "weather"])
            #expect(findings.map(\.loss.devicesCertain) == [1, 1, 1])
            #expect(findings.map(\.loss.widgetsPossible) == [1, 1, 1])
        }
    }

    @Test func `an intent is read from reports, or else from the manifest of the version`() async throws {
        try await TestStore.with { test in
            let untold = Placement(kind: "weather", family: "systemSmall")
            try await test.tell([
                phone("told", [weather: 1]), phone("untold", [untold: 1], version: "1.1"),
                phone("unknown", [untold: 1], version: "1.2"),
            ])
            try await test.reconcile()
            let place = manifest(.init("weather", intent: "PlaceIntent"))
            let before = try #require(try await verdict(place, test).findings.first)
            #expect(before.loss.devicesCertain == 1)
            #expect(before.loss.devicesPossible == 3)
            let known = manifest(.init("weather", intent: "CityIntent"), version: "1.1")
            _ = try await test.store.manifests.add(known, source: known.canonical, by: "tester", app: test.app)
            #expect(try await verdict(place, test).findings.first?.loss.devicesCertain == 2)
            let migrating = manifest(.init("weather", intent: "PlaceIntent", migratesFrom: ["CityIntent"]))
            #expect(try await verdict(migrating, test).exitStatus == 0)
        }
    }

    @Test func `the verdict is unknown without devices or with too few that report`() async throws {
        try await TestStore.with { test in
            #expect(try await verdict(manifest(), test).exitStatus == 3)
            #expect(try await verdict(manifest(), test, allowsUnknown: true).exitStatus == 0)
            var failing = Phone("failing")
            failing.failsToRead(.day(75))
            try await test.tell(failing)
            try await test.reconcile()
            let verdict = try await verdict(manifest(), test)
            #expect(verdict.exitStatus == 3)
            #expect(verdict.doubts.first?.hasPrefix("0 of 1 active device (0%) reported") == true)
        }
    }

    /// A release that drops a control passed, because all devices had listed their widgets.
    @Test func `a list of another surface, or a failed read, doesn't say that nobody has a kind`() async throws {
        try await TestStore.with { test in
            let toggle = manifest(.init("weather"), .init("toggle", surface: .control), version: "1.0")
            _ = try await test.store.manifests.add(toggle, source: toggle.canonical, by: "tester", app: test.app)
            var phones = (0..<10).map { phone("\($0)", [weather: 1]) }
            for index in phones.indices {
                phones[index].circumstances.osVersion = "26.1"
                phones[index].failsToRead(.day(76), on: .control)
            }
            try await test.tell(phones)
            try await test.reconcile()
            let coming = manifest(.init("weather"))
            let undecided = try await verdict(coming, test)
            #expect(undecided.exitStatus == 3)
            #expect(undecided.unlisted == [.control])
            #expect(undecided.doubts.first?.hasPrefix("0 of 10 devices (0%) that can have a control") == true)
            #expect(try await verdict(toggle, test).exitStatus == 0, "it takes no control away")
            // Devices run a version without a manifest, so only the other one tells of the control.
            for index in phones.indices { phones[index].circumstances.appVersion = "1.1" }
            for index in phones.indices { phones[index].failsToRead(.day(76, hour: 20), on: .control) }
            try await test.tell(phones)
            try await test.reconcile()
            #expect(try await verdict(coming, test).unlisted == [.control])
            for index in phones.indices { phones[index].reports([:], .day(77), on: .control) }
            try await test.tell(phones)
            try await test.reconcile()
            #expect(try await verdict(coming, test).exitStatus == 0)
        }
    }

    @Test func `a control that a device had for a moment might be on those that list none, until it is retired`()
        async throws
    {
        try await TestStore.with { test in
            var phones = (0..<10).map { phone("\($0)", [weather: 1]) }
            for index in phones.indices {
                phones[index].circumstances.osVersion = "26.1"
                phones[index].reports([weather: 1], .day(76))
            }
            phones[0].reports([Placement(kind: "toggle"): 1], .day(76), on: .control)
            phones[0].reports([:], .day(76, hour: 20), on: .control)
            try await test.tell(phones)
            try await test.reconcile()
            let coming = manifest(.init("weather"))
            let undecided = try await verdict(coming, test)
            #expect(undecided.unlisted == [.control], "\(undecided)")
            let keeping = manifest(.init("weather"), .init("toggle", surface: .control))
            #expect(try await verdict(keeping, test).exitStatus == 0)
            let dropped = try await test.store.installedBase.preflight(
                .dropping(kind: "toggle"), app: test.app, allowance: PreflightAllowance(), today: .today)
            #expect(dropped.unlisted == [.control] && dropped.exitStatus == 3)
            #expect(dropped.findings.map(\.change.kind.surface) == [.control])
            try await test.execute(
                """
                insert into census.kind_act (
                    app_number, surface, kind, lifecycle, actor, devices_certain, devices_possible)
                select app_number, 'control', 'toggle', 'retired', 'tester', 0, 0 from census.app
                """)
            #expect(try await verdict(coming, test).exitStatus == 0)
        }
    }

    @Test func `all acknowledgements are stored, and the last one excuses up to its maximum`() async throws {
        try await TestStore.with { test in
            try await test.tell([phone("a", [radar: 1]), phone("b", [radar: 1])])
            try await test.reconcile()
            let fingerprint = try #require(try await verdict(manifest(), test).findings.first?.fingerprint)
            func accept(_ loss: Int) async throws {
                try await test.store.acknowledgements.add(
                    fingerprint, maximumLoss: loss, until: .today + 1, by: "anna", reason: "announced", change: nil,
                    app: test.app)
            }
            try await accept(2)
            #expect(try await verdict(manifest(), test).exitStatus == 0)
            try await test.tell(phone("c", [radar: 1]))
            try await test.reconcile()
            #expect(try await verdict(manifest(), test).exitStatus == 1, "more than was acknowledged")
            try await accept(3)
            #expect(try await verdict(manifest(), test).exitStatus == 0)
            try await accept(0)
            #expect(try await verdict(manifest(), test).exitStatus == 1)
            #expect(
                try await test.store.acknowledgements.all(app: test.app).map(\.acknowledgement.maximumLoss) == [
                    2, 3, 0,
                ])
        }
    }

    @Test func `names that need escapes in SQL and JSON are matched`() async throws {
        try await TestStore.with { test in
            let naughty = Placement(kind: "we'ather\"\\\n é", family: "", intent: "{}")
            try await test.tell([phone("a", [naughty: 1]), phone("b", [Placement(kind: "we'ather\"\\\n é"): 1])])
            try await test.reconcile()
            #expect(try await verdict(manifest(), test).findings.first?.loss.devicesCertain == 2)
        }
    }
}
