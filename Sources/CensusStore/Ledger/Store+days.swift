package import CensusCore
internal import Postgres

/// One app whose days are to be closed.
package struct NightlyWork: Hashable, Sendable {
    package var appNumber: Int32
    package var appID: String
    package var zone: ReportingZone
    /// The last day that has ended in the app's zone.
    package var lastEndedDay: Day
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
                    zone: ReportingZone(identifier: try row.decode(String.self, at: 2)) ?? .utc,
                    lastEndedDay: try row.decode(Day.self, at: 3))
            }
        } catch {
            throw StoreError(error)
        }
    }

    /// How long a night may wait for another one, and how long it may count.
    private static let nightDeadline: Duration = .seconds(3_600)

    /// Counts every day through `last` that is new or changed and marks it closed, in one transaction; running it again
    /// changes nothing. The number first known stays what it was.
    ///
    /// - Returns: nil when nothing was ever held: there is no day to close.
    package func closeDays(_ work: NightlyWork, through last: Day) async throws(StoreError) -> ClosedDays? {
        do {
            return try await pool.transaction("DayLedger.close") { connection in
                _ = try await connection.query(
                    SQL.`DayLedger.lock`, [work.appNumber], deadline: Store.nightDeadline)
                // Read after the lock, and before the count: what is reconciled in between is counted and stays to be done.
                let open = try await OpenDays(connection.query(SQL.`DayLedger.open`, [work.appNumber]))
                guard let from = open.firstToCount(through: last) else { return nil }
                let days = (from.daysSince1970...last.daysSince1970).map { Day(daysSince1970: $0) }
                let ends = days.map { work.zone.start(of: $0 + 1) }
                let counted = try await connection.query(
                    SQL.`DayLedger.close`, [work.appNumber, days, ends], deadline: Store.nightDeadline)
                let cells = try counted.first?.decode(Int.self, at: 0) ?? 0
                let changed = try counted.first?.decode([Day].self, at: 1) ?? []
                _ = try await connection.query(
                    SQL.`DayLedger.markClosed`, [work.appNumber, days, changed, open.restatementVersion])
                return ClosedDays(from: from, through: last, cellsChanged: cells, daysChanged: changed.count)
            }
        } catch {
            throw StoreError(error)
        }
    }
}

/// What is left to count for an app.
private struct OpenDays {
    /// The first day on which something is or was held; nil when nothing ever was.
    var firstDay: Day?
    var lastClosedDay: Day?
    /// The earliest day whose spans changed since it was closed.
    var restateFrom: Day?
    var restatementVersion: String?

    init(_ rows: Rows) throws(PostgresError) {
        guard let row = rows.first else { return }
        firstDay = try row.decode(Day?.self, at: 0)
        lastClosedDay = try row.decode(Day?.self, at: 1)
        restateFrom = try row.decode(Day?.self, at: 2)
        restatementVersion = try row.decode(String?.self, at: 3)
    }

    /// The first day that is new or changed, a night that was missed is one of them; at least `last` itself.
    func firstToCount(through last: Day) -> Day? {
        guard let firstDay else { return nil }
        let unclosed = lastClosedDay.map { $0 + 1 } ?? firstDay
        let from = max(firstDay, min(unclosed, restateFrom ?? unclosed, last))
        return from <= last ? from : nil
    }
}
