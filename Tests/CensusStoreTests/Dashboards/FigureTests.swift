import CensusCore
import CensusStore
import Postgres
import Testing

/// Panels show what `widget-census report` prints.
@Suite struct `Figures of panels` {
    /// A panel's columns, and those of a report that they are.
    struct Match: Sendable, CustomTestStringConvertible {
        var dashboard: String
        var title: String
        var report: String
        var columns: KeyValuePairs<String, String>
        /// Of the report's rows, those that the panel shows: all of these columns have these values.
        var rows: [String: String?] = [:]
        /// Of these, those of the twelve kinds with the most devices.
        var isLimited = false

        var testDescription: String { "\(dashboard): \(title)" }
    }

    static let all: [Match] = [
        Match(
            dashboard: "installs", title: "Which kinds live on the most devices now?", report: "live_now",
            columns: [
                "kind": "kind", "certain": "devices_certain", "expected": "devices_expected",
                "possible": "devices_possible",
            ],
            rows: ["surface": "widget"], isLimited: true),
        Match(
            dashboard: "installs", title: "Which kinds grow, and which melt?", report: "live_kinds",
            columns: ["time": "day", "metric": "kind", "expected": "devices_expected"],
            rows: ["surface": "widget"], isLimited: true),
        Match(
            dashboard: "installs", title: "On how many devices does $kinds live?", report: "live_kinds",
            columns: [
                "time": "day", "certain": "devices_certain", "expected": "devices_expected",
                "possible": "devices_possible", "certain, first known": "devices_certain_first_known",
            ],
            rows: ["surface": "widget", "kind": "weather"]),
        Match(
            dashboard: "installs", title: "How far is the naive number of $kinds off?", report: "live_kinds",
            columns: [
                "time": "day", "certain": "widgets_certain", "possible": "widgets_possible",
                "naive: reported by the OS": "widgets_reported",
            ],
            rows: ["surface": "widget", "kind": "weather"]),
        Match(
            dashboard: "decision", title: "Which legacy kinds may be dropped?", report: "retirement",
            columns: [
                "kind": "kind", "surface": "surface", "verdict": "verdict", "certain": "devices_certain",
                "expected": "devices_expected", "possible": "devices_possible", "silent": "devices_silent",
                "limit": "limit_devices", "half-life, days": "half_life_days", "ready on": "ready_on",
            ]),
        Match(
            dashboard: "decision", title: "How many holders of $kinds have the replacement?", report: "retirement",
            columns: [
                "holders": "devices_possible", "with the replacement": "devices_with_replacement",
                "silent": "devices_silent",
            ],
            rows: ["surface": "widget", "kind": "weather"]),
        Match(
            dashboard: "decision", title: "How far is $kinds from its limit?", report: "live_kinds",
            columns: [
                "time": "day", "certain": "devices_certain", "expected": "devices_expected",
                "possible": "devices_possible",
            ],
            rows: ["surface": "widget", "kind": "weather"]),
        Match(
            dashboard: "losses", title: "Which incidents are there?", report: "mass_losses",
            columns: [
                "kind": "kind", "surface": "surface", "updated to": "to_version", "state": "state",
                "opened on": "opened_on", "lost": "lost", "upgraders": "upgraders", "loss rate": "loss_rate",
                "ordinary rate": "ordinary_rate", "at risk": "devices_at_risk", "evidence": "evidence",
            ],
            rows: ["from_version": nil, "state": "open"]),
        Match(
            dashboard: "quality", title: "How many devices are heard from, and how many report?", report: "coverage",
            columns: ["time": "day", "active": "devices_active", "reporting": "devices_reporting"]),
        Match(
            dashboard: "quality", title: "How much speaks for a bug of the OS?", report: "os_quirks",
            columns: [
                "platform": "platform", "OS version": "os_version", "suspects": "suspects_settled", "gone": "gone",
                "still there": "still_there", "share": "gone_share", "low": "low", "high": "high",
                "ordinary": "ordinary_removal_share",
            ]),
        Match(
            dashboard: "quality", title: "What was refused at the door?", report: "refused",
            columns: ["time": "day", "metric": "code", "events": "events"]),
    ]

    @Test(arguments: all) func `equal those of the report`(match: Match) async throws {
        try await FilledDashboards.with { test, analyst in
            let dashboard = try #require(Dashboard.all.first { $0.name == match.dashboard })
            let panel = try #require(dashboard.panels.first { $0.title == match.title })
            let viewer = try await DashboardViewer(dashboard, analyst)
            let answer = try await viewer.answer(panel)
            let shown = try cells(answer.columns, answer.rows, match.columns.map(\.key))

            let report = try await test.store.reports.read(match.report, ReportFilter(app: TestStore.appID))
            let names = report.columns.map(\.name)
            let rows = report.rows.filter { row in
                let cells = Dictionary(uniqueKeysWithValues: zip(names, row))
                let isShown = match.rows.allSatisfy { cells[$0.key] == $0.value }
                return isShown
                    && (!match.isLimited || viewer.offered["kinds"]?.contains((cells["kind"] ?? "") ?? "") == true)
            }
            #expect(shown.count > 0)
            #expect(shown == (try cells(names, rows, match.columns.map(\.value))))
        }
    }

    /// Some columns of each row, as text that is the same for the same number or day; sorted.
    private func cells(_ names: [String], _ rows: [[String?]], _ wanted: [String]) throws -> [[String]] {
        let places = try wanted.map { try #require(names.firstIndex(of: $0), "there is no column \($0)") }
        return rows.map { row in
            places.map { place in
                let cell = row[place] ?? "∅"
                if let number = Double(cell) { return "\(number)" }
                return cell.hasSuffix(" 00:00:00+00") ? String(cell.prefix(10)) : cell
            }
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
