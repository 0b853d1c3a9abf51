import CensusCore
import CensusStore
import Fleet

/// The dashboards' test data: an app with every sort of trouble and more kinds than a panel can show, and another app,
/// whose numbers must not appear in its panels.
enum FilledDashboards {
    /// A valid kind, despite its quotes, variables and brackets.
    static let oddKind = "it's $kind ${app} {x}"
    /// Grafana would fail on it anywhere in a query.
    static let macroKind = "$__timeFrom()"

    private static let filled = Task { try await TestStore.filled(fill) }

    /// Runs the body on a copy of the data, with an analyst's session.
    static func with(_ body: (TestStore, AnalystSession) async throws -> Void) async throws {
        try await TestStore.with(copyOf: filled.value) { test in
            try await test.withAnalyst { try await body(test, $0) }
        }
    }

    private static func fill(_ test: TestStore) async throws {
        let name = "com.example.widgets"
        _ = try await test.store.apps.add(name)
        // Another secret, so its phones differ from those with the same names.
        let other = TestStore(
            database: test.database, store: test.store, secret: try Secret("another secret of the tests"),
            app: try await test.store.apps.app(name))
        try await tell(test, seed: 8, kinds: 1_000)
        try await tell(other, seed: 11, kinds: 20)
        try await test.night()
        for store in [test, other] { try await mark(store) }
        // Counts the overlaps of the marked kinds.
        try await test.night()
        // Older decisions, and a history that is long enough for a forecast.
        try await test.execute(
            """
            update census.kind_act
            set acted_at = now() - interval '12 days';
            update census.readiness
            set half_life_days = 21.5, half_life_low = 17, half_life_high = 29, ready_on = current_date + 60,
                ready_on_earliest = current_date + 45, ready_on_latest = current_date + 80
            where kind = 'weather'
            """)
        // Autovacuum would have done this before somebody looks.
        try await test.execute("analyze")
    }

    private static func tell(_ test: TestStore, seed: UInt64, kinds: Int) async throws {
        var odd = Phone("odd")
        odd.reports(["weather"], .day(60))
        odd.reports([oddKind, macroKind, "weather"], .day(70))
        var collector = Phone("collector")
        collector.reports((0..<kinds).map { "kind \($0)" }, .day(70))
        try await test.tell(RandomFleet(seed, phones: 30, days: 79).phones + [odd, collector] + updaters)
        _ = try await test.store.log.append([refused(test)])
        let manifest = Manifest(appID: test.app.id, appVersion: "1.0", kinds: [.init("weather"), .init("radar")])
        _ = try await test.store.manifests.add(manifest, source: manifest.canonical, by: "tester", app: test.app)
        var names = KnownNames()
        names.kinds = ["weather", "search", Text(oddKind)]
        try await test.store.names.add(names, appNumber: test.app.number)
    }

    private static func mark(_ test: TestStore) async throws {
        for kind in ["weather", oddKind] {
            let decision = KindDecision(.legacy, by: "tester", replacedBy: "search")
            _ = try await test.store.kinds.mark(kind: kind, decision, app: test.app)
        }
    }

    /// The update to 2.0 takes `radar` away from half of its devices, and 3.0 takes nothing.
    private static var updaters: [Phone] {
        (0..<240).map { number in
            var phone = Phone("updater \(number)")
            for day in 70...72 { phone.reports(["radar", "weather"], .day(day)) }
            let updates = number < 40
            if updates { phone.circumstances.appVersion = "2.0" }
            phone.reports(updates && number < 20 ? ["weather"] : ["radar", "weather"], .day(73))
            if number >= 200 {
                phone.circumstances.appVersion = "3.0"
                phone.circumstances.galleryPolicy = 1_000
                phone.reports(["radar", "weather"], .day(74))
            }
            return phone
        }
    }

    private static func refused(_ test: TestStore) throws -> BatchRows {
        let body = """
            {"sent_at": "\(Timestamp.day(75))", "app": {"id": "\(TestStore.appID)", "version": "1.0"},
             "device": {"id": "6F1D", "platform": "ios", "os_version": "iOS 17.1"}, "installation": {"id": "A0C2"}, "events": [
                {"id": "good", "type": "widget_opened", "at": "\(Timestamp.day(75))", "widget": {"kind": "weather"}},
                {"id": "odd", "type": "widget_danced", "at": "\(Timestamp.day(75))"},
                {"id": "old", "type": "widget_opened", "at": "1970-01-01T00:00:00Z", "widget": {"kind": "weather"}}]}
            """
        let batch = try BatchDecoder().decode(Array(body.utf8), received: .day(75))
        return BatchRows(batch, appNumber: test.app.number, secret: test.secret, received: .day(75))
    }
}
