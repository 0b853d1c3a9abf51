import CensusCore
import CensusStore
import Foundation
import Testing

/// A case of `sql/reports/*/cases`: what phones sent, and the rows that the report must then have.
///
/// `NAME.ndjson` is what `widget-census import` reads, `NAME.csv` the report, with those of its columns that the case is about;
/// `NAME.sql`, where there is one, is what people did before the night. All dates are shifted so that the last batch came
/// yesterday; where the report has weeks, by whole weeks, so that it came yesterday or in the six days before.
struct ReportCase: Sendable, CustomTestStringConvertible {
    let report: String
    let name: String
    private let input: URL

    init(report: String, input: URL) {
        self.report = report
        self.name = input.deletingPathExtension().lastPathComponent
        self.input = input
    }

    var testDescription: String { "\(report)/\(name)" }

    struct Broken: Error { var reason: String }

    struct Material {
        var batches: [String]
        var script: String?
        /// Header and rows.
        var expected: [String]
        /// Those of the report's columns that the case is about.
        var columns: [String] { expected[0].split(separator: ",").map(String.init) }
        private var shift: Int

        fileprivate init(_ input: URL) throws {
            let text = try String(contentsOf: input, encoding: .utf8)
            let received = text.matches(of: /"received_at": ?"(\d{4}-\d{2}-\d{2})/).compactMap { Day(String($0.1)) }
            guard let last = received.max() else { throw Broken(reason: "no received_at in \(input.path)") }
            let base = input.deletingPathExtension()
            let table = try String(contentsOf: base.appendingPathExtension("csv"), encoding: .utf8)
            shift = Int((Day.today - 1).daysSince1970 - last.daysSince1970)
            if table.prefix(while: { !$0.isNewline }).contains("cohort_week") { shift -= shift % 7 }
            batches = []
            expected = []
            batches = try lines(text)
            expected = try lines(table)
            if let text = try? String(contentsOf: base.appendingPathExtension("sql"), encoding: .utf8) {
                script = shifted(text)
            }
        }

        private func lines(_ text: String) throws -> [String] {
            let lines = shifted(text).split(separator: "\n").map(String.init)
            guard !lines.isEmpty else { throw Broken(reason: "an empty file") }
            return lines
        }

        private func shifted(_ text: String) -> String {
            text.replacing(/\d{4}-\d{2}-\d{2}/) { match in
                Day(String(match.output)).map { ($0 + shift).description } ?? String(match.output)
            }
        }
    }

    func material() throws -> Material { try Material(input) }
}

extension ReportTable {
    /// Some of the columns, in the order of the names.
    func with(_ names: [String]) throws -> ReportTable {
        let places = try names.map { name in
            try #require(columns.firstIndex { $0.name == name }, "the report has no column \(name)")
        }
        return ReportTable(columns: places.map { columns[$0] }, rows: rows.map { row in places.map { row[$0] } })
    }

    /// As cases are written: quotation marks stand where CSV can't do without.
    var caseLines: [String] {
        func cell(_ text: String?) -> String {
            guard let text else { return "" }
            return text.contains { ",\"\n".contains($0) } ? text.quoted(by: "\"", escape: "\"\"") : text
        }
        return [columns.map(\.name).joined(separator: ",")] + rows.map { $0.map(cell).joined(separator: ",") }
    }
}
