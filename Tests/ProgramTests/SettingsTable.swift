import Foundation
import Testing

@testable import widget_census

/// Compares the settings in docs/guides/operations.md with the program's defaults.
@Suite struct `The table of settings` {
    @Test func `the operations guide has the program's own words and defaults`() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/guides/operations.md")
        let page = try String(contentsOf: path, encoding: .utf8)
        let table = try #require(page.components(separatedBy: "\n\n").first { $0.hasPrefix("| name | default |") })
        let rows = table.components(separatedBy: "\n").filter { $0.hasPrefix("| `CENSUS_") }

        let settings = try widget_census.Settings(environment: [:])
        let expected = Setting.all.sorted { $0.name < $1.name }.map { setting in
            let standard = setting.standard(settings)
            return "| `\(setting.name)` |\(standard.isEmpty ? "" : " \(standard)") | \(setting.help) |"
        }
        #expect(rows == expected, "the table must be:\n\(expected.joined(separator: "\n"))")
    }
}
