import CensusCore
import CensusStore
import Postgres
import Testing

/// An analyst who sets the variables of a report dashboard and reads its panels.
struct DashboardViewer {
    let dashboard: Dashboard
    let analyst: AnalystSession
    private var grafana: GrafanaQuery
    /// Each variable's options.
    private(set) var offered: [String: [String]] = [:]

    /// Opens the dashboard with the first option of each variable, or all options of a multi-value variable.
    init(_ dashboard: Dashboard, _ analyst: AnalystSession, days: Int64 = 90) async throws {
        self.dashboard = dashboard
        self.analyst = analyst
        grafana = GrafanaQuery(from: .now - .days(days), to: .now)
        try await choose([:])
    }

    func offers(_ value: String, of variable: String) -> Bool { offered[variable, default: []].contains(value) }

    /// Sets variables, and reloads the options of all.
    mutating func choose(_ choice: [String: [String]]) async throws {
        for variable in dashboard.variables {
            let asker = variable.question.asker
            let answer = try await ask(variable.question, of: grafana).rows.compactMap { $0.first ?? nil }
            offered[asker] = answer
            // Without options, Grafana gives a single-value variable an empty text.
            grafana.variables[asker] = choice[asker] ?? (variable.isMultiple ? answer : [answer.first ?? ""])
        }
    }

    /// The variables of a panel. In a repeated row, the row's variable has one value.
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
