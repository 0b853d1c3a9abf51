internal import CensusCore
internal import CensusStore
internal import Pages

/// An explanation for people: one line for everything that was heard, and one for every change.
struct ExplanationTable {
    private let explanation: Explanation

    init(_ explanation: Explanation) {
        self.explanation = explanation
    }

    func text(width: Int?) -> String {
        let columns = ["time", "rule", "heard", "changed", "certain", "possible"].map {
            ReportTable.Column($0, isNumber: false)
        }
        let table = ReportTable(columns: columns, rows: explanation.steps.flatMap(rows))
        let text = TablePrinter(table, width: nil).text
        guard let width, text.split(separator: "\n").contains(where: { $0.count > width }) else {
            return text + "\n" + closing
        }
        let kinds = explanation.steps.flatMap { step in
            step.changes.map(\.placement.kind) + (step.heard?.event.placements.map(\.kind) ?? [])
        }
        let steps = explanation.steps.map { lines($0, width: width, without: kinds.sharedPrefix) }.joined()
        let note = kinds.sharedPrefix.map { "… stands for \($0.printable)\n\n" } ?? ""
        return steps + "\n" + note + closing
    }

    /// A step on a narrow screen: what was heard, and below it each change with its rule.
    func lines(_ step: Explanation.Step, width: Int, without prefix: String? = nil) -> String {
        let time = step.at.toTheSecond
        var lines: [String] = []
        for row in rows(step) {
            func cell(_ column: Int) -> String {
                let text = (row[column] ?? "").printable
                return prefix.map { text.replacing($0, with: "…") } ?? text
            }
            let isHeard = !cell(2).isEmpty
            let begins = isHeard || lines.isEmpty ? "\(time) " : "  "
            let rule = cell(1).isEmpty ? "" : isHeard ? "  (\(cell(1)))" : "\(cell(1)): "
            let counts = cell(4).isEmpty ? "" : ", certain \(cell(4)), possible \(cell(5))"
            let what =
                isHeard
                ? cell(2) + rule + (cell(3).isEmpty ? "" : ": \(cell(3))") : rule + cell(3) + counts
            let text = (begins + what).wrapped(to: max(20, width - 2), indent: "    ")
            lines.append(begins == "  " ? "  " + text : text)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func rows(_ step: Explanation.Step) -> [[String?]] {
        var rows: [[String?]] = []
        if let heard = step.heard {
            let remark = step.remark
            rows.append([
                step.at.toTheSecond, remark?.rule.map(name) ?? "", heard.summary, remark?.text ?? "", "", "",
            ])
        }
        for change in step.changes {
            var what = "\(change.change.cause.rawValue): \(change.placement.summary)"
            if change.surface != .widget { what += " on \(change.surface.rawValue)" }
            if change.after.suspect > 0 { what += change.after.fate(stillThere: change.stillThere) }
            rows.append([
                step.heard == nil ? step.at.toTheSecond : "", name(change.change.rule), "", what,
                "\(change.before.certain)→\(change.after.certain)",
                "\(change.before.possibleInFamily)→\(change.after.possibleInFamily)",
            ])
        }
        return rows
    }

    private func name(_ rule: Rule) -> String { "\(rule.number) \(rule.rawValue)" }

    private var closing: String {
        let state = explanation.state
        guard let installation = state.installation, let silence = explanation.silence(now: .now) else {
            return (past + ["never counted"]).joined(separator: "\n") + "\n"
        }
        var lines = past
        lines.append(
            installation.isSettled
                ? "settled: the device has booted since the app's first launch"
                : "not settled: no boot since the app's first launch is known")
        let isOpen = explanation.spans.contains { $0.level.suspect > 0 && $0.stillThere == nil }
        if let since = state.suspectSince, isOpen {
            lines.append("suspects without an outcome since \(since.toTheSecond)")
        }
        if state.isCloned { lines.append("cloned: an installation that had ended went on sending") }
        lines.append(silence)
        return lines.joined(separator: "\n") + "\n"
    }
}

extension ExplanationTable {
    /// What the first steps build on.
    fileprivate var past: [String] {
        guard let through = explanation.foldedThrough else { return [] }
        return ["nothing through \(through.toTheSecond) is folded again: what it led to stands"]
    }
}
