package import CensusCore

/// What one device sent, what each report or event changed, and by which rule.
package struct DeviceHistory: Sendable {
    var explanation: Explanation
    /// Whether it shows only the newest rows and the beginning of long lists. A client can send any number, and one list of a
    /// thousand widgets takes a megabyte.
    var isBrief: Bool

    private static let mostRows = 300
    private static let mostBytesOfText = 600

    package init(_ explanation: Explanation, isBrief: Bool = false) {
        self.explanation = explanation
        self.isBrief = isBrief
    }

    /// One line: something the device sent, or a change.
    struct Row {
        var time = ""
        var rule = ""
        var heard: Phrase = ""
        var changed: Phrase = ""
        var certain = ""
        var possible = ""
    }

    @Blocks var blocks: [Block] {
        let steps = shownSteps
        let left = explanation.steps.count - steps.count
        if left > 0 {
            Block.paragraph(
                "\(left, "earlier step") left out; \(code: "widget-census explain") prints all of them.", style: .soft)
        }
        Block.table(table(of: steps))
        Block.list(closing)
    }

    private var shownSteps: [Explanation.Step] {
        guard isBrief else { return explanation.steps }
        var (steps, count): ([Explanation.Step], Int) = ([], 0)
        for step in explanation.steps.reversed() {
            count += 1 + step.changes.count
            guard count <= DeviceHistory.mostRows || steps.isEmpty else { break }
            steps.append(step)
        }
        return steps.reversed()
    }

    private func table(of steps: [Explanation.Step]) -> Table {
        Table(
            "What the device sent, and what that changed", steps.flatMap(rows),
            [
                .text("time", \.time), .text("rule", \.rule), .words("heard", \.heard), .words("changed", \.changed),
                .text("certain", \.certain), .text("possible", \.possible),
            ],
            whenEmpty: "No observations of it are kept.")
    }

    /// A row for what the device sent, and one for each change.
    func rows(_ step: Explanation.Step) -> [Row] {
        var rows: [Row] = []
        if let heard = step.heard {
            let remark = step.remark
            rows.append(
                Row(
                    time: step.at.toTheSecond, rule: remark?.rule?.title ?? "", heard: shortened(heard.summary),
                    changed: "\(soft: remark?.text ?? "")"))
        }
        let changes = isBrief ? step.changes.prefix(DeviceHistory.mostRows) : step.changes[...]
        for change in changes {
            rows.append(
                Row(
                    time: step.heard == nil ? step.at.toTheSecond : "", rule: change.change.rule.title,
                    changed: change.phrase, certain: "\(change.before.certain)→\(change.after.certain)",
                    possible: "\(change.before.possibleInFamily)→\(change.after.possibleInFamily)"))
        }
        let left = step.changes.count - changes.count
        if left > 0 { rows.append(Row(changed: "and \(left, "more change")")) }
        return rows
    }

    private func shortened(_ text: String) -> Phrase {
        guard isBrief, text.utf8.count > DeviceHistory.mostBytesOfText else { return Phrase(text) }
        return "\(String(decoding: text.utf8.prefix(DeviceHistory.mostBytesOfText), as: UTF8.self)) …"
    }

    /// The device's current state.
    var closing: [Phrase] {
        let state = explanation.state
        var lines: [Phrase] = []
        if let through = explanation.foldedThrough {
            lines.append("observations through \(through.toTheSecond) are final: they are not folded again")
        }
        guard let installation = state.installation, let silence = explanation.silence(now: .now) else {
            return lines + ["this device was never counted"]
        }
        lines.append(
            installation.isSettled
                ? "settled: the device has booted since the app's first launch"
                : "not settled: no known boot since the app's first launch")
        let isOpen = explanation.spans.contains { $0.level.suspect > 0 && $0.stillThere == nil }
        if let since = state.suspectSince, isOpen {
            lines.append("undecided suspects since \(since.toTheSecond)")
        }
        if state.isCloned { lines.append("cloned: an installation that had ended kept sending") }
        return lines + [Phrase(silence)]
    }
}

extension DeviceHistory {
    /// Renders it for a terminal: as a table, or, if the screen is too narrow, one line for each row.
    ///
    /// - Parameter width: the screen's; nil: always a table.
    package func text(width: Int?) -> String {
        let table = table(of: explanation.steps).text(on: Screen())
        let last = closing.map(\.text).joined(separator: "\n") + "\n"
        guard let width, table.split(separator: "\n").contains(where: { $0.count > width }) else {
            return "\(table)\n\n\(last)"
        }
        let kinds = explanation.steps.flatMap { step in
            step.changes.map(\.placement.kind) + (step.heard?.event.placements.map(\.kind) ?? [])
        }
        let steps = explanation.steps.map { lines($0, width: width, without: kinds.sharedPrefix) }.joined()
        let note = kinds.sharedPrefix.map { "\(TableLayout.prefixSign) stands for \($0.printable)\n\n" } ?? ""
        return "\(steps)\n\(note)\(last)"
    }

    /// Renders a step for a narrow screen: what the device sent, and below it each change with its rule.
    ///
    /// - Parameter prefix: the common beginning of kinds, shown as ``TableLayout/prefixSign``.
    package func lines(_ step: Explanation.Step, width: Int, without prefix: String? = nil) -> String {
        func short(_ phrase: Phrase) -> String {
            prefix.map { phrase.text.replacing($0, with: TableLayout.prefixSign) } ?? phrase.text
        }
        return rows(step).enumerated().map { place, row in
            let (heard, changed) = (short(row.heard), short(row.changed))
            let what =
                heard.isEmpty
                ? "\(row.rule): \(changed), certain \(row.certain), possible \(row.possible)"
                : heard + (row.rule.isEmpty ? "" : "  (\(row.rule))") + (changed.isEmpty ? "" : ": \(changed)")
            let begins = !heard.isEmpty || place == 0
            let text = ((begins ? step.at.toTheSecond + " " : "  ") + what)
                .wrapped(to: max(20, width - 2), indent: "    ")
            return (begins ? text : "  " + text) + "\n"
        }.joined()
    }
}

extension Explanation.LevelChange {
    fileprivate var phrase: Phrase {
        let fate = after.suspect > 0 ? after.fate(stillThere: stillThere) : ""
        return "\(strong: change.cause.words): \(placement.summary)\(surface.rawValue.onSurface)\(fate)"
    }
}

extension Rule {
    fileprivate var title: String { "\(number) \(rawValue.replacing("_", with: " "))" }
}

extension Cause {
    fileprivate var words: String { self == .upgradeLoss ? "lost in an update" : rawValue }
}

extension String {
    /// The name of a cause in a report, in words.
    var causeInWords: String { Cause(rawValue: self)?.words ?? self }
}
