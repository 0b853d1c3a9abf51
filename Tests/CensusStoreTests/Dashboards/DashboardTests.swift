import CensusCore
import CensusStore
import Postgres
import Testing

@Suite struct `Dashboards` {
    /// Kinds with quotes and brackets are kinds, too.
    private func withFilledDatabase(_ body: (TestStore) async throws -> Void) async throws {
        try await TestStore.with { test in
            var odd = Phone("odd")
            odd.reports(["it's $kind {x}", "weather"], .day(70))
            try await test.tell(RandomFleet(8, phones: 30, days: 79).phones + [odd])
            try await test.night()
            var names = KnownNames()
            names.kinds = ["weather", "search"]
            try await test.store.names.add(names, appNumber: test.app.number)
            _ = try await test.store.kinds.mark(kind: "weather", KindDecision(.legacy, by: "tester"), app: test.app)
            try await body(test)
        }
    }

    private func ask(_ test: TestStore, _ question: Dashboard.Question, _ grafana: GrafanaQuery) async throws
        -> TextRows
    {
        #expect(!question.sql.contains("census."), "\(question.asker): a reader of reports may not read tables")
        let sql = try grafana.expanded(question.sql)
        return try await test.store.pool.queryText(Statement(question.asker, sql))
    }

    /// Chooses the first value of each variable, or all where several may be chosen.
    private func choices(_ test: TestStore, _ dashboard: Dashboard) async throws -> GrafanaQuery {
        var grafana = GrafanaQuery(from: .now - .days(90), to: .now)
        for variable in dashboard.variables {
            let values = try await ask(test, variable.question, grafana).rows.compactMap { $0.first ?? nil }
            #expect(!values.isEmpty, "$\(variable.question.asker) has nothing to choose from")
            grafana.variables[variable.question.asker] = variable.isMultiple ? values : Array(values.prefix(1))
        }
        return grafana
    }

    @Test func `there is at least one`() { #expect(Dashboard.all.map(\.name).contains("live.json")) }

    @Test(arguments: Dashboard.all) func `every query answers with the columns that its panel shows`(
        dashboard: Dashboard
    ) async throws {
        try await withFilledDatabase { test in
            let grafana = try await choices(test, dashboard)
            #expect(!dashboard.panels.isEmpty)
            for question in dashboard.panels {
                let answer = try await ask(test, question, grafana)
                #expect(!answer.rows.isEmpty, "\(question.asker)")
                #expect(question.columns.subtracting(answer.columns) == [], "\(question.asker)")
                guard question.isTimeSeries else { continue }
                #expect(answer.columns.first == "time", "\(question.asker)")
                #expect(answer.types.first == .timestamptz, "\(question.asker)")
                let times = answer.rows.map { $0.first ?? nil }
                #expect(times.compactMap(\.self) == times.compactMap(\.self).sorted(), "\(question.asker)")
            }
        }
    }

    /// Grafana repeats a panel with one value of the variable at a time.
    @Test(arguments: Dashboard.all) func `every query answers for each kind by itself`(dashboard: Dashboard)
        async throws
    {
        try await withFilledDatabase { test in
            let all = try await choices(test, dashboard)
            #expect(all.variables["kind"]?.contains("it's $kind {x}") == true)
            for kind in all.variables["kind"] ?? [] {
                var grafana = all
                grafana.variables["kind"] = [kind]
                for question in dashboard.panels {
                    let answer = try await ask(test, question, grafana)
                    #expect(!answer.rows.isEmpty, "\(question.asker) for \(kind)")
                }
            }
        }
    }

    @Test(arguments: Dashboard.all) func `is of a schema that Grafana 10 and later read, and explains each panel`(
        dashboard: Dashboard
    ) {
        #expect(dashboard.schemaVersion >= 39)
        #expect(dashboard.undescribed == [])
        for (number, place) in dashboard.places.enumerated() {
            #expect(place[0] >= 0 && place[1] >= 0 && place[0] + place[2] <= 24, "panel \(number)")
            for other in dashboard.places.dropFirst(number + 1) {
                let isApart =
                    place[0] + place[2] <= other[0] || other[0] + other[2] <= place[0]
                    || place[1] + place[3] <= other[1] || other[1] + other[3] <= place[1]
                #expect(isApart, "panels lie on each other: \(place) \(other)")
            }
        }
    }
}
