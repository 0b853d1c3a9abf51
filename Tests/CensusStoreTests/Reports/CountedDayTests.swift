import CensusCore
import Testing

@testable import CensusStore

@Suite struct `Counted days` {
    /// Each number equals the one in a report.
    @Test func `counted days agree with the reports`() async throws {
        try await TestStore.with { test in
            let ledger = FilledLedger(days: 14, kinds: 4)
            try await test.execute(ledger.script)
            let reports = test.store.reports
            let days = try await reports.countedDays(app: TestStore.appID, (ledger.lastDay - 5)...ledger.lastDay)
            #expect(Set(days.map(\.day)).count == 6)
            let filter = ReportFilter(app: TestStore.appID, since: ledger.lastDay - 5, until: ledger.lastDay)
            var rows: [String: [[String: String]]] = [:]
            for name in ["live_kinds", "active", "changes", "coverage"] {
                let table = try await reports.read(name, filter)
                rows[name] = table.rows.map { row in
                    Dictionary(uniqueKeysWithValues: zip(table.columns.map(\.name), row.map { $0 ?? "" }))
                }
            }
            for day in days {
                func sum(_ report: String, _ column: String, where matches: ([String: String]) -> Bool) -> Double {
                    rows[report, default: []].filter { row in
                        row["day"] == "\(day.day)" && (row["kind"] ?? day.kind) == day.kind
                            && (row["surface"] ?? day.surface) == day.surface && matches(row)
                    }.reduce(0) { $0 + (Double($1[column] ?? "") ?? 0) }
                }
                func live(_ column: String) -> Double { sum("live_kinds", column) { _ in true } }
                func changed(_ column: String, _ cause: String) -> Int {
                    Int(sum("changes", column) { $0["cause"] == cause })
                }
                #expect(day.devicesExpected == live("devices_expected"))
                let counts = [
                    day.devicesCertain, day.devicesPossible, day.devicesReported, day.widgetsCertain,
                    day.widgetsPossible, day.widgetsReported,
                ]
                #expect(
                    counts
                        == [
                            "devices_certain", "devices_possible", "devices_reported", "widgets_certain",
                            "widgets_possible", "widgets_reported",
                        ].map { Int(live($0)) })
                #expect(day.devicesDaily == Int(sum("active", "devices_daily") { $0["family"] == "" }))
                #expect(day.devicesWeekly == Int(sum("active", "devices_weekly") { $0["family"] == "" }))
                #expect(day.addedInstalled == changed("widgets_added", "installed"))
                #expect(day.addedConfigured == changed("widgets_added", "configured"))
                #expect(day.addedReturned == changed("widgets_added", "returned"))
                #expect(day.removedRemoved == changed("widgets_removed", "removed"))
                #expect(day.removedConfigured == changed("widgets_removed", "configured"))
                #expect(day.removedReinstalled == changed("widgets_removed", "reinstalled"))
                #expect(day.removedUpgradeLoss == changed("widgets_removed", "upgrade_loss"))
                #expect(day.removedSilent == changed("widgets_removed", "silent"))
                #expect(day.devicesActive == Int(sum("coverage", "devices_active") { _ in true }))
                #expect(day.readsFailed == Int(sum("coverage", "reads_failed") { _ in true }))
                let silent = try await test.value(
                    Int.self,
                    "select devices_silent from census.kind_day where day = '\(day.day)' and kind = '\(day.kind)' "
                        + "and surface = '\(day.surface)' order by app_number limit 1")
                #expect(day.devicesSilent == silent)
            }
        }
    }
}
