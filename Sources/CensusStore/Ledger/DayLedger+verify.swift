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
        var found = try await differences(found: LedgerCheck.ofAllDays(work))
        var done = 0
        var step = 1
        while done < days.count {
            let some = Array(days[done..<min(done + step, days.count)])
            let clock = ContinuousClock.now
            found += try await differences(found: some.flatMap { LedgerCheck.of($0, work) })
            done += some.count
            // Small fleets would mostly wait for answers; for large ones progress shows day by day.
            step = clock.duration(to: .now) < .milliseconds(500) ? min(step * 2, 32) : 1
            progress(done, days.count)
        }
        return found
    }

    /// On a cluster there is no snapshot of all nodes, and what is reconciled meanwhile looks wrong. What is found there is checked
    /// once more, while nothing is reconciled.
    private func differences(found checks: [LedgerCheck]) async throws(StoreError) -> [LedgerDifference] {
        let found = try await run(checks)
        let doubtful = zip(checks, found).filter { !$1.isEmpty }
        guard !doubtful.isEmpty, try await Deployment(database: database).isDistributed() else {
            return found.flatMap { $0 }
        }
        return try await whileNothingIsReconciled { () async throws(StoreError) in
            let again = try await run(doubtful.map(\.0))
            return zip(doubtful, again).flatMap { first, again in
                // The doors go on storing events: what comes and goes was on its way.
                first.0.isOfLog ? again.filter(first.1.contains) : again
            }
        }
    }

    /// - Returns: what each check finds, in their order.
    private func run(_ checks: [LedgerCheck]) async throws(StoreError) -> [[LedgerDifference]] {
        try await database.transaction("DayLedger.verify", isolation: .repeatableRead, readOnly: true) { transaction in
            var found: [[LedgerDifference]] = []
            for check in checks {
                found.append(
                    try await transaction.query(check.statement, check.parameters, deadline: .seconds(3_600)).map {
                        row in
                        try LedgerDifference(row, of: check)
                    })
            }
            return found
        }
    }
}

/// A statement that returns cells in which the ledger differs from what it is counted from.
private struct LedgerCheck: Sendable {
    /// Nil: a column names it.
    var table: String?
    /// Nil: the cells name their days, or a column does.
    var day: Day?
    var statement: Statement
    var parameters: [(any PostgresCodable)?]
    /// Whether it reads the log itself.
    var isOfLog = false

    static func of(_ day: Day, _ work: NightlyWork) -> [LedgerCheck] {
        LedgerTable.levels.map { table in
            LedgerCheck(
                table: table.name, day: day, statement: table.verify,
                parameters: [work.appNumber, day, work.zone.start(of: day + 1), work.zone.identifier])
        }
    }

    static func ofAllDays(_ work: NightlyWork) -> [LedgerCheck] {
        LedgerTable.flows.map { table in
            LedgerCheck(
                table: table.name, statement: table.verify, parameters: [work.appNumber, work.zone.identifier])
        } + [
            LedgerCheck(statement: SQL.`DayLedger.verifyDays`, parameters: [work.appNumber]),
            LedgerCheck(
                table: "read_quarter", statement: SQL.`DayLedger.verifyReads`, parameters: [work.appNumber],
                isOfLog: true),
            LedgerCheck(table: "span", statement: SQL.`DayLedger.verifySpans`, parameters: [work.appNumber]),
        ]
    }
}

extension LedgerDifference {
    fileprivate init(_ row: Row, of check: LedgerCheck) throws {
        self.init(
            table: try check.table ?? row.decode("table_name", as: String.self),
            day: try check.table == nil ? row.decode("day", as: Day.self) : check.day,
            cell: try row.decode("cell", as: String.self),
            ledger: try row.decode("ledger", as: String.self), counted: try row.decode("counted", as: String.self))
    }
}
