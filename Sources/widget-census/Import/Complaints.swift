internal import CensusCore

/// Collects the bad lines of an import, grouped by reason.
final class Complaints {
    private struct Group {
        var first: Int
        var last: Int
        var count = 1
    }

    /// Nobody reads more reasons than these.
    private static let most = 20

    private var groups: [(reason: String, group: Group)] = []
    private var others = 0

    /// - Returns: whether to show it now, because it is the first with its reason.
    func add(_ problem: Importer.Problem) -> Bool {
        if let known = groups.firstIndex(where: { $0.reason == problem.reason }) {
            groups[known].group.count += 1
            groups[known].group.last = problem.line
            return false
        }
        guard groups.count < Complaints.most else {
            others += 1
            return false
        }
        groups.append((problem.reason, Group(first: problem.line, last: problem.line)))
        return true
    }

    /// Lines about what wasn't shown. Each follows the file name and a colon: `17 and 100,101 more, through line 100,118: …`.
    var summary: [String] {
        var lines = groups.filter { $0.group.count > 1 }.map { reason, group in
            "\(group.first) and \((group.count - 1).grouped) more, through line \(group.last): \(reason)"
        }
        if others > 0 { lines.append(" \(others.counted("more line", "is", "are")) bad, for other reasons") }
        return lines
    }
}
