import Foundation
import Postgres
import Testing

@testable import CensusStore

/// The ledger's statements are composed from its columns. For review, `statements.sql` beside this file has some as
/// sent: those on a level with first-known numbers, on a flow, on all tables at once, and one with a hash as its key.
@Suite struct `Statements of the ledger` {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "statements.sql")

    private var shown: [Statement] {
        let tables = LedgerTable.all.filter { ["kind_day", "change_day"].contains($0.name) }
        let ofTables = tables.flatMap { table in
            [table.enter.statement, table.extend, table.apply, table.sweep, table.compare, table.strays].compactMap(
                \.self)
        }
        return ofTables + LedgerTable.all.filter { $0.name == "install_day" }.map(\.apply) + [
            LedgerStatements.clear, LedgerStatements.contents, LedgerStatements.open,
        ]
    }

    @Test func `the statements equal those of the page`() throws {
        let text = shown.map { "-- name: \($0.name)\n\($0.text)\n" }.joined(separator: "\n")
        if ProcessInfo.processInfo.environment["WRITE_STATEMENTS"] == "1" {
            try text.write(to: Self.page, atomically: true, encoding: .utf8)
        } else {
            let page = try String(contentsOf: Self.page, encoding: .utf8)
            #expect(text == page, "WRITE_STATEMENTS=1 swift test --filter 'Statements of the ledger' writes them")
        }
    }
}
