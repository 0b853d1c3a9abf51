package import CensusCore
internal import Postgres

/// A cell of the ledger that differs from a new count. Or a kind with overlapping spans, which make both wrong: then `ledger`
/// is their number, and `counted` is 0. Or a day that should not have rows, or should be closed but is not: then both are
/// numbers of rows.
package struct LedgerDifference: Hashable, Sendable {
    package var table: String
    /// Nil when the cell covers all days, or is a quarter of an hour.
    package var day: Day?
    package var cell: String
    /// The numbers of the table, in the order of its columns.
    package var ledger: String
    package var counted: String
}

extension DayLedger {
    /// Updates the planner's statistics on everything that a check reads.
    package func analyzeCounted() async throws(StoreError) {
        try await StoreError.wrapping { try await database.pool.execute(script: LedgerStatements.analyzeCounted) }
    }

    /// Recounts an app's devices from their stored spans and phases, with the code that counted them originally, and compares
    /// every closed day. So it finds what was lost, doubled or damaged on the way into the tables, but no errors of that code;
    /// `Tests/CensusCoreTests/Ledger/DayCount.swift` tests the code. Compares reads with the log, as far back as the log is
    /// kept, and looks for days that are neither closed nor open.
    ///
    /// - Parameter progress: called with the number of devices counted so far.
    /// - Returns: at most five differences for each table and day; empty if the ledger is correct.
    package func verify(
        _ work: NightlyWork, progress: @escaping @Sendable (_ devices: Int) -> Void = { _ in }
    ) async throws(StoreError) -> [LedgerDifference] {
        let found = try await differences(work, progress)
        guard !found.isEmpty, try await Deployment(database: database).isDistributed() else { return found }
        // A cluster has no snapshot of all nodes, so devices reconciled in the meantime would look wrong.
        let again = try await whileNothingIsReconciled { () async throws(StoreError) in
            try await differences(work, progress)
        }
        // Servers keep storing events: reads that differ only once were on their way.
        return again.filter { $0.table != LedgerDifference.reads || found.contains($0) }
    }

    private func differences(
        _ work: NightlyWork, _ progress: @escaping @Sendable (_ devices: Int) -> Void
    ) async throws(StoreError) -> [LedgerDifference] {
        try await database.transaction("DayLedger.verify", isolation: .repeatableRead) { transaction in
            let app = work.appNumber
            let closed = try await transaction.days(SQL.DayLedger.closedDays, [app])
            try await transaction.execute(script: LedgerStatements.beginCount)
            // Devices that can't be read are missing from the count, and so are found.
            _ = try await transaction.count(app, into: \.count, progress: progress)
            try await transaction.execute(script: LedgerStatements.analyzeCount)

            var found: [LedgerDifference] = []
            for table in LedgerTable.all {
                found += try await transaction.differences(table.compare, [app, closed], in: table.name)
                found += try await transaction.differences(table.strays, [app], in: table.name)
            }
            found += try await transaction.days(SQL.DayLedger.missingDays, [app]).prefix(5).map { day in
                LedgerDifference(
                    table: "closed_day", day: day, cell: "a day between closed ones", ledger: "0", counted: "1")
            }
            found += try await transaction.wrongReads(of: work).prefix(5).map(LedgerDifference.init)
            return try await found + transaction.differences(SQL.DayLedger.verifySpans, [app], in: "span")
        }
    }
}

extension Transaction {
    fileprivate func differences(
        _ statement: Statement, _ parameters: [(any PostgresCodable)?], in table: String
    ) async throws -> [LedgerDifference] {
        try await query(statement, parameters, deadline: .seconds(3_600)).map { row in
            try LedgerDifference(
                table: table, day: row["day"], cell: row["cell"], ledger: row["ledger"], counted: row["counted"])
        }
    }
}

extension LedgerDifference {
    fileprivate static let reads = "read_quarter"

    fileprivate init(_ wrong: WrongReads) {
        func text(_ reads: WrongReads.Reads) -> String { "\(reads.all) \(reads.failed)" }
        self.init(
            table: LedgerDifference.reads, day: nil, cell: "\(wrong.quarterAt)", ledger: text(wrong.ledger),
            counted: text(wrong.counted))
    }
}
