import CensusCore
import Foundation
import Testing

@testable import CensusStore

/// The long history of `Benchmarks/reports/history.sql`, for two apps of one size.
struct FilledLedger {
    var days: Int
    var kinds: Int
    /// The last closed day.
    let lastDay = Day.today - 1

    /// The last month of the history, for the app of ``TestStore``.
    var lastMonth: ReportFilter { ReportFilter(app: TestStore.appID, since: lastDay - 30, until: lastDay) }

    /// With psql's variables filled in.
    var script: String {
        get throws {
            let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../..")
            return try String(contentsOf: folder.appending(path: "Benchmarks/reports/history.sql"), encoding: .utf8)
                .replacingOccurrences(of: ":'last_day'", with: "'\(lastDay)'")
                .replacingOccurrences(of: ":days", with: "\(days)")
                .replacingOccurrences(of: ":kinds", with: "\(kinds)")
        }
    }
}

@Suite struct `Filled ledgers` {
    /// Otherwise a report over one of them would find no row, and its budget and checks would test nothing.
    @Test func `every amount has a row above zero, and every cause occurs`() async throws {
        try await TestStore.with { test in
            try await test.execute(FilledLedger(days: 14, kinds: 6).script)
            for table in LedgerTable.all {
                for amount in table.amounts {
                    let rows = try await test.value(
                        Int.self, "select count(*) from census.\(table.name) where \(amount) > 0")
                    #expect(rows > 0, "Benchmarks/reports/history.sql fills no \(amount) of \(table.name)")
                }
            }
            for table in ["change_day", "move_day"] {
                let causes = try await test.lines("select distinct cause from census.\(table)")
                #expect(Set(causes) == Set(Cause.allCases.map(\.rawValue)), "\(table)")
            }
        }
    }
}
