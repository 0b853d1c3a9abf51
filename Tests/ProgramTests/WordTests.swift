import Foundation
import Testing

/// Compares `docs/words.md` with the names of types in `Sources`, here and in the Swift client.
@Suite struct `Words` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    private struct Named {
        var module: String
        var type: String
        /// In lower case: `KindRegistry` has `kind` and `registry`.
        var words: Set<String>
    }

    private static let types: [Named] = {
        let folders = ["Sources", "clients/swift/Sources"].map { root.appending(path: $0) }
        let files = folders.flatMap { folder in
            let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            return (all?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
        }
        return files.flatMap { file in
            let module = file.pathComponents.drop { $0 != "Sources" }.dropFirst().first ?? ""
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            return text.matches(of: /\b(?:struct|enum|class|actor|protocol) ([A-Z]\w*)/).map { match in
                let words = match.1.matches(of: /[A-Z]+(?![a-z])|[A-Z][a-z0-9]*/).map { $0.output.lowercased() }
                return Named(module: module, type: String(match.1), words: Set(words))
            }
        }
    }()

    /// The cells of each row of the page's tables.
    private static let rows: [[String]] = {
        let page = (try? String(contentsOf: root.appending(path: "docs/words.md"), encoding: .utf8)) ?? ""
        return page.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| word") }.map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }()

    @Test func `the glossary explains some forty words`() {
        #expect((35...60).contains(Self.rows.count))
        #expect(Self.rows.allSatisfy { $0.count == 3 })
        #expect(Self.types.count > 500)
    }

    @Test func `no type has a name that the glossary avoids`() {
        let avoided = Set(Self.rows.flatMap { $0[2].split(separator: ", ").map(String.init) })
        for type in Self.types {
            let plural = type.words.map { $0.hasSuffix("s") ? String($0.dropLast()) : $0 }
            let found = avoided.intersection(type.words.union(plural))
            #expect(found.isEmpty, "\(type.module).\(type.type): docs/words.md has another word for \(found.sorted())")
        }
    }

    /// A module that neither reads nor counts widgets has no kind, report, claim or surface of its own.
    @Test(arguments: ["Postgres", "EmbeddedPostgres", "Services", "Spool", "Webhooks"])
    func `words for widgets name nothing else`(module: String) {
        let words: Set = ["kind", "report", "claim", "surface"]
        for type in Self.types where type.module == module {
            #expect(type.words.isDisjoint(with: words), "\(module).\(type.type)")
        }
    }
}
