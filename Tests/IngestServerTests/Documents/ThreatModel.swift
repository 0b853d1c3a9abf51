import Foundation
import Testing

@Suite struct `Threat model` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    @Test func `every test that a claim names exists`() throws {
        let tests = try Self.tests()
        let page = try String(contentsOf: Self.root.appending(path: "docs/why/threat-model.md"), encoding: .utf8)
        let named = page.matches(of: /`([^`\n]+)` \/ `([^`\n]+)`/)
        #expect(named.count > 40)
        for claim in named {
            let (suite, test) = (String(claim.1), String(claim.2))
            #expect(tests[suite]?.contains(test) == true, "\(suite) / \(test)")
        }
    }

    /// The names of all tests, by suite.
    private static func tests() throws -> [String: Set<String>] {
        var tests: [String: Set<String>] = [:]
        // Made once, because each evaluation of a literal parses it again.
        let (named, claim) = (/struct `([^`]+)`/, /func `([^`]+)`/)
        let folder = root.appending(path: "Tests").standardizedFileURL
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        for case let file as URL in files ?? FileManager.DirectoryEnumerator() where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            var suite = ""
            for line in text.split(separator: "\n") {
                if let match = line.firstMatch(of: named) { suite = String(match.1) }
                if let match = line.firstMatch(of: claim) {
                    tests[suite, default: []].insert(String(match.1))
                }
            }
        }
        return tests
    }
}
