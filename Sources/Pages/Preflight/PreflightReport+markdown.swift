internal import CensusCore

extension PreflightReport {
    /// The most findings that are told in full: GitHub takes a summary of up to 1 MiB.
    private static let mostDetails = 200

    /// Markdown, such as for the summary of a step of GitHub Actions: the verdict, a table of the findings, then each in full.
    var markdown: String {
        let name = (verdict.appID.isEmpty ? "" : "\(verdict.appID) ") + subject
        var blocks = ["## Preflight of \(name.markdown)", "**\(conclusion.markdown)**"]
        if let comparison { blocks.append(comparison.markdown) }
        // The conclusion has them otherwise.
        if verdict.outcome == .fail { blocks += verdict.doubts.map { "Unknown: \($0.markdown)" } }
        if verdict.problems.count > 1 {
            blocks.append(verdict.problems.map { "- \($0.description.markdown)" }.joined(separator: "\n"))
        }
        let shown = verdict.findings.prefix(PreflightReport.mostDetails)
        if !shown.isEmpty { blocks.append(table(shown)) }
        blocks += shown.filter { $0.severity != .none }.map(details)
        let left = verdict.findings.count - shown.count
        if left > 0 { blocks.append("And \(left.grouped) more: `preflight` without `--format` lists all.") }
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private func table(_ findings: ArraySlice<PreflightFinding>) -> String {
        let rows = findings.map { finding in
            "| \(finding.severity.heading) | \(finding.change.rule.rawValue.markdown) | "
                + "\(finding.change.kind.description.markdown) | \(effect(finding).markdown) |"
        }
        return (["| | rule | kind | effect |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }

    private func details(_ finding: PreflightFinding) -> String {
        let title = "### " + "\(finding.change.rule.rawValue) \(finding.change.kind)".markdown
        let lines = [change(finding), versions(finding), consent(finding), "help: \(help(finding))"]
        var blocks = [
            title, lines.compactMap { $0.map { "- \($0.capitalizingFirst.markdown)" } }.joined(separator: "\n"),
        ]
        if let acknowledge = acknowledging(finding) {
            blocks.append("To accept this loss:\n\n~~~sh\n\(acknowledge.printable)\n~~~")
        }
        return blocks.joined(separator: "\n\n")
    }
}

extension String {
    /// Escapes text, so that no name becomes a link, a tag or the end of a table's cell.
    fileprivate var markdown: String {
        var text = ""
        for character in printable {
            switch character {
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "&": text += "&amp;"
            case "\\", "`", "*", "_", "[", "]", "|", "#", "~", "!", "@": text += "\\\(character)"
            default: text.append(character)
            }
        }
        return text
    }
}
