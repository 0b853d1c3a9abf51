package import CensusCore
internal import Postgres

/// A cell of the ledger that differs from a count made directly from the spans. Or a kind with overlapping spans, which make both
/// wrong: then `ledger` is their number, and `counted` is 0. Or a day whose rows should not be there, or that should be closed and
/// is not: then both are numbers of rows.
package struct LedgerDifference: Hashable, Sendable {
    package var table: String
    /// Nil when the cell names its own day, or covers all days.
    package var day: Day?
    package var cell: String
    /// The numbers of the table, in the order of its columns.
    package var ledger: String
    package var counted: String
}

extension DayLedger {
    /// Tells the planner how large the tables are that everything is counted from.
    package func analyzeCounted() async throws(StoreError) {
        try await StoreError.wrapping { try await database.pool.execute(script: SQL.`DayLedger.analyzeCounted`) }
    }

    /// Compares every closed day of an app since `first` with a count made directly from spans and phases, which reads all
    /// spans for every day. Compares reads with the log, as far back as it is kept, and looks for days that are neither closed nor
    /// open.
    ///
    /// - Parameter progress: called after each day with the number of days checked and their total.
    /// - Returns: at most five differences for each table and day; empty when the ledger is right.
    package func verify(
        _ work: NightlyWork, since first: Day? = nil,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws(StoreError) -> [LedgerDifference] {
        let days = try await database.rows(SQL.`DayLedger.closedDays`, [work.appNumber, first]) { row in
            try row.decode("day", as: Day.self)
        }
        var found = try await database.transaction(
            "DayLedger.verify", isolation: .repeatableRead, readOnly: true
        ) { transaction in
            try await transaction.verifyFlows(work)
        }
        var done = 0
        var step = 1
        while done < days.count {
            let some = Array(days[done..<min(done + step, days.count)])
            let clock = ContinuousClock.now
            found += try await database.transaction(
                "DayLedger.verify", isolation: .repeatableRead, readOnly: true
            ) { transaction in
                try await transaction.verifyLevels(work, on: some)
            }
            done += some.count
            // Small fleets would mostly wait for answers; for large ones progress shows day by day.
            step = clock.duration(to: .now) < .milliseconds(500) ? min(step * 2, 32) : 1
            progress(done, days.count)
        }
        return found
    }
}

extension Transaction {
    fileprivate func verifyLevels(_ work: NightlyWork, on days: [Day]) async throws -> [LedgerDifference] {
        var found: [LedgerDifference] = []
        for day in days {
            let parameters: [(any PostgresCodable)?] = [
                work.appNumber, day, work.zone.start(of: day + 1), work.zone.identifier,
            ]
            for table in LedgerTable.levels {
                found += try await differences(table.name, table.verify, parameters, day: day)
            }
        }
        return found
    }

    fileprivate func verifyFlows(_ work: NightlyWork) async throws -> [LedgerDifference] {
        var found: [LedgerDifference] = []
        for table in LedgerTable.flows {
            found += try await differences(table.name, table.verify, [work.appNumber, work.zone.identifier])
        }
        found += try await query(SQL.`DayLedger.verifyDays`, [work.appNumber], deadline: .seconds(3_600)).map { row in
            try LedgerDifference(
                row, table: row.decode("table_name", as: String.self), day: row.decode("day", as: Day.self))
        }
        return try await found + differences("read_quarter", SQL.`DayLedger.verifyReads`, [work.appNumber])
            + differences("span", SQL.`DayLedger.verifySpans`, [work.appNumber])
    }

    private func differences(
        _ table: String, _ statement: Statement, _ parameters: [(any PostgresCodable)?], day: Day? = nil
    ) async throws -> [LedgerDifference] {
        try await query(statement, parameters, deadline: .seconds(3_600)).map { row in
            try LedgerDifference(row, table: table, day: day)
        }
    }
}

extension LedgerDifference {
    fileprivate init(_ row: Row, table: String, day: Day?) throws {
        self.init(
            table: table, day: day, cell: try row.decode("cell", as: String.self),
            ledger: try row.decode("ledger", as: String.self), counted: try row.decode("counted", as: String.self))
    }
}
