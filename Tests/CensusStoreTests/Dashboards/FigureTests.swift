import CensusStore
import Postgres
import Testing

/// Panels show what `widget-census report` prints.
@Suite struct `Figures of panels` {
    @Test(arguments: Dashboard.ofReports, [false, true]) func `equal those of the reports, on every panel`(
        dashboard: Dashboard, isNarrowed: Bool
    ) async throws {
        let figures = try #require(Figure.all[dashboard.name])
        #expect(Set(figures.keys) == Set(dashboard.panels.filter { !$0.isRow }.map(\.title)))
        try await FilledDashboards.with { test, analyst in
            var viewer = try await DashboardViewer(dashboard, analyst)
            if isNarrowed {
                let choice = ["kind", "version"].map {
                    ($0, Array(viewer.offered[$0, default: []].prefix(3).suffix(1)))
                }
                try await viewer.choose(Dictionary(uniqueKeysWithValues: choice))
            }
            for panel in dashboard.panels where !panel.isRow {
                let answer = try await viewer.answer(panel)
                let parts = figures[panel.title, default: []]
                #expect(parts.reduce([]) { $0.union($1.columns) } == Set(answer.columns), "\(panel.title)")
                for figure in parts {
                    let table = try await test.store.reports.read(figure.report, ReportFilter(app: TestStore.appID))
                    let expected = figure.expected(table, viewer.chosen(for: panel))
                    #expect(isNarrowed || !expected.isEmpty, "\(panel.title)")
                    expectEqual(figure.shown(answer), expected, limit: figure.limit, panel.title)
                }
            }
        }
    }

    /// Names the first rows that differ.
    private func expectEqual(_ shown: [String], _ expected: [String], limit: Int, _ title: String) {
        if expected.count > limit {
            #expect(shown.count == limit && Set(shown).isSubset(of: expected), "\(title)")
        } else if shown != expected {
            let extra = Set(shown).subtracting(expected).sorted()
            let missing = Set(expected).subtracting(shown).sorted()
            Issue.record(
                "\(title) shows \(shown.count) rows, \(extra.prefix(2)), and not \(expected.count), \(missing.prefix(2))"
            )
        }
    }
}
