import CensusCore
import CensusStore
import Foundation
import Testing

/// A case in `sql/reports/*/cases`: what phones sent, and the report's expected rows.
///
/// `NAME.ndjson` is input for `widget-census import`. `NAME.csv` is the report, with the columns that the case is
/// about. `NAME.sql` is optional, and has what people did before the night. All dates are shifted so that the last
/// batch arrived yesterday. If the report has weeks, the shift is by whole weeks, to one of the last seven days.
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
        /// The columns that the case is about.
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

    /// Lines in the format of the cases, with quotation marks only where CSV needs them.
    var caseLines: [String] {
        func cell(_ text: String?) -> String {
            guard let text else { return "" }
            return text.contains { ",\"\n".contains($0) } ? text.quoted(by: "\"", escape: "\"\"") : text
        }
        return [columns.map(\.name).joined(separator: ",")] + rows.map { $0.map(cell).joined(separator: ",") }
    }
}
