package import CensusCore
internal import Postgres

extension ReportReader {
    /// Reads what the closed days of an app have of every kind, beside what makes other tools count it differently.
    ///
    /// - Returns: by day, surface and kind; zeros for a kind that no device had on a day.
    package func countedDays(app: String, _ days: ClosedRange<Day>) async throws(StoreError) -> [CountedDay] {
        try await database.rows(SQL.ReportReader.shadow, [app, days.lowerBound, days.upperBound])
    }
}
