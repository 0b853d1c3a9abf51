import CensusCore
import Foundation
import Testing

@Suite struct `Dashboards` {
    /// The Grafana units that the dashboards use.
    private static let units: Set = [
        "short", "locale", "percentunit", "dateTimeFromNow", "d", "h", "s", "bytes", "reqps", "cps", "none",
    ]

    @Test func `the folder has the five dashboards, each with its own uid and title`() {
        #expect(Dashboard.all.map(\.name) == ["decision", "installs", "losses", "quality", "service"])
        for dashboard in Dashboard.all { #expect(dashboard.uid == "widget-census-\(dashboard.name)") }
        #expect(Set(Dashboard.all.map(\.title)).count == Dashboard.all.count)
    }

    @Test(arguments: Dashboard.all)
    func `a dashboard has a schema for Grafana 10 and reads only the chosen data source`(
        dashboard: Dashboard
    ) {
        #expect(dashboard.schemaVersion == 39)
        #expect(dashboard.dataSources == [[dashboard.dataSource, "${\(dashboard.chooser)}"]])
    }

    @Test(arguments: Dashboard.all) func `every panel has a question as its title, a description and a known unit`(
        dashboard: Dashboard
    ) {
        for panel in dashboard.panels where !panel.isRow {
            #expect(panel.description.count > 40, "\(panel.title)")
            #expect(panel.title.hasSuffix("?"), "\(panel.title)")
            #expect(Self.units.isSuperset(of: [panel.unit] + panel.columnUnits), "\(panel.title)")
            #expect(!panel.questions.isEmpty, "\(panel.title)")
        }
        let titles = dashboard.panels.map(\.title)
        #expect(Set(titles).count == titles.count)
    }

    @Test(arguments: Dashboard.all) func `panels don't overlap and have unique ids`(dashboard: Dashboard) {
        #expect(Set(dashboard.panels.map(\.id)).count == dashboard.panels.count)
        #expect(dashboard.panels.allSatisfy { $0.id > 0 })
        for (number, panel) in dashboard.panels.enumerated() {
            let place = panel.place
            #expect(place[0] >= 0 && place[1] >= 0 && place[0] + place[2] <= 24, "\(panel.title)")
            #expect(place[2] > 0 && place[3] > 0, "\(panel.title)")
            for other in dashboard.panels.dropFirst(number + 1) {
                let isApart =
                    place[0] + place[2] <= other.place[0] || other.place[0] + other.place[2] <= place[0]
                    || place[1] + place[3] <= other.place[1] || other.place[1] + other.place[3] <= place[1]
                #expect(isApart, "\(panel.title) lies on \(other.title)")
            }
        }
    }

    @Test(arguments: Dashboard.all) func `a dashboard has the variables to choose by`(dashboard: Dashboard) {
        let names = dashboard.variables.map(\.question.asker)
        #expect(Set(names).count == names.count)
        let wanted: Set = dashboard.name == "service" ? ["instance"] : ["app", "kind", "version"]
        #expect(wanted.subtracting(names) == [])
        for panel in dashboard.panels { #expect(panel.repeated.map(names.contains) != false) }
    }

    /// Grafana reads the names of these defaults from two places.
    @Test func `the default data sources are the provisioned ones`() throws {
        let file = Dashboard.folder.appending(path: "provisioning/datasources/widget-census.yaml")
        let provisioned = try String(contentsOf: file, encoding: .utf8).matches(
            of: /name: (.*)\n *uid: (.*)\n *type: (.*)\n/
        )
        .map { [String($0.1), String($0.2), String($0.3)] }
        #expect(Set(Dashboard.all.map { $0.chosenSource + [$0.dataSource] }) == Set(provisioned))
    }

    /// Links carry the chosen variables to the other dashboards.
    @Test func `a variable selects the same type of data source on every dashboard`() {
        let sources = Dictionary(grouping: Dashboard.all, by: \.chooser).values.map { Set($0.map(\.dataSource)) }
        #expect(sources.allSatisfy { $0.count == 1 })
    }

    @Test func `a view's header names exactly the dashboards that read it`() throws {
        for folder in ReportFolder.all {
            let readers = Dashboard.ofReports.filter { $0.questions.contains { $0.reads(folder.name) } }.map(\.name)
            let header = try folder.text("view.sql").firstMatch(of: /\n-- Read by  (?:dashboards \(([\w, ]*)\); )?/)
            let named = header?.1?.split(separator: ", ").map(String.init) ?? []
            #expect(named == readers, "sql/reports/\(folder.name)/view.sql")
        }
    }

    @Test(
        arguments: [
            "$__interval", "$__timeGroup(day, '1d')", "$__timeFrom()", "${kind}", "${kind:csv}", "$kind",
            "${none:sqlstring}",
        ])
    func `expanding a query fails on a macro or a format that the tests don't know`(sql: String) throws {
        let grafana = GrafanaQuery(from: .now, to: .now, variables: ["kind": ["it's"]])
        #expect(throws: GrafanaQuery.Unknown.self) { try grafana.expanded(sql) }
        #expect(try grafana.expanded("${kind:sqlstring}") == "'it''s'")
    }
}
