package import CensusCore
internal import Postgres

/// Facts about the data, to explain why a report is empty.
package struct ReportFacts: Hashable, Sendable, Decodable {
    package var apps = 0
    package var hasDevices = false
    /// Whether a device waits to be reconciled.
    package var hasPending = false
    /// Whether an event was accepted, counted or not.
    package var hasNames = false
    /// Events refused.
    package var refused = 0
    /// Nil if no day is closed.
    package var firstDay: Day?
    package var lastDay: Day?
    /// As the app's events named them, in order.
    package var kinds: [String] = []

    package init() {}
}

extension ReportReader {
    /// - Parameter app: one app's id, or nil for all.
    package func facts(app: String?) async throws(StoreError) -> ReportFacts {
        try await database.rows(SQL.ReportReader.facts, [app], as: ReportFacts.self).first ?? ReportFacts()
    }
}
