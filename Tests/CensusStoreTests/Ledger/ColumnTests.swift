import CensusCore
@testable import CensusStore
import Postgres
import Testing

/// `sql/ledger/tables.toml` and Swift each name the columns of the ledger.
@Suite struct `Columns of the ledger` {
    /// The columns that a table's COPY names.
    private func copied(_ table: LedgerTable) throws -> [String] {
        let text = table.enter.text
        let start = try #require(text.firstIndex(of: "(")), end = try #require(text.firstIndex(of: ")"))
        return text[text.index(after: start)..<end].split { $0 == "," || $0.isWhitespace }.map(String.init)
    }

    private func columns<Cell, Value>(_ part: KeyPath<NetChanges, NetAmounts<Cell, Value>>) -> [String] {
        ["app_number"] + NetAmounts<Cell, Value>.columns
    }

    @Test func `are the same, and in the same order, in Swift and in SQL`() throws {
        #expect(try copied(.kinds) == columns(\.kinds))
        #expect(try copied(.unsettled) == columns(\.unsettled))
        #expect(try copied(.installs) == columns(\.installs))
        #expect(try copied(.devices) == columns(\.devices))
        #expect(try copied(.changes) == columns(\.changes))
        #expect(try copied(.moves) == columns(\.moves))
        #expect(try copied(.outcomes) == columns(\.outcomes))
        #expect(try copied(.active) == columns(\.active))
        #expect(try copied(.overlaps) == columns(\.overlaps))
        #expect(try copied(.uses) == columns(\.uses))
        #expect(try copied(.cohorts) == columns(\.cohorts))
    }
}
