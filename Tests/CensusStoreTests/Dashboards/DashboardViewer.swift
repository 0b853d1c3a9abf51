import CensusCore
import CensusStore
import Postgres
import Testing

/// Somebody who looks at a dashboard of reports as an analyst: chooses, and reads what the panels show.
struct DashboardViewer {
    let dashboard: Dashboard
    let analyst: AnalystSession
    private var grafana: GrafanaQuery
    /// What each variable offers.
    private(set) var offered: [String: [String]] = [:]

    /// Opens the dashboard: the first value of each variable is chosen, or all where several may be.
    init(_ dashboard: Dashboard, _ analyst: AnalystSession, days: Int64 = 90) async throws {
        self.dashboard = dashboard
        self.analyst = analyst
        grafana = GrafanaQuery(from: .now - .days(days), to: .now)
        try await choose([:])
    }

    func offers(_ value: String, of variable: String) -> Bool { offered[variable, default: []].contains(value) }

    /// Chooses, and asks for the other variables again.
    mutating func choose(_ choice: [String: [String]]) async throws {
        for variable in dashboard.variables {
            let asker = variable.question.asker
            let answer = try await ask(variable.question, of: grafana).rows.compactMap { $0.first ?? nil }
            offered[asker] = answer
            // Grafana chooses nothing where there is nothing: an empty text, of one value.
            grafana.variables[asker] = choice[asker] ?? (variable.isMultiple ? answer : [answer.first ?? ""])
        }
    }

    /// What is chosen for a panel, by variable: in a repeated row, one value of the row's.
    func chosen(for panel: Dashboard.Panel) -> [String: [String]] {
        var variables = grafana.variables
        if let name = panel.repeated { variables[name] = Array(variables[name, default: []].prefix(1)) }
        return variables
    }

    func answer(_ panel: Dashboard.Panel) async throws -> TextRows {
        var grafana = grafana
        grafana.variables = chosen(for: panel)
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
