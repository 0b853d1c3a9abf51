package import CensusCore
internal import Postgres

/// What there is that a report could show, for saying why it shows nothing.
package struct ReportFacts: Hashable, Sendable {
    package var apps = 0
    package var hasDevices = false
    /// Whether something waits to be reconciled.
    package var hasPending = false
    /// Events that were refused at the door.
    package var refused = 0
    /// Nil while no day is closed.
    package var firstDay: Day?
    package var lastDay: Day?
    /// As the app's events named them, in order.
    package var kinds: [String] = []

    package init() {}
}

extension Store {
    /// - Parameter app: one app's id, or nil for all.
    package func reportFacts(app: String?) async throws(StoreError) -> ReportFacts {
        var facts = ReportFacts()
        do {
            guard let row = try await query(SQL.`EmptyReport.facts`, app).first else { return facts }
            facts.apps = try row.decode(Int.self, at: 0)
            facts.hasDevices = try row.decode(Bool.self, at: 1)
            facts.hasPending = try row.decode(Bool.self, at: 2)
            facts.refused = try row.decode(Int.self, at: 3)
            facts.firstDay = try row.decode(Day?.self, at: 4)
            facts.lastDay = try row.decode(Day?.self, at: 5)
            facts.kinds = try row.decode([String].self, at: 6)
            return facts
        } catch {
            throw StoreError(error)
        }
    }
}
