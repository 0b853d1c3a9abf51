package import CensusCore
internal import Postgres

/// A cell of the ledger that is not what a count straight from the spans finds; or a kind of which spans overlap, so that both
/// are wrong: then how many, and none.
package struct LedgerDifference: Hashable, Sendable {
    package var table: String
    /// Nil for one of all days.
    package var day: Day?
    package var cell: String
    /// The numbers of the table, in the order of its columns.
    package var ledger: String
    package var counted: String
}

extension DayLedger {
    /// Compares every closed day of an app since `first` with a count straight from spans and phases, which takes as long
    /// as there are spans, for every day; and reads with the log, as far back as that is kept.
    ///
    /// - Parameter progress: called after each day with how many were checked and how many there are.
    /// - Returns: at most five differences for each table and day; empty when the ledger holds.
    package func verify(
        _ work: NightlyWork, since first: Day? = nil,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws(StoreError) -> [LedgerDifference] {
        return try await StoreError.wrapping {
            let days = try await database.query(SQL.`DayLedger.closedDays`, [work.appNumber, first])
                .map { row in try row.decode(Day.self, at: 0) }
            var found = try await database.rawTransaction(
                "DayLedger.verify", isolation: .repeatableRead, readOnly: true
            ) { transaction in
                try await transaction.verifyFlows(work)
            }
            for (done, day) in days.enumerated() {
                found += try await database.rawTransaction(
                    "DayLedger.verify", isolation: .repeatableRead, readOnly: true
                ) { transaction in
                    try await transaction.verifyLevels(work, on: day)
                }
                progress(done + 1, days.count)
            }
            return found
        }
    }
}

extension Transaction {
    fileprivate func verifyLevels(_ work: NightlyWork, on day: Day) async throws -> [LedgerDifference] {
        let parameters: [(any PostgresCodable)?] = [
            work.appNumber, day, work.zone.start(of: day + 1), work.zone.identifier,
        ]
        return try await differences("kind_day", day, SQL.`DayLedger.verifyKinds`, parameters)
            + differences("kind_day_unsettled", day, SQL.`DayLedger.verifyUnsettled`, parameters)
            + differences("install_day", day, SQL.`DayLedger.verifyInstalls`, parameters)
            + differences("device_day", day, SQL.`DayLedger.verifyDevices`, parameters)
    }

    fileprivate func verifyFlows(_ work: NightlyWork) async throws -> [LedgerDifference] {
        try await differences("change_day", nil, SQL.`DayLedger.verifyChanges`, [work.appNumber])
            + differences(
                "outcome_day", nil, SQL.`DayLedger.verifyOutcomes`, [work.appNumber, work.zone.identifier])
            + differences("read_quarter", nil, SQL.`DayLedger.verifyReads`, [work.appNumber])
            + differences("span", nil, SQL.`DayLedger.verifySpans`, [work.appNumber])
    }

    private func differences(
        _ table: String, _ day: Day?, _ statement: Statement, _ parameters: [(any PostgresCodable)?]
    ) async throws -> [LedgerDifference] {
        try await query(statement, parameters, deadline: .seconds(3_600)).map { row in
            LedgerDifference(
                table: table, day: day, cell: try row.decode(String.self, at: 0),
                ledger: try row.decode(String.self, at: 1), counted: try row.decode(String.self, at: 2))
        }
    }
}
