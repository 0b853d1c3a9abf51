internal import CensusCore
internal import Postgres

/// The contents of an app's closed days, so that a recount can tell which of them it changed.
///
/// Hashes of 64 bits. If two contents ever collide, only the night's summary is wrong.
struct LedgerContents: Sendable {
    /// A cell of kind_day, or a whole day in another table.
    struct Cell: Hashable, Sendable {
        var day: Day
        var isKind: Bool
        var name: Int64
    }

    private var numbers: [Cell: Int64] = [:]

    init(of appNumber: Int32, _ transaction: Transaction) async throws {
        for row in try await transaction.query(LedgerStatements.contents, [appNumber], deadline: .seconds(3_600)) {
            let cell = try Cell(
                day: row["day"], isKind: row["is_kind"], name: row["cell"])
            numbers[cell] = try row["numbers"]
        }
    }

    /// The cells that are new, gone or different.
    func changes(since before: LedgerContents) -> Set<Cell> {
        Set(numbers.keys).union(before.numbers.keys).filter { numbers[$0] != before.numbers[$0] }
    }
}
