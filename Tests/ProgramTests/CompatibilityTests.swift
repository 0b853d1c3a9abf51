import Foundation
import Testing

@testable import widget_census

/// Compares what docs/reference/compatibility.md promises by name with `Compatibility/1.txt`.
///
/// That file has a line for each name that a release of 1.x had. To add those of the next one, run
/// `RECORD_INTERFACE=yes swift test --filter ProgramTests.Compatibility`. Other tests compare the pages with the
/// program.
@Suite struct `Compatibility` {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    private static func page(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: "../../docs/reference/\(name)"), encoding: .utf8)
    }

    /// The cells of a row, without backticks.
    private static func cells(_ row: Substring) -> [String] {
        row.split(separator: "|").map { $0.replacing("`", with: "").trimmingCharacters(in: .whitespaces) }
    }

    private static func columns() throws -> [String] {
        try page("reports.md").split(separator: "\n## ").flatMap { section -> [String] in
            guard let table = section.firstMatch(of: /\n\| column \| meaning \|\n\|---\|---\|\n((?:\|.*\n?)+)/) else {
                return []
            }
            let names = table.1.split(separator: "\n").flatMap { cells($0)[0].components(separatedBy: ", ") }
            return names.enumerated().map { "column \(section.prefix { $0 != "\n" }) \($0 + 1) \($1)" }
        }
    }

    private static func metrics() throws -> [String] {
        try page("metrics.md").split(separator: "\n").filter { $0.hasPrefix("| `widget_census_") }.map { row in
            let cells = row.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.replacing("`", with: "").trimmingCharacters(in: .whitespaces)
            }
            return "metric \(cells[1]) \(cells[2]) {\(cells[3])}"
        }
    }

    private static func paths() throws -> [String] {
        var path = ""
        return try page("openapi.yaml").split(separator: "\n").compactMap { line -> String? in
            if let match = line.wholeMatch(of: #/  (/\S*):/#) { path = String(match.1) }
            guard let method = line.wholeMatch(of: #/    (get|post|delete|head|put|patch):/#)?.1 else { return nil }
            return path.hasPrefix("/console") ? nil : "path \(method.uppercased()) \(path)"
        }
    }

    @Test func `this version keeps every command, flag, setting, column, metric and path of 1.x`() async throws {
        let commands = try await CommandTree.paths().dropFirst().flatMap { path in
            // Every command has these.
            let names = Set(path.names).subtracting(["--help", "-h", "--version"])
            return ["command \(path)"] + names.sorted().map { "flag \(path) \($0)" }
        }
        let groups = try [
            commands, Setting.all.map { "setting \($0.name)" }, Self.columns(), Self.metrics(), Self.paths(),
        ]
        // A page that this test misreads would promise nothing.
        #expect(groups.map(\.count).min() ?? 0 > 15, "\(groups.map(\.count))")
        let lines = groups.joined()

        let file = Self.folder.appending(path: "Compatibility/1.txt")
        let recorded = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(Set(recorded).subtracting(lines).sorted() == [], "1.x promises these")
        if ProcessInfo.processInfo.environment["RECORD_INTERFACE"] == "yes" {
            let all = recorded + lines.filter { !recorded.contains($0) }
            try all.sorted().map { $0 + "\n" }.joined().write(to: file, atomically: true, encoding: .utf8)
        }
    }
}
