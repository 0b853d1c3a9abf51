import CensusCore
import Fleet
import Testing

@testable import CensusStore

@Suite struct `Holders of a kind` {
    @Test func `holders are summed by name, the most first, and names that only look alike stay apart`() {
        func holders(_ version: String, _ certain: Int, _ possible: Int) -> KindHolders {
            KindHolders(
                day: .first, appVersion: version, osVersion: "18.1", platform: "ios", certain: certain,
                possible: possible)
        }
        let (composed, decomposed) = ("1.0 \u{E9}t\u{E9}", "1.0 e\u{301}te\u{301}")
        #expect(composed == decomposed)
        let sums = [
            holders(composed, 1, 2), holders("2.0", 3, 4), holders(decomposed, 5, 6), holders("2.0", 7, 8),
            holders("1.9", 0, 6),
        ].summed { $0.appVersion }
        #expect(sums.map { Text($0.name) } == ["2.0", Text(decomposed), "1.9", Text(composed)])
        #expect(sums.map(\.certain) == [10, 5, 0, 1])
        #expect(sums.map(\.possible) == [12, 6, 6, 2])
    }
}

@Suite struct `Decisions on kinds` {
    /// An app with two kinds and one phone, which has `weather`.
    private func withKinds(_ body: (TestStore) async throws -> Void) async throws {
        try await TestStore.with { test in
            var phone = Phone("phone")
            phone.reports([Placement(kind: "weather", family: "systemSmall"): 2], .day(75))
            try await test.tell(phone)
            try await test.reconcile()
            var names = KnownNames()
            names.kinds = ["weather", "search"]
            names.families = ["systemSmall"]
            try await test.store.names.add(names, appNumber: test.app.number)
            try await body(test)
        }
    }

    private func mark(_ test: TestStore, _ kind: String, _ lifecycle: Lifecycle) async throws -> [KindAct] {
        try await test.store.kinds.mark(kind: kind, KindDecision(lifecycle, by: "tester"), app: test.app)
    }

    private func kinds(_ test: TestStore) async throws -> [String] {
        try await test.store.kinds.ofGallery(appNumber: test.app.number).kinds.map { "\($0.kind) \($0.lifecycle)" }
    }

    @Test(arguments: TestStore.seeds(0..<3)) func `marking a kind shows its overlaps and changes no other report`(
        seed: UInt64
    ) async throws {
        try await TestStore.with(isPartitioned: true) { test in
            try await test.tell(RandomFleet(seed, phones: 20).phones)
            try await test.night()
            func reports() async throws -> [ReportTable] {
                var tables: [ReportTable] = []
                for name in ["active", "changes_by_version", "live_kinds", "retention", "usage", "pairs"] {
                    tables.append(try await test.store.reports.read(name, ReportFilter()))
                }
                return tables
            }
            let before = try await reports()
            #expect(!before[3].rows.isEmpty)
            var names = KnownNames()
            names.kinds = ["weather"]
            try await test.store.names.add(names, appNumber: test.app.number)
            _ = try await test.store.kinds.mark(
                kind: "weather", KindDecision(.legacy, by: "tester"), app: test.app)
            #expect(try await reports() == before)
            #expect(try await !test.store.reports.read("overlap", ReportFilter()).rows.isEmpty)
            #expect(try await test.differences() == [])
        }
    }

    @Test func `every known kind is listed and is active at first`() async throws {
        try await withKinds { test async throws in
            #expect(try await kinds(test) == ["search active", "weather active"])
            #expect(try await test.store.kinds.ofGallery(appNumber: test.app.number).version == 0)
        }
    }

    @Test func `an act is stored with its actor, time and numbers`() async throws {
        try await withKinds { test in
            let act = try #require(try await mark(test, "weather", .legacy).first)
            #expect(act.devicesCertain == 1)
            #expect(act.devicesPossible == 1)
            #expect(try await kinds(test) == ["search active", "weather legacy"])
            #expect(try await test.store.kinds.ofGallery(appNumber: test.app.number).version == act.version)
            let kept = try await test.lines(
                """
                select surface, kind, lifecycle, actor, devices_certain, now() - acted_at < interval '1 minute'
                from census.kind_act
                """)
            #expect(kept == ["widget|weather|legacy|tester|1|t"])
        }
    }

    @Test func `repeating a decision changes nothing`() async throws {
        try await withKinds { test in
            #expect(try await mark(test, "search", .active) == [])
            _ = try await mark(test, "weather", .legacy)
            let before = try await test.contents("census.kind_act")
            #expect(try await mark(test, "weather", .legacy) == [])
            #expect(try await test.contents("census.kind_act") == before)
        }
    }

