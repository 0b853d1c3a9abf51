internal import CensusCore

extension PreflightReport {
    /// Text for people: a block for each finding, and the conclusion.
    ///
    /// - Returns: an empty text if there is nothing to compare. Standard error says what is wrong.
    var plainText: String {
        if verdict.outcome == .invalid { return "" }
        let rules = verdict.findings.map(\.change.rule.rawValue.count).max() ?? 0
        let kinds = verdict.findings.map(\.change.kind.description.count).max() ?? 0
        var lines = [comparison].compactMap { $0 }
        for finding in verdict.findings {
            lines.append(
                "\(finding.severity.heading.padded(4))  \(finding.change.rule.rawValue.padded(rules))  "
                    + "\(finding.change.kind.description.padded(kinds))   \(effect(finding))")
            let acknowledge = acknowledging(finding).map { "acknowledge: \($0)" }
            let isOpen = [.fail, .unknown, .warn].contains(finding.severity)
            let details = [
                change(finding), versions(finding), consent(finding), isOpen ? "help: \(help(finding))" : nil,
                acknowledge,
            ]
            lines += details.compactMap { $0.map { "      \($0)" } }
        }
        // A failing verdict also lists what is unknown.
        if verdict.outcome == .fail { lines += verdict.doubts.map { "unknown: \($0)" } }
        lines.append(conclusion)
        // What a client sent must not control the terminal.
        return lines.map(\.printable).joined(separator: "\n") + "\n"
    }

    func versions(_ finding: PreflightFinding) -> String? {
        let parts = finding.byVersion.filter { $0.loss.devicesPossible > 0 }
            .map { "\($0.version.text): \($0.loss.devicesPossible.grouped)" }
        guard !parts.isEmpty else { return nil }
        let shown = parts.suffix(8).joined(separator: "; ")
        return "by version: " + (parts.count > 8 ? "\(parts.count - 8) older ones; " : "") + shown
    }
}
