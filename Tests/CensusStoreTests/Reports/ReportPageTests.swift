import Foundation
import Testing

@testable import CensusStore

/// The tables in `docs/reference/reports.md` are generated from the headers and comments of the reports' views, by a
/// run with `WRITE_REPORTS=1`. The text around them is written by hand.
@Suite struct `Page of reports` {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/reference/reports.md").standardizedFileURL
    private static let index = "| report | answers |\n|---|---|\n"
    private static let columns = "| column | meaning |\n|---|---|\n"

    private func text() throws -> String { try String(contentsOf: Self.page, encoding: .utf8) }

    @Test func `each report has a folder, and each folder a report`() throws {
        #expect(ReportDescription.all.map(\.name).sorted() == ReportFolder.all.map(\.name))
    }

    /// Users' queries depend on them. To break the promise, edit the page by hand.
    @Test(arguments: ReportDescription.all) func `no promised column is removed, moved or renamed`(
        report: ReportDescription
    ) throws {
        let promised = try ReportFolder.all.first { $0.name == report.name }?.promise()
        let names = report.columns.map(\.name)
        #expect(names.filter { promised?.contains($0) == true } == promised)
    }

    @Test func `the page's tables match the views`() throws {
        let page = try text()
        let made = made(from: page)
        if ProcessInfo.processInfo.environment["WRITE_REPORTS"] == "1" {
            try made.write(to: Self.page, atomically: true, encoding: .utf8)
        } else {
            #expect(made == page, "WRITE_REPORTS=1 swift test --filter 'Page of reports' writes the tables")
        }
    }

    private func made(from page: String) -> String {
        var sections = page.split(separator: "\n## ").map(String.init)
        let reports = ReportDescription.all
        let rows = reports.map { "| [\($0.name)](#\($0.name)) | \($0.answer) |" }
        sections[0] = replaced(sections[0], Self.index, rows)
        for (section, report) in zip(sections.indices.dropFirst(), reports) {
            let rows = report.columns.dropFirst(report.grain.count).map { "| \($0.name) | \(cell($0.meaning)) |" }
            let grain = "| \(report.grain.joined(separator: ", ")) | one row for each |"
            sections[section] = replaced(withTable(sections[section]), Self.columns, [grain] + rows)
        }
        return sections.joined(separator: "\n## ")
    }

    /// A new section gets its table after the paragraph that begins it.
    private func withTable(_ section: String) -> String {
        guard !section.contains(Self.columns) else { return section }
        var paragraphs = section.split(separator: "\n\n").map(String.init)
        paragraphs.insert(String(Self.columns.dropLast()), at: min(2, paragraphs.count))
        return paragraphs.joined(separator: "\n\n")
    }

    /// Replaces the rows below a table's header.
    private func replaced(_ text: String, _ header: String, _ rows: [String]) -> String {
        guard let place = text.firstRange(of: header) else { return text }
        let after = text[place.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
            .drop { $0.hasPrefix("|") }
        return text[..<place.upperBound] + rows.map { $0 + "\n" }.joined() + after.joined(separator: "\n")
    }

    /// A comment as a table cell: without its full stop, and in lower case unless it begins with an abbreviation.
    private func cell(_ meaning: String) -> String {
        let text = (meaning.last == "." ? String(meaning.dropLast()) : meaning).replacing("|", with: "\\|")
        let isAbbreviation = text.dropFirst().first?.isUppercase == true
        return isAbbreviation ? text : text.prefix(1).lowercased() + text.dropFirst()
    }
}