    @Test func `eight equal decisions at once make one act`() async throws {
        try await withKinds { test in
            let acts = try await withThrowingTaskGroup(of: [KindAct].self) { group in
                for _ in 0..<8 { group.addTask { try await mark(test, "weather", .legacy) } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(acts.count == 1)
        }
    }

    @Test func `the last decision applies, and all are stored`() async throws {
        try await withKinds { test in
            var versions: [Int64] = []
            for lifecycle in [Lifecycle.legacy, .retired, .active, .legacy] {
                versions.append(try #require(try await mark(test, "weather", lifecycle).first).version)
            }
            #expect(versions == versions.sorted() && Set(versions).count == 4)
            #expect(try await kinds(test) == ["search active", "weather legacy"])
            #expect(try await test.value(Int.self, "select count(*) from census.kind_act") == 4)
        }
    }

    @Test func `an unknown kind, another app's kind and a family are rejected`() async throws {
        try await withKinds { test in
            _ = try await test.store.apps.add("com.example.other")
            let other = try await test.store.apps.app("com.example.other")
            for (kind, app) in [("wether", test.app), ("systemSmall", test.app), ("weather", other)] {
                let error = await #expect(throws: StoreError.self) {
                    _ = try await test.store.kinds.mark(kind: kind, KindDecision(.legacy, by: "tester"), app: app)
                }
                #expect(error?.fault == .request)
                #expect(error?.description.contains("kinds list --app \(app.id)") == true)
            }
            #expect(try await test.contents("census.kind_act") == [])
        }
    }

    @Test func `only marked kinds are judged`() async throws {
        try await withKinds { test in
            let judged = "select kind, lifecycle, verdict from report.retirement order by kind"
            #expect(try await test.lines(judged) == [])
            _ = try await mark(test, "weather", .legacy)
            _ = try await mark(test, "search", .legacy)
            _ = try await mark(test, "search", .retired)
            #expect(try await test.lines(judged) == ["search|retired|retired", "weather|legacy|unknown"])
            _ = try await mark(test, "weather", .active)
            #expect(try await test.lines(judged) == ["search|retired|retired"])
        }
    }

    @Test func `a decision applies to every surface that ever had the kind`() async throws {
        try await withSurfaces { test in
            for kind in ["weather", "switch", "both", "former", "unheld"] { _ = try await mark(test, kind, .legacy) }
            let acts = try await test.lines(
                "select kind, surface, devices_certain, devices_possible from census.kind_act order by 1, 2")
            #expect(
                acts == [
                    "both|control|2|2", "both|widget|1|1", "former|control|0|0", "switch|control|1|1",
                    "unheld|widget|0|0", "weather|widget|1|1",
                ])
            let judged = try await test.lines(
                "select kind, surface, devices_possible from report.retirement order by 1, 2")
            #expect(
                judged == [
                    "both|control|2", "both|widget|1", "former|control|0", "switch|control|1", "unheld|widget|0",
                    "weather|widget|1",
                ])
        }
    }

    @Test func `repeating a decision adds an act only on a new surface`() async throws {
        try await withSurfaces { test in
            _ = try await mark(test, "switch", .legacy)
            let before = try await test.contents("census.kind_act")
            _ = try await mark(test, "switch", .legacy)
            #expect(try await test.contents("census.kind_act") == before)

            var phone = Phone("another")
            phone.reports(["switch"], .day(76))
            try await test.tell(phone)
            try await test.reconcile()
            _ = try await mark(test, "switch", .legacy)
            let acts = try await test.lines("select surface, lifecycle from census.kind_act order by act_number")
            #expect(acts == ["control|legacy", "widget|legacy"])
        }
    }

    @Test func `a decision is reverted on the surface where it was made`() async throws {
        try await withSurfaces { test in
            // Before any device reports it.
            _ = try await mark(test, "unheld", .legacy)
            var phone = Phone("another")
            phone.happens(.reported([Placement(kind: "unheld"): 1]), .day(76), on: .control)
            try await test.tell(phone)
            try await test.reconcile()
            _ = try await mark(test, "unheld", .active)
            #expect(try await test.lines("select * from report.retirement") == [])
            let acts = try await test.lines("select surface, lifecycle from census.kind_act order by act_number")
            #expect(acts == ["widget|legacy", "widget|active"])
        }
    }

    @Test func `the gallery policy covers decisions on widgets, and the list covers all surfaces`() async throws {
        try await withSurfaces { test in
            for kind in ["switch", "both"] { _ = try await mark(test, kind, .legacy) }
            #expect(
                try await kinds(test) == [
                    "both legacy", "former active", "switch active", "unheld active", "weather active",
                ])
            let all = try await test.store.kinds.all(appNumber: test.app.number)
            #expect(
                all.map { "\($0.kind) \($0.lifecycle) \($0.surface ?? "-") \($0.devicesPossible)" } == [
                    "both legacy control 2", "both legacy widget 1", "former active - 0", "switch legacy control 1",
                    "unheld active - 0", "weather active widget 1",
                ])
        }
    }

    /// `weather` is a widget, `switch` a control, `both` either; `former` was a control on a closed day, and no device
    /// has `unheld`.
    private func withSurfaces(_ body: (TestStore) async throws -> Void) async throws {
        try await TestStore.with { test in
            var (one, two) = (Phone("one"), Phone("two"))
            one.happens(.reported([Placement(kind: "former"): 1]), .day(70), on: .control)
            one.reports(["weather", "both"], .day(70))
            try await test.tell(one)
            try await test.reconcile()
            try await test.night(.first + 71)
            one.happens(
                .reported([Placement(kind: "switch"): 1, Placement(kind: "both"): 1]), .day(75), on: .control)
            two.happens(.reported([Placement(kind: "both"): 1]), .day(75), on: .control)
            try await test.tell(one, two)
            try await test.reconcile()
            var names = KnownNames()
            names.kinds = ["weather", "switch", "both", "former", "unheld"]
            try await test.store.names.add(names, appNumber: test.app.number)
            try await body(test)
        }
    }
}
