import CensusCore
import CensusStore
import Postgres
import Testing

/// The query of each panel, variable and annotation, as Grafana sends it.
@Suite struct `Panels` {
    @Test(arguments: Dashboard.ofReports) func `an analyst's query returns the columns that the panel shows`(
        dashboard: Dashboard
    ) async throws {
        try await FilledDashboards.with { _, analyst in
            let viewer = try await DashboardViewer(dashboard, analyst)
            for panel in dashboard.panels where !panel.isRow {
                let answer = try await viewer.answer(panel)
                #expect(!answer.rows.isEmpty, "\(panel.title)")
                #expect(panel.columns.subtracting(answer.columns) == [], "\(panel.title)")
                if panel.type == "timeseries" { expectSeries(answer, panel) }
            }
            for annotation in dashboard.annotations {
                let answer = try await viewer.answer(annotation)
                #expect(answer.columns == ["time", "text", "tags"])
                #expect(answer.types.first == .timestamptz)
                #expect(!answer.rows.isEmpty, "\(annotation.asker)")
            }
        }
    }

    /// Grafana draws one series per numeric column, or per value of `metric`.
    private func expectSeries(_ answer: TextRows, _ panel: Dashboard.Panel) {
        #expect(answer.columns.first == "time" && answer.types.first == .timestamptz, "\(panel.title)")
        let times = answer.rows.compactMap { $0.first ?? nil }
        #expect(times.count == answer.rows.count && times == times.sorted(), "\(panel.title)")
        let numbers: Set<PostgresType> = [.int2, .int4, .int8, .float4, .float8, .numeric]
        if panel.question.isLong {
            #expect(answer.columns.dropFirst().first == "metric" && answer.columns.count == 3, "\(panel.title)")
            #expect(numbers.contains(answer.types[2]), "\(panel.title)")
            #expect(
                Set(answer.rows.map { $0[1] }).count <= 16,
                "\(panel.title) shows more series than a viewer can distinguish")
            #expect(
                Set(answer.rows.map { $0.prefix(2).map { Array(($0 ?? "").utf8) } }).count == answer.rows.count,
                "\(panel.title)")
        } else {
            #expect(answer.types.dropFirst().allSatisfy(numbers.contains), "\(panel.title)")
            #expect(Set(times).count == times.count, "\(panel.title) has two points of one series at one time")
        }
    }

    @Test(arguments: Dashboard.ofReports) func `every panel can be filtered by one kind, even by an oddly named one`(
        dashboard: Dashboard
    ) async throws {
        try await FilledDashboards.with { _, analyst in
            var viewer = try await DashboardViewer(dashboard, analyst)
            #expect(viewer.offers(FilledDashboards.oddKind, of: "kind") == (dashboard.name != "losses"))
            #expect(!viewer.offers(FilledDashboards.macroKind, of: "kind"))
            for kind in ["weather", FilledDashboards.oddKind] where viewer.offers(kind, of: "kind") {
                try await viewer.choose(["kind": [kind]])
                for panel in dashboard.panels where !panel.isRow {
                    let answer = try await viewer.answer(panel)
                    if panel.repeated != nil { #expect(!answer.rows.isEmpty, "\(panel.title) for \(kind)") }
                }
            }
        }
    }

    @Test(arguments: Dashboard.ofReports.filter { ["installs", "quality"].contains($0.name) })
    func `a dashboard offers the twelve kinds with the most devices out of a thousand`(dashboard: Dashboard)
        async throws
    {
        try await FilledDashboards.with { _, analyst in
            let viewer = try await DashboardViewer(dashboard, analyst)
            #expect(viewer.offered["kind", default: []].count > 1_000)
            #expect(viewer.offered["kinds", default: []].count == 12)
            #expect(viewer.offered["kinds", default: []].prefix(2) == ["weather", "radar"])
        }
    }

    @Test(arguments: Dashboard.ofReports) func `a time series shows only the chosen days`(dashboard: Dashboard)
        async throws
    {
        try await FilledDashboards.with { _, analyst in
            let viewer = try await DashboardViewer(dashboard, analyst, days: 8)
            let first = "\(Day.today - 8)"
            for panel in dashboard.panels where panel.type == "timeseries" {
                let days = try await viewer.answer(panel).rows.compactMap { $0[0]?.prefix(10) }
                #expect(days.allSatisfy { $0 >= first }, "\(panel.title)")
            }
        }
    }

    @Test(arguments: Dashboard.ofReports) func `no panel fails before there is an app`(dashboard: Dashboard)
        async throws
    {
        try await TestStore.with { test in
            try await test.withAnalyst { analyst in
                let viewer = try await DashboardViewer(dashboard, analyst)
                for panel in dashboard.panels where !panel.isRow { _ = try await viewer.answer(panel) }
                for annotation in dashboard.annotations { _ = try await viewer.answer(annotation) }
            }
        }
    }
}
