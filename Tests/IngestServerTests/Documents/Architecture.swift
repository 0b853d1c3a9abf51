import CensusCore
import Foundation
import Testing

@Suite struct `Architecture` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardizedFileURL

    @Test func `every path in the architecture page exists`() throws {
        let page = try Self.text(of: "docs/architecture.md")
        let paths = /`((?:Sources|Tests|clients|docs|sql|scripts)(?:\/[^`\s]*)?|Package\.swift)`/
        let named = page.matches(of: paths).map { String($0.1) }
        let linked = page.matches(of: /\]\(([^)]+)\)/).map { "docs/" + $0.1 }
        #expect(named.count > 30 && linked.count > 2)
        for path in named + linked { #expect(Self.exists(path), "\(path)") }
    }

    @Test func `every type in the architecture page is declared`() throws {
        let page = try Self.text(of: "docs/architecture.md")
        let declared = try Self.declaredTypes()
        let named = Set(page.matches(of: /`([A-Z][A-Za-z]+)(?:\.(?!swift)[a-z][A-Za-z]*)?`/).map { String($0.1) })
            .filter { !Self.exists($0) && !Self.exists("Sources/\($0)") }
        #expect(named.count > 15)
        #expect(named.subtracting(declared) == [])
    }

    @Test func `each module uses exactly the modules that the architecture page lists`() throws {
        let page = try Self.text(of: "docs/architecture.md")
        let package = try Self.text(of: "Package.swift")
        let rows = page.matches(of: /\n\| `Sources\/([A-Za-z-]+)` \|[^\n|]*\| ([^\n|]*) \|/)
        let rooms = Set(rows.map { String($0.1) })
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "Sources").path)
        // C targets, and module maps of C libraries, aren't in the table.
        let isRoom = { (folder: String) in
            !Self.exists("Sources/\(folder)/module.modulemap") && !Self.exists("Sources/\(folder)/include")
        }
        #expect(rooms == Set(folders.filter(isRoom)))
        for row in rows {
            let room = String(row.1)
            let target = try #require(
                package.firstMatch(of: try Regex("arget\\(\\s*name: \"\(room)\"(?s:.*?)swiftSettings")))
            let uses = Set(folders).subtracting([room]).filter { target.0.contains("\"\($0)\"") }
            let said = String(row.2) == "nothing" ? [] : Set(row.2.split(separator: ", ").map(String.init))
            #expect(said == uses, "\(room)")
            let below = Set(rows.drop { $0.1 != row.1 }.dropFirst().map { String($0.1) })
            #expect(uses.intersection(rooms).isSubset(of: below), "\(room) is listed below a module that it uses")
        }
    }

    @Test func `the diagram shows every module in the table`() throws {
        let picture = try Self.text(of: "docs/architecture.svg")
        let page = try Self.text(of: "docs/architecture.md")
        let rows = page.matches(of: /\n\| `Sources\/([A-Za-z-]+)` \|/).map { String($0.1) }
        #expect(rows.count > 12)
        for row in rows { #expect(picture.contains(">\(row)</text>"), "\(row)") }
    }

    @Test(arguments: Rule.allCases.filter { $0 != .forgotten })
    func `each rule has a file named after it`(rule: Rule) {
        let name = rule.rawValue.split(separator: "_").map(\.capitalized).joined()
        #expect(Self.exists("Sources/CensusCore/Fold/Rules/\(rule.number)\(name).swift"))
    }

    private static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).standardizedFileURL.path)
    }

    private static func declaredTypes() throws -> Set<String> {
        var types: Set<String> = []
        for folder in ["Sources", "clients/swift/Sources"] {
            let files = FileManager.default.enumerator(
                at: root.appending(path: folder), includingPropertiesForKeys: nil)
            for case let file as URL in files ?? FileManager.DirectoryEnumerator() where file.pathExtension == "swift" {
                for match in try String(contentsOf: file, encoding: .utf8)
                    .matches(of: /(?:struct|enum|actor|class|protocol) ([A-Z][A-Za-z]+)/)
                {
                    types.insert(String(match.1))
                }
            }
        }
        return types
    }
}
