import CensusCore
import Foundation
import Postgres
import PostgresTesting
import Testing

@testable import CensusStore

@Suite struct `Report budgets` {
    private struct Plan {
        /// Shared buffers that the whole plan touches.
        var blocks: Int
        var rows: Int
        var text: String
    }

    private func plan(_ test: TestStore, _ folder: ReportFolder, _ filter: ReportFilter) async throws -> Plan {
        let report = try #require(ReportDescription.all.first { $0.name == folder.name })
        let statement = Statement(folder.name, "explain (analyze, buffers, format json)\n" + report.query.text)
        let answer = try await test.store.pool.queryText(
            statement, [filter.app, filter.since, filter.until, filter.kind])
        let text = try #require(answer.rows.first?.first ?? nil)
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let root = try #require(((json as? [Any])?.first as? [String: Any])?["Plan"] as? [String: Any])
        let hit = try #require(root["Shared Hit Blocks"] as? Int)
        let read = try #require(root["Shared Read Blocks"] as? Int)
        let rows = try #require(root["Actual Rows"] as? NSNumber)
        return Plan(blocks: hit + read, rows: rows.intValue, text: text)
    }

    /// A cost that grows with the history instead of the requested month exceeds these.
    @Test(.disabled(if: TestDatabase.isOnCluster, "the workers' blocks are in no plan of the coordinator"))
    func `a report on a month of a long history stays within its header's budget`() async throws {
        try await TestStore.with { test in
            let ledger = FilledLedger(days: 400, kinds: 50)
            try await test.execute(try ledger.script)
            try await test.execute("vacuum analyze")
            for folder in ReportFolder.all {
                let plan = try await plan(test, folder, ledger.lastMonth)
                let budget = try folder.budget()
                #expect(
                    budget?.contains(plan.blocks) == true,
                    """
                    \(folder.name) touches \(plan.blocks) blocks. If that is what it should cost, its view.sql says:
                    -- Budget   \(max(1, plan.blocks / 2))..\(plan.blocks * 2) blocks
                    \(plan.text)
                    """)
                #expect(plan.rows > 0, "\(folder.name)")
            }
        }
    }
}
