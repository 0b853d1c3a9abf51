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
        let sources = try Self.sources()
        let statements = Self.files(in: Self.root.appending(path: "sql/queries"), ending: ".sql")
        #expect(statements.count > 100)
        for file in statements {
            let type = file.lastPathComponent.prefix { $0 != "." }
            let declaration = try Regex("(struct|enum|actor) \(type)\\b")
            let folders = sources.filter { $0.text.contains(declaration) }.map(\.folder)
            #expect(
                folders.map { $0.lowercased() } == [file.deletingLastPathComponent().lastPathComponent],
                "\(file.lastPathComponent)")
        }
    }

    @Test func `each is run by something`() throws {
        let text = try Self.sources().map(\.text).joined()
        for file in Self.files(in: Self.root.appending(path: "sql/queries"), ending: ".sql") {
            let name = file.deletingPathExtension().lastPathComponent
            #expect(text.contains("SQL.`\(name)`"), "\(name)")
        }
    }
}
