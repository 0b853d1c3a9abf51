import CensusCore
import Fleet
import Foundation
import Postgres
import Testing

@testable import CensusStore

/// `sql/statements`: a statement is found from its type, and the type from its statement.
@Suite struct `Statements` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL
    private static let store = root.appending(path: "Sources/CensusStore")

    private static func files(in folder: URL, ending suffix: String) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? []).filter { $0.lastPathComponent.hasSuffix(suffix) }
    }

    private struct Named {
        /// The type that runs it.
        var type: String
        var name: String
        var text: String
    }

    private static let all: [Named] = {
        let files = Self.files(in: root.appending(path: "sql/statements"), ending: ".sql")
        return files.flatMap { file in
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            let type = file.deletingPathExtension().lastPathComponent
            return text.matches(of: /(?m)^-- name: (\w+)$/).map { match in
                let name = String(match.1)
                return Named(type: type, name: name, text: StatementFile(type).statement(name).text)
            }
        }
    }()

    private static func source() throws -> String {
        try files(in: store, ending: ".swift").filter { $0.lastPathComponent != "SQL.swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    }

    @Test func `each statement is in a file named after a type`() throws {
        let types = Set(try Self.source().matches(of: /\b(?:struct|enum|actor) (\w+)/).map { String($0.1) })
        #expect(Self.all.count > 150)
        #expect(Set(Self.all.map(\.type)).subtracting(types) == [])
    }

    @Test func `the code uses each statement`() throws {
        let source = try Self.source()
        for statement in Self.all {
            let name = "SQL.\(statement.type).\(statement.name)"
            #expect(source.contains(try Regex("\(name)(?!\\w)")), "\(name)")
        }
    }

    /// Regression: a bound on the other side of a join said nothing about the days, so all were planned.
    @Test(arguments: [
        ("conflicts", SQL.ObservationLog.conflicts, ["'{}'", "'{}'", "'{}'", "'{}'", "'{}'", "'{}'", "YESTERDAY"]),
        ("isHeard", SQL.Upkeep.isHeard, ["YESTERDAY", "NOW"]),
        (
            "observations", SQL.DeviceStore.observations,
            [
                "array[gen_random_uuid()]", "YESTERDAY", "'-infinity'", "10", "gen_random_uuid()",
                "'-infinity'", "false",
                "''", "'-infinity'", "'infinity'", "'infinity'", "1000",
            ]
        ),
    ])
    func `a statement with a time is planned for the days since then`(
        name: String, statement: Statement, parameters: [String]
    ) async throws {
        var code = statement.text
        let times = ["YESTERDAY": "'\(Timestamp.now - .days(1))'", "NOW": "'\(Timestamp.now)'"]
        for (number, parameter) in parameters.enumerated().reversed() {
            code.replace("$\(number + 1)", with: times[parameter] ?? parameter)
        }
        try await TestStore.with(isPartitioned: true) { test in
            let plan = try await test.lines("explain \(code)")
            let days = Set(plan.flatMap { $0.matches(of: /observation_\d{8}/).map { String($0.output) } })
            // From yesterday to the days that are made ahead.
            #expect((1...9).contains(days.count), "\(days.count) days")
        }
    }

    /// Finds a column that a migration renames, before somebody runs the command that reads it.
    @Test func `the schema has the columns that each statement names`() async throws {
        try await TestStore.with { test in
            var planned = 0
            for statement in Self.all {
                let code = statement.text.replacing(/--.*/, with: "").trimmingCharacters(in: .whitespacesAndNewlines)
                guard code.contains(/^(?:select|insert|update|delete|with)\b/), !code.contains(";") else { continue }
                do {
                    try await test.execute("prepare probe as \(code); deallocate probe")
                    planned += 1
                } catch {
                    // Another statement's temporary table, or a parameter whose type the caller gives.
                    let said = "\(error)"
                    #expect(said.contains(/42P01|42P18/), "\(statement.type).\(statement.name): \(said)")
                }
            }
            #expect(planned > 150)
        }
    }
}
