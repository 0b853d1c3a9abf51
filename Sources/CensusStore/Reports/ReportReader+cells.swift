package import CensusCore
internal import Postgres

/// The counts of one kind at the end of one day.
package struct CountedCell: Hashable, Sendable, Decodable {
    package var day: Day
    package var surface: Surface
    package var kind: String
    package var certain: Int
    package var possible: Int
    package var expected: Double
    /// The naive number: devices whose OS listed the kind.
    package var reported: Int

    package init(
        day: Day, surface: Surface, kind: String, certain: Int, possible: Int, expected: Double, reported: Int
    ) {
        self.day = day
        self.surface = surface
        self.kind = kind
        self.certain = certain
        self.possible = possible
        self.expected = expected
        self.reported = reported
    }
}

extension ReportReader {
    /// Reads the closed days of an app.
    ///
    /// - Parameters:
    ///   - since: the first day; nil for all days.
    ///   - until: the last day; nil for all days.
    ///   - surface: nil for all.
    ///   - kind: nil for all.
    /// - Returns: cells by day; a kind that no device had on a closed day has no cell for it.
    package func cells(
        app: String, since: Day? = nil, until: Day? = nil, surface: String? = nil, kind: String? = nil
    ) async throws(StoreError) -> [CountedCell] {
        try await database.rows(SQL.ReportReader.cells, [app, since, surface, kind, until])
    }
}
