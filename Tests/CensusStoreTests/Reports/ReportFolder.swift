import Foundation
import Testing

/// A folder of `sql/reports`.
struct ReportFolder: Sendable, CustomTestStringConvertible {
    var name: String
    private var url: URL

    var testDescription: String { name }

    static let all: [ReportFolder] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../../sql/reports")
        let folders = (try? FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: nil)) ?? []
        return folders.filter(\.hasDirectoryPath)
            .map { ReportFolder(name: $0.lastPathComponent, url: $0) }
            .sorted { $0.name < $1.name }
    }()

    /// All but `retirement`, which comes with the decision.
    static let described = all.filter { $0.name != "retirement" }

    var cases: [ReportCase] {
        let files =
            (try? FileManager.default.contentsOfDirectory(
                at: url.appending(path: "cases"), includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "ndjson" }
            .map { ReportCase(report: name, input: $0) }
            .sorted { $0.name < $1.name }
    }

    /// - Throws: when there is no such file.
    func text(_ file: String) throws -> String {
        try String(contentsOf: url.appending(path: file), encoding: .utf8)
    }

    /// The blocks that the plan of a month's query may touch: `-- Budget: LOW..HIGH blocks`.
    func budget() throws -> ClosedRange<Int> {
        let match = try text("query.sql").firstMatch(of: /(?m)^-- Budget: (\d+)\.\.(\d+) blocks$/)
        guard let match, let low = Int(match.1), let high = Int(match.2), low > 0, low <= high else {
            throw NoBudget(report: name)
        }
        return low...high
    }

    struct NoBudget: Error { var report: String }
}
