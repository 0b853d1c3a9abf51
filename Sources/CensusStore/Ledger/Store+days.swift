package import CensusCore
internal import Postgres

/// What is left to close for an app.
package struct NightlyWork: Hashable, Sendable {
    package var appNumber: Int32
    package var appID: String
    /// The last day that has ended in the app's zone.
    package var lastEndedDay: Day
    package var lastClosedDay: Day?
    /// The earliest day whose spans changed since the last night.
    package var restateFrom: Day?
    /// The first day on which anything was held; nil when nothing ever was.
    package var firstDay: Day?
}

/// What closing some days of an app changed.
package struct ClosedDays: Hashable, Sendable {
    package var from: Day
    package var through: Day
    /// Cells (day, kind) whose numbers are new or other than before.
    package var cellsChanged: Int
    package var daysChanged: Int
}

extension Store {
    /// - Parameter app: one app's id, or nil for all.
    package func nightlyWork(app: String?) async throws(StoreError) -> [NightlyWork] {
        do {
            return try await query(SQL.`DayLedger.apps`, app).map { row in
                NightlyWork(
                    appNumber: try row.decode(Int32.self, at: 0),
                    appID: try row.decode(String.self, at: 1),
                    lastEndedDay: try row.decode(Day.self, at: 2),
                    lastClosedDay: try row.decode(Day?.self, at: 3),
                    restateFrom: try row.decode(Day?.self, at: 4),
                    firstDay: try row.decode(Day?.self, at: 5))
            }
        } catch {
            throw StoreError(error)
        }
    }

    /// Counts the days `from` to `through` from the spans and marks them closed, in one transaction; running it again
    /// changes nothing. The number first known stays what it was.
    package func closeDays(appNumber: Int32, from: Day, through: Day) async throws(StoreError) -> ClosedDays {
        do {
            return try await pool.transaction("DayLedger.close") { connection in
                _ = try await connection.query(SQL.`DayLedger.lock`, [appNumber])
                let counted = try await connection.query(
                    SQL.`DayLedger.close`, [appNumber, from, through], deadline: .seconds(3_600))
                let cells = try counted.first?.decode(Int.self, at: 0) ?? 0
                let days = try counted.first?.decode(Int.self, at: 1) ?? 0
                _ = try await connection.query(SQL.`DayLedger.markClosed`, [appNumber, from, through, cells > 0])
                return ClosedDays(from: from, through: through, cellsChanged: cells, daysChanged: days)
            }
        } catch {
            throw StoreError(error)
        }
    }
}
