import Foundation
import Testing

/// Compares the Prometheus queries of the service's dashboard with docs/reference/metrics.md.
@Suite struct `Service dashboard` {
    static let panels = Dashboard.all.first { $0.name == "service" }?.panels ?? []

    @Test(arguments: panels) func `each panel queries documented metrics by their labels`(
        panel: Dashboard.Panel
    ) throws {
        for question in panel.questions {
            let query = try PrometheusQuery(question.text)
            #expect(!query.metrics.isEmpty)
            try query.check(against: DescribedMetric.all)
        }
    }

    @Test func `every metric of an alert has a panel`() throws {
        #expect(DescribedMetric.all.count > 40)
        let shown = Set(try Self.panels.flatMap(\.questions).flatMap { try PrometheusQuery($0.text).metrics })
        let alerts = try String(contentsOf: Dashboard.folder.appending(path: "alerts.yml"), encoding: .utf8)
        let alarming = Set(alerts.matches(of: /widget_census_\w+/).map { String($0.output) })
        #expect(alarming.count > 10)
        #expect(alarming.subtracting(shown) == [])
    }

    @Test(
        arguments: [
            "sum(widget_census_surprise)", "sum(widget_census_events_total)", "rate(widget_census_store_up[5m])",
            "sum by (kind) (rate(widget_census_events_total[5m]))", "rate(widget_census_events_total{kind=\"x\"}[5m])",
            "rate(widget_census_commit_seconds[5m])", "avg(widget_census_store_up)", "up", "widget_census_store_up[$x]",
        ])
    func `a query with an unknown or misused name fails the check`(text: String) {
        #expect(throws: PrometheusQuery.Unknown.self) {
            try PrometheusQuery(text).check(against: DescribedMetric.all)
        }
    }
}

extension Dashboard.Panel: CustomTestStringConvertible {
    var testDescription: String { title }
}
