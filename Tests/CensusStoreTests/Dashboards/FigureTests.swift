import CensusStore
import Postgres
import Testing

/// Panels show what `widget-census report` prints.
@Suite struct `Figures of panels` {
    @Test(arguments: Dashboard.ofReports) func `every panel shows the figures of its report`(
        dashboard: Dashboard
    ) async throws {
        let figures = try #require(Figure.all[dashboard.name])
        #expect(Set(figures.keys) == Set(dashboard.panels.filter { !$0.isRow }.map(\.title)))
        try await FilledDashboards.with { test, analyst in
            var reports: [String: [Figure.Row]] = [:]
            for report in Set(figures.values.joined().map(\.report)) {
                let table = try await test.store.reports.read(report, ReportFilter(app: TestStore.appID))
                reports[report] = Figure.rows(of: table)
            }
            var viewer = try await DashboardViewer(dashboard, analyst)
            try await compare(viewer, figures, reports)
            // A missing filter shows only if the data has rows that it would exclude.
            let (kinds, versions) = (viewer.offered["kind", default: []], viewer.offered["version", default: []])
            let third = kinds.prefix(3).last
            for (kind, version) in [(third, versions.first), (third, versions.last), (kinds.first, versions.last)] {
                try await viewer.choose(["kind": [try #require(kind)], "version": [try #require(version)]])
                try await compare(viewer, figures, reports, mayBeEmpty: true)
            }
        }
    }

    private func compare(
        _ viewer: DashboardViewer, _ figures: [String: [Figure]], _ reports: [String: [Figure.Row]],
        mayBeEmpty: Bool = false
    ) async throws {
        for panel in viewer.dashboard.panels where !panel.isRow {
            let answer = try await viewer.answer(panel)
            let parts = figures[panel.title, default: []]
            #expect(parts.reduce([]) { $0.union($1.columns) } == Set(answer.columns), "\(panel.title)")
            for figure in parts {
                let expected = figure.expected(try #require(reports[figure.report]), viewer.chosen(for: panel))
                #expect(mayBeEmpty || !expected.isEmpty, "\(panel.title)")
                expectEqual(figure.shown(answer), expected, limit: figure.limit, panel.title)
            }
        }
    }

    /// Records the first rows that differ.
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
