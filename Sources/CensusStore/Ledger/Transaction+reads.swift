internal import CensusCore
internal import Postgres

/// A quarter of an hour in which the reads of the ledger and the log differ.
struct WrongReads: Sendable {
    struct Reads: Hashable, Sendable {
        var all: Int
        var failed: Int
    }

    var quarterAt: Timestamp
    var day: Day
    /// The reads of the log.
    var counted: Reads
    /// How many more the log has than the ledger.
    var missing: Reads
    var ledger: Reads { Reads(all: counted.all - missing.all, failed: counted.failed - missing.failed) }

    fileprivate init(_ row: Row) throws {
        quarterAt = try row["quarter_at"]
        day = try row["day"]
        counted = try Reads(
            all: row["counted_reads"], failed: row["counted_reads_failed"])
        missing = try Reads(
            all: row["reads"], failed: row["reads_failed"])
    }
}

extension Transaction {
    /// - Returns: the differences, as far back as the log has all of an app's reads.
    func wrongReads(of work: NightlyWork) async throws -> [WrongReads] {
        try await query(
            SQL.DayLedger.wrongReads, [work.appNumber, work.zone.identifier], deadline: .seconds(3_600)
        ).map(WrongReads.init)
    }

    /// Gives the ledger the reads that the log has.
    ///
    /// - Parameter wrongBefore: on a cluster, the reads that were wrong before the transaction began; nil elsewhere.
    /// - Returns: the days that changed.
    func correctReads(
        of work: NightlyWork, through last: Day, wrongBefore: [WrongReads]?
    ) async throws -> [Day] {
        var wrong = try await wrongReads(of: work).filter { $0.day <= last }
        if let wrongBefore {
            // Servers keep storing events, and workers show more than the coordinator's older snapshot. The snapshot has
            // everything from before it was taken, so only quarters with the same reads before it are certainly wrong.
            let before = Dictionary(uniqueKeysWithValues: wrongBefore.map { ($0.quarterAt, $0.counted) })
            wrong = wrong.filter { before[$0.quarterAt] == $0.counted }
        }
        return try await days(
            SQL.DayLedger.correctReads,
            [
                work.appNumber, wrong.map(\.quarterAt), wrong.map(\.missing.all), wrong.map(\.missing.failed),
                work.zone.identifier,
            ])
    }
}
