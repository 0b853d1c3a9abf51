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
        try await StoreError.wrapping { try await database.pool.execute(script: SQL.LedgerTable.analyzeCounted) }
    }

    /// Compares every closed day of an app with a count made directly from spans and phases, each table on all days
    /// at once: what it takes grows with the devices and with what changed on them, and hardly with the days. Compares reads with
    /// the log, as far back as it is kept, and looks for days that are neither closed nor open.
    ///
    /// - Parameter progress: called after each check with the number of checks done and their total.
    /// - Returns: at most five differences for each table and day; empty when the ledger is right.
    package func verify(
        _ work: NightlyWork,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws(StoreError) -> [LedgerDifference] {
        let days = try await database.rows(SQL.DayLedger.closedDays, [work.appNumber]) { row in
            try row["day"] as Day
        }
        let checks = LedgerCheck.all(of: days, work)
        var found: [LedgerDifference] = []
        for (done, check) in checks.enumerated() {
            found += try await differences(found: check)
            progress(done + 1, checks.count)
        }
        return found
    }

    /// On a cluster there is no snapshot of all nodes, and what is reconciled meanwhile looks wrong. What is found there is checked
    /// once more, while nothing is reconciled.
    private func differences(found check: LedgerCheck) async throws(StoreError) -> [LedgerDifference] {
        let found = try await run(check)
        guard !found.isEmpty, try await Deployment(database: database).isDistributed() else { return found }
        let again = try await whileNothingIsReconciled { () async throws(StoreError) in try await run(check) }
        // The doors go on storing events: what comes and goes was on its way.
        return check.isOfLog ? again.filter(found.contains) : again
    }

    private func run(_ check: LedgerCheck) async throws(StoreError) -> [LedgerDifference] {
        try await database.transaction("DayLedger.verify", isolation: .repeatableRead, readOnly: true) { transaction in
            try await transaction.query(check.statement, check.parameters, deadline: .seconds(3_600)).map { row in
                try LedgerDifference(row, of: check)
            }
        }
    }
}

/// A statement that returns cells in which the ledger differs from what it is counted from.
private struct LedgerCheck: Sendable {
    /// Nil: a column names it.
    var table: String?
    /// Whether a column names the day. Otherwise the cells name their days, or cover all of them.
    var namesDays = false
    var statement: Statement
    var parameters: [(any PostgresCodable)?]
    /// Whether it reads the log itself.
    var isOfLog = false

    static func all(of days: [Day], _ work: NightlyWork) -> [LedgerCheck] {
        LedgerTable.flows.map { table in
            LedgerCheck(
                table: table.name, statement: table.verify, parameters: [work.appNumber, work.zone.identifier])
        } + [
            LedgerCheck(namesDays: true, statement: SQL.LedgerTable.verifyDays, parameters: [work.appNumber]),
            LedgerCheck(
                table: "read_quarter", statement: SQL.LedgerTable.verifyReads, parameters: [work.appNumber],
                isOfLog: true),
            LedgerCheck(table: "span", statement: SQL.DayLedger.verifySpans, parameters: [work.appNumber]),
        ]
            + LedgerTable.levels.map { table in
                LedgerCheck(
                    table: table.name, namesDays: true, statement: table.verify,
                    parameters: [work.appNumber, days, days.map { work.zone.start(of: $0 + 1) }, work.zone.identifier])
            }
    }
}

extension LedgerDifference {
    fileprivate init(_ row: Row, of check: LedgerCheck) throws {
        try self.init(
            table: check.table ?? row.decode("table_name", as: String.self),
            day: check.namesDays ? row.decode("day", as: Day.self) : nil, cell: row["cell"], ledger: row["ledger"],
            counted: row["counted"])
    }
}
