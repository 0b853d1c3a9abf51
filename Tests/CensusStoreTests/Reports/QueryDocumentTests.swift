import CensusCore
import CensusStore
import Foundation
import Postgres
import Testing

@Suite struct `Queries for analysts` {
    /// A query of docs/queries.md.
    struct Query: Sendable, CustomTestStringConvertible {
        var question: String
        var sql: String
        /// Its columns, as the page says.
        var columns: [String]

        var testDescription: String { question }

        /// With values in the place of psql's variables.
        func expanded(_ variables: [String: String]) -> String {
            variables.reduce(sql) { $0.replacing(":'\($1.key)'", with: "'\($1.value)'") }
        }
    }

    static let all: [Query] = {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/queries.md")
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        return text.split(separator: "\n## ").dropFirst().compactMap { section in
            guard let sql = section.firstMatch(of: /```sql\n([^`]*)```/)?.output.1 else { return nil }
            let columns = section.firstMatch(of: /\nColumns: ([^\n]*)/)?.output.1 ?? ""
            return Query(
                question: String(section.prefix { $0 != "\n" }), sql: String(sql),
                columns: columns.matches(of: /`(\w+)`/).map { String($0.output.1) })
        }
    }()

    @Test func `are on every view that a question is asked of`() {
        let all = Self.all.map(\.sql).joined()
        for view in ReportReader.names where view != "live_now" {
            #expect(all.contains("from report.\(view)\n"), "\(view)")
        }
    }

    @Test func `answer an analyst with the columns that the page says`() async throws {
        try await TestStore.with { test in
            let ledger = FilledLedger(days: 40, kinds: 3)
            try await test.execute(try ledger.script)
            try await test.withAnalyst { analyst in
                let values = ["app": TestStore.appID, "kind": "kind 1", "day": "\(ledger.lastDay)"]
                for query in Self.all {
                    let sql = query.expanded(values)
                    #expect(!sql.contains(/:'/), "\(query.question)")
                    let answer = try await analyst.rows(sql)
                    #expect(answer.columns == query.columns, "\(query.question)")
                    #expect(!answer.rows.isEmpty, "\(query.question)")
                }
            }
        }
    }
}
