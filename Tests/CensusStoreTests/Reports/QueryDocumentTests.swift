import CensusStore
import Foundation
import PostgresTesting
import Testing

/// `docs/guides/queries.md`: questions, a query for each, and what psql prints.
struct QueryDocument {
    struct Query {
        var question: String
        var sql: String
        /// Lines without trailing spaces.
        var answer: [String]
    }

    /// psql's variables, as the page sets them.
    let settings: String
    let queries: [Query]

    private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
        path: "../../../docs/guides")

    init() throws {
        let page = try String(contentsOf: Self.docs.appending(path: "queries.md"), encoding: .utf8)
        settings = page.split(separator: "\n").filter { $0.hasPrefix("\\set ") }.joined(separator: "\n")
        queries = page.split(separator: "\n## ").compactMap { section in
            guard let match = section.firstMatch(of: /```sql\n([^`]*)```(?:\n\n```text\n((?s:.*?))```)?/) else {
                return nil
            }
            return Query(
                question: String(section.prefix { $0 != "\n" }), sql: String(match.1),
                answer: Query.lines(String(match.2 ?? "")))
        }
    }

    /// The rows behind the answers.
    static var rows: String {
        get throws {
            try String(
                contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "queries.sql"),
                encoding: .utf8)
        }
    }
}

extension QueryDocument.Query {
    static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { String($0.reversed().drop { $0 == " " }.reversed()) }
    }
}

@Suite struct `Queries for analysts` {
    /// Compares with the page, on rows that a careless query counts wrongly.
    @Test func `psql prints the page's answers to an analyst`() async throws {
        let page = try QueryDocument()
        try #require(page.queries.count > 20)
        try await TestStore.with { test in
            try await test.execute(try QueryDocument.rows)
            try await test.withAnalyst { analyst in
                let database = test.database.connectionString + " user=\(analyst.name)"
                for query in page.queries {
                    let printed = try await TestProcess.run(
                        "psql", database, "--no-psqlrc", "--quiet", "--pset=footer=off",
                        input: Data((page.settings + "\n" + query.sql).utf8))
                    #expect(
                        QueryDocument.Query.lines(printed) == query.answer,
                        "\(query.question)\n\(printed)")
                }
            }
        }
    }
}
