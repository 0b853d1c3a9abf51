internal import CensusCore

/// Collects the bad lines of an import, grouped by reason.
final class Complaints {
    private struct Group {
        var first: Importer.Problem
        var last: Importer.Problem
        var count = 1
    }

    /// Nobody reads more reasons than these.
    private static let most = 20

    private var groups: [Group] = []
    private var others = 0

    /// - Returns: whether to show it now, because it is the first with its reason.
    func add(_ problem: Importer.Problem) -> Bool {
        if let known = groups.firstIndex(where: { $0.first.reason == problem.reason }) {
            groups[known].count += 1
            groups[known].last = problem
            return false
        }
        guard groups.count < Complaints.most else {
            others += 1
            return false
        }
        groups.append(Group(first: problem, last: problem))
        return true
    }

    /// Lines about what wasn't shown: `events.ndjson:17 and 100,101 more, through line 100,118: …`.
    var summary: [String] {
        var lines = groups.filter { $0.count > 1 }.map { group in
            let last = group.last.file == group.first.file ? "line \(group.last.line)" : group.last.place
            return "\(group.first.place) and \((group.count - 1).grouped) more, through \(last): \(group.first.reason)"
        }
        if others > 0 { lines.append("\(others.counted("more line", "is", "are")) bad, for other reasons") }
        return lines
    }
}
