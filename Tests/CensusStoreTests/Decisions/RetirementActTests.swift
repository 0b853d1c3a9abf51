import CensusCore
import Testing

@testable import CensusStore

/// Acts, and the figures stored with them.
extension `Retirement` {
    @Test func `changing a limit is an act with the verdicts before and after it`() async throws {
        try await TestStore.with(limits, isPartitioned: true) { test in
            try await test.tell(fleet(active: 35, holders: 5))
            try await test.night()
            try await mark(test)
            try await test.night()
            #expect(try await Verdict(test).verdict == "legacy not ready")
            var settings = AppSettings()
            settings.limitDevices = 5
            settings.limitShare = 0.5
            let act = try #require(
                try await test.store.apps.set(TestStore.appID, settings, by: "anna", because: "all asked"))
            #expect(
                act.changes == [
                    .init(setting: "limit_devices", from: "4", to: "5"),
                    .init(setting: "limit_share", from: "0.1", to: "0.5"),
                ])
            #expect(
                act.verdicts == [
                    .init(
                        surface: "widget", kind: "legacy", devices_possible: 5, devices_silent: 0, before: "not ready",
                        after: "ready")
                ])
            // The new limits apply at once.
            #expect(try await Verdict(test).verdict == "retire_ready ready")
            #expect(try await test.store.apps.set(TestStore.appID, settings, by: "anna") == nil)
            var kept = act
            kept.day = ReportingZone.utc.day(of: .now)
            #expect(try await test.store.apps.acts(appNumber: test.app.number).last == kept)
        }
    }

    @Test func `an act stores the figures on which it was taken`() async throws {
        try await TestStore.with(limits, isPartitioned: true) { test in
            try await test.tell(fleet(active: 10, holders: 5))
            try await test.night()
            try await mark(test)
            _ = try await test.store.kinds.mark(
                kind: "legacy", KindDecision(.retired, by: "anna", because: "shipped"), app: test.app)
            let acts = try await test.store.kinds.acts(
                on: "legacy", surface: "widget", appNumber: test.app.number)
            #expect(acts.map(\.decision.lifecycle) == [.legacy, .retired])
            #expect(acts.map(\.verdict) == [.notReady, .notReady])
            #expect(acts.map(\.devicesPossible) == [5, 5])
            #expect(acts.last?.decision.reason == "shipped")
            let kept = try await test.lines(
                "select figures ->> 'devices_possible', figures ->> 'limit_devices' from census.kind_act")
            #expect(kept == ["5|3", "5|3"])
            let found = try await Verdict(test)
            #expect(found.verdict == "retired retired")
        }
    }
}
