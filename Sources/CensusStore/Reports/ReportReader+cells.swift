package import CensusCore
internal import Postgres

/// What was counted of one kind at the end of one day.
package struct CountedCell: Hashable, Sendable {
    package var day: Day
    package var surface: Surface
    package var kind: String
    package var certain: Int
    package var possible: Int
    package var expected: Double
    /// The naive number: devices whose OS claimed the kind.
    package var reported: Int
}

extension ReportReader {
    /// Reads the closed days of an app.
    package func cells(app: String) async throws(StoreError) -> [CountedCell] {
        try await database.rows(SQL.`ReportReader.cells`, [app]) { row in
            guard let surface = Surface(rawValue: try row.decode("surface", as: String.self)) else {
                throw StoreError(.ours, "a day has a surface that this program does not know")
            }
            return CountedCell(
                day: try row.decode("day", as: Day.self), surface: surface,
                kind: try row.decode("kind", as: String.self),
                certain: try row.decode("devices_certain", as: Int.self),
                possible: try row.decode("devices_possible", as: Int.self),
                expected: try row.decode("devices_expected", as: Double.self),
                reported: try row.decode("devices_reported", as: Int.self))
        }
    }
}
