import Foundation
import Testing

@testable import widget_census

/// `WidgetCensus.version`, which scripts/package and scripts/release read too.
@Suite struct `Program version` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    @Test func `the version is the newest in CHANGELOG.md, which has its date`() throws {
        let changes = try String(contentsOf: Self.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let headings = changes.split(separator: "\n").filter { $0.hasPrefix("## ") && $0 != "## Unreleased" }
        let newest = try #require(headings.first?.wholeMatch(of: /## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)/))
        #expect(newest.1 == WidgetCensus.version)
    }

    /// Gradle can't read it from the program. scripts/test-android compares the guide with the client.
    @Test(arguments: ["client", "glance"])
    func `the Android modules have the same version`(module: String) throws {
        let build = Self.root.appending(path: "clients/android/\(module)/build.gradle.kts")
        let lines = try String(contentsOf: build, encoding: .utf8).split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("version = ") } == ["version = \"\(WidgetCensus.version)\""])
    }

    /// The next release would miss a copy.
    @Test(arguments: ["README.md", "Sources", "deploy", "dashboards", "docs/reference"])
    func `the version is repeated nowhere else`(place: String) throws {
        let path = Self.root.appending(path: place).path
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        var repeated: [String] = []
        for file in names.isEmpty ? [path] : names.map({ "\(path)/\($0)" }) {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { continue }
            repeated += text.split(separator: "\n").filter { line in
                line.matches(of: /\d+(?:\.\d+)+/).contains { $0.output == WidgetCensus.version }
            }.map(String.init)
        }
        let own = "    static let version = \"\(WidgetCensus.version)\""
        #expect(repeated == (place == "Sources" ? [own] : []))
    }
}
