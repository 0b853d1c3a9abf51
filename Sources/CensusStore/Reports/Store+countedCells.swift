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
    /// The naive number: devices whose OS claimed it.
    package var reported: Int
}

extension Store {
    /// Reads the closed days of an app.
    package func countedCells(app: String) async throws(StoreError) -> [CountedCell] {
        do {
            return try await query(SQL.`Accuracy.cells`, app).map { row in
                guard let surface = Surface(rawValue: try row.decode(String.self, at: 1)) else {
                    throw StoreError(.ours, "a day has a surface that this program does not know")
                }
                return CountedCell(
                    day: try row.decode(Day.self, at: 0), surface: surface, kind: try row.decode(String.self, at: 2),
                    certain: try row.decode(Int.self, at: 3), possible: try row.decode(Int.self, at: 4),
                    expected: try row.decode(Double.self, at: 5), reported: try row.decode(Int.self, at: 6))
            }
        } catch {
            throw StoreError(error)
        }
    }
}
