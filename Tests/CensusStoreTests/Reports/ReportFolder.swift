import Foundation
import Testing

/// A folder in `sql/reports`.
struct ReportFolder: Sendable, CustomTestStringConvertible {
    var name: String
    private var url: URL

    var testDescription: String { name }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    static let all: [ReportFolder] = {
        let reports = root.appending(path: "sql/reports")
        let folders = (try? FileManager.default.contentsOfDirectory(at: reports, includingPropertiesForKeys: nil)) ?? []
        return folders.filter(\.hasDirectoryPath)
            .map { ReportFolder(name: $0.lastPathComponent, url: $0) }
            .sorted { $0.name < $1.name }
    }()

    var cases: [ReportCase] {
        let files =
            (try? FileManager.default.contentsOfDirectory(
                at: url.appending(path: "cases"), includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "ndjson" }
            .map { ReportCase(report: name, input: $0) }
            .sorted { $0.name < $1.name }
    }

    /// - Throws: if there is no such file.
    func text(_ file: String) throws -> String {
        try String(contentsOf: url.appending(path: file), encoding: .utf8)
    }

    /// The blocks that the plan of a month's query may touch: `-- Budget   LOW..HIGH blocks` in the view's header.
    ///
    /// - Returns: nil if the header has none.
    func budget() throws -> ClosedRange<Int>? {
        let match = try text("view.sql").firstMatch(of: /(?m)^-- Budget   (\d+)\.\.(\d+) blocks$/)
        guard let match, let low = Int(match.1), let high = Int(match.2), low > 0, low <= high else {
            return nil
        }
        return low...high
    }

    /// The columns in the report's table in `docs/reference/reports.md`: a promise to users' queries.
    func promise() throws -> [String] {
        let page = try String(
            contentsOf: ReportFolder.root.appending(path: "docs/reference/reports.md"), encoding: .utf8)
        guard let section = page.split(separator: "\n## ").first(where: { $0.hasPrefix(name + "\n") }),
            let table = section.firstMatch(of: /\n\| column \| meaning \|\n\|---\|---\|\n((?:\|.*\n?)+)/)
        else { throw NoPromise(report: name) }
        return table.1.split(separator: "\n").flatMap { row in
            row.split(separator: "|")[0].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    struct NoPromise: Error { var report: String }
}
