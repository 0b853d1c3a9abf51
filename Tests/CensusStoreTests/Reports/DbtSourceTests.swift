import Foundation
import Testing

@testable import CensusStore

/// `examples/dbt/models/sources.yml`: every report as a source of dbt.
@Suite struct `Sources of dbt` {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../examples/dbt/models/sources.yml")

    @Test func `every report is a source with its sentence and its grain`() throws {
        let page = try String(contentsOf: Self.file, encoding: .utf8)
        let sources = page.split(separator: "\n      - name: ").dropFirst().map(String.init)
        #expect(sources.map { String($0.prefix { $0 != "\n" }) } == ReportReader.names)
        for (report, source) in zip(ReportDescription.all, sources) {
            let sentence = report.answer.prefix(1).uppercased() + report.answer.dropFirst() + "."
            #expect(source.contains("\n        description: \"\(sentence)\"\n"), "\(report.name)")
            let grain = report.grain.joined(separator: ", ")
            #expect(source.contains("one_row_per: {arguments: {columns: [\(grain)]}}"), "\(report.name)")
        }
    }
}
