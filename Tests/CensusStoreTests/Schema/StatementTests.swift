import CensusCore
import Fleet
import Foundation
import Testing

/// The files of `sql/queries`: a statement is found from its type, and the type from its statement.
@Suite struct `Statements` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL
    private static let store = root.appending(path: "Sources/CensusStore")

    private static func files(in folder: URL, ending suffix: String) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? []).filter { $0.lastPathComponent.hasSuffix(suffix) }
    }

    private static func sources() throws -> [(folder: String, text: String)] {
        try files(in: store, ending: ".swift").filter { !$0.path.contains("/Generated/") }.map { file in
            (file.deletingLastPathComponent().lastPathComponent, try String(contentsOf: file, encoding: .utf8))
        }
    }

    @Test func `each lies in the folder of the type that it is named for`() throws {
        // Each type that is declared, with its folders.
        var folders: [Substring: [String]] = [:]
        for source in try Self.sources() {
            for declaration in source.text.matches(of: /\b(?:struct|enum|actor) (\w+)/) {
                folders[declaration.1, default: []].append(source.folder.lowercased())
            }
        }
        let statements = Self.files(in: Self.root.appending(path: "sql/queries"), ending: ".sql")
        #expect(statements.count > 100)
        for file in statements {
            let type = file.lastPathComponent.prefix { $0 != "." }
            #expect(
                folders[type] == [file.deletingLastPathComponent().lastPathComponent], "\(file.lastPathComponent)")
        }
    }

    @Test func `each is run by something`() throws {
        let text = try Self.sources().map(\.text).joined()
        for file in Self.files(in: Self.root.appending(path: "sql/queries"), ending: ".sql") {
            let name = file.deletingPathExtension().lastPathComponent
            #expect(text.contains("SQL.`\(name)`"), "\(name)")
        }
    }

    /// A bound on the other side of a join said nothing about the days, and all were planned for.
    @Test(arguments: [
        ("log/ObservationLog.conflicts", ["'{}'", "'{}'", "'{}'", "'{}'", "'{}'", "'{}'", "YESTERDAY"]),
        ("upkeep/Upkeep.isHeard", ["YESTERDAY", "NOW"]),
        (
            "devices/DeviceStore.observations",
            [
                "array[gen_random_uuid()]", "YESTERDAY", "'-infinity'", "10", "1000", "gen_random_uuid()",
                "'-infinity'", "false",
                "''", "'-infinity'", "'infinity'", "'infinity'",
            ]
        ),
    ])
    func `that name a time are planned for the days since then`(name: String, parameters: [String]) async throws {
        let file = Self.root.appending(path: "sql/queries/\(name).sql")
        var code = try String(contentsOf: file, encoding: .utf8)
        let times = ["YESTERDAY": "'\(Timestamp.now - .days(1))'", "NOW": "'\(Timestamp.now)'"]
        for (number, parameter) in parameters.enumerated().reversed() {
            code.replace("$\(number + 1)", with: times[parameter] ?? parameter)
        }
        try await TestStore.with(isPartitioned: true) { test in
            let plan = try await test.lines("explain \(code)")
            let days = Set(plan.flatMap { $0.matches(of: /observation_\d{8}/).map { String($0.output) } })
            // From yesterday to those that are made ahead.
            #expect((1...9).contains(days.count), "\(days.count) days")
        }
    }

    /// A column that a migration renames is noticed here, not by the first person who runs the command that reads it.
    @Test func `each names what the schema has`() async throws {
        try await TestStore.with { test in
            var planned = 0
            for file in Self.files(in: Self.root.appending(path: "sql/queries"), ending: ".sql") {
                let text = try String(contentsOf: file, encoding: .utf8)
                let code = text.replacing(/--.*/, with: "").trimmingCharacters(in: .whitespacesAndNewlines)
                guard code.contains(/^(?:select|insert|update|delete|with)\b/), !code.contains(";") else { continue }
                do {
                    try await test.execute("prepare probe as \(code); deallocate probe")
                    planned += 1
                } catch {
                    // A temporary table of another statement's, or a parameter whose type the caller tells.
                    let said = "\(error)"
                    #expect(said.contains(/42P01|42P18/), "\(file.lastPathComponent): \(said)")
                }
            }
            #expect(planned > 150)
        }
    }
}
