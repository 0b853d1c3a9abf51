import CensusCore
import CensusStore
import Postgres
import Testing

/// Somebody who looks at a dashboard of reports as an analyst: chooses, and reads what the panels show.
struct DashboardViewer {
    let dashboard: Dashboard
    let analyst: AnalystSession
    private var grafana = GrafanaQuery(from: .now - .days(90), to: .now)
    /// What each variable offers.
    private(set) var offered: [String: [String]] = [:]

    /// Opens the dashboard: the first value of each variable is chosen, or all where several may be.
    init(_ dashboard: Dashboard, _ analyst: AnalystSession) async throws {
        self.dashboard = dashboard
        self.analyst = analyst
        try await choose("", [])
    }

    func offers(_ value: String, of variable: String) -> Bool { offered[variable, default: []].contains(value) }

    /// Chooses, and asks for the variables below the chosen one again.
    mutating func choose(_ name: String, _ values: [String]) async throws {
        for variable in dashboard.variables {
            let asker = variable.question.asker
            let answer = try await ask(variable.question, of: grafana).rows.compactMap { $0.first ?? nil }
            offered[asker] = answer
            // Grafana chooses nothing where there is nothing: an empty text, of one value.
            grafana.variables[asker] =
                asker == name ? values : variable.isMultiple ? answer : [answer.first ?? ""]
        }
    }

    /// Asks what a panel asks; one in a repeated row, for the first value alone.
    func answer(_ panel: Dashboard.Panel) async throws -> TextRows {
        var grafana = grafana
        if let name = panel.repeated { grafana.variables[name] = Array(grafana.variables[name, default: []].prefix(1)) }
        return try await ask(panel.question, of: grafana)
    }

    func answer(_ annotation: Dashboard.Question) async throws -> TextRows { try await ask(annotation, of: grafana) }

    private func ask(_ question: Dashboard.Question, of grafana: GrafanaQuery) async throws -> TextRows {
        do {
            return try await analyst.rows(grafana.expanded(question.text))
        } catch {
            Issue.record("\(question.asker): \(error)")
            throw error
        }
    }
}
