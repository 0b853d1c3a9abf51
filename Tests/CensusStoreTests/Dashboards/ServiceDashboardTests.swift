import Foundation
import Testing

/// What the dashboard of the service asks Prometheus for, against what docs/reference/metrics.md says there is.
@Suite struct `Service dashboard` {
    static let panels = Dashboard.all.first { $0.name == "service" }?.panels ?? []

    @Test(arguments: panels) func `asks for metrics that docs/reference/metrics.md has, by their labels`(
        panel: Dashboard.Panel
    ) throws {
        for question in panel.questions {
            let query = try PrometheusQuery(question.text)
            #expect(!query.metrics.isEmpty)
            try query.check(against: DescribedMetric.all)
        }
    }

    @Test func `shows whatever an alert is about`() throws {
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
    func `fails in tests where it uses what nobody knows`(text: String) {
        #expect(throws: PrometheusQuery.Unknown.self) {
            try PrometheusQuery(text).check(against: DescribedMetric.all)
        }
    }
}

extension Dashboard.Panel: CustomTestStringConvertible {
    var testDescription: String { title }
}
