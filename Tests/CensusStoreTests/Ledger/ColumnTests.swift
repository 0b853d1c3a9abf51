import CensusCore
@testable import CensusStore
import Testing

/// `sql/ledger/tables.toml` and Swift each name the columns of the ledger.
@Suite struct `Columns of the ledger` {
    private func columns<Cell, Value>(_ part: KeyPath<NetChanges, NetAmounts<Cell, Value>>) -> [String] {
        ["app_number"] + NetAmounts<Cell, Value>.columns
    }

    @Test func `are the same, and in the same order, in Swift and in SQL`() {
        #expect(LedgerTable.kinds.enter.columns == columns(\.kinds))
        #expect(LedgerTable.unsettled.enter.columns == columns(\.unsettled))
        #expect(LedgerTable.versions.enter.columns == columns(\.versions))
        #expect(LedgerTable.installs.enter.columns == columns(\.installs))
        #expect(LedgerTable.devices.enter.columns == columns(\.devices))
        #expect(LedgerTable.changes.enter.columns == columns(\.changes))
        #expect(LedgerTable.moves.enter.columns == columns(\.moves))
        #expect(LedgerTable.outcomes.enter.columns == columns(\.outcomes))
        #expect(LedgerTable.active.enter.columns == columns(\.active))
        #expect(LedgerTable.overlaps.enter.columns == columns(\.overlaps))
        #expect(LedgerTable.uses.enter.columns == columns(\.uses))
        #expect(LedgerTable.cohorts.enter.columns == columns(\.cohorts))
    }
}
