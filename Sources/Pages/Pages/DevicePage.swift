package import CensusCore

/// One device's history, by an id that is posted: it appears in no address and in no log.
package struct DevicePage: Sendable {
    package enum Answer: Sendable {
        case none
        case fault(String)
        case explanation(Explanation)
    }

    /// More would make the page too heavy, and a phone can be made to send any number: the newest are shown.
    private static let mostRows = 300
    private static let mostBytesOfText = 600

    package var app: String
    package var answer: Answer

    package init(app: String, answer: Answer) {
        self.app = app
        self.answer = answer
    }

    package var page: Page {
        Page(
            title: "A device of \(app)", place: .device,
            body: """
                <h1>A device</h1>
                <p>What was heard of one device, what it changed, and by which rule. The id is not kept: it is hashed to find \
                the device's rows, and stands in no address.</p>
                <form class="fields" method="post" action="\(Link(.device).with("app", app))">
                <label for="device">The device's id, as the app sends it</label>
                <input id="device" name="device" type="text" required autocomplete="off" spellcheck="false">
                <button>Explain</button>
                </form>
                \(told)
                """)
    }

    private var told: HTML {
        switch answer {
        case .none: .empty
        case .fault(let message): "<p class=\"fault\" role=\"alert\">\(message)</p>"
        case .explanation(let explanation): history(explanation)
        }
    }

    private func history(_ explanation: Explanation) -> HTML {
        var steps: [Explanation.Step] = []
        var count = 0
        for step in explanation.steps.reversed() {
            count += 1 + step.changes.count
            guard count <= DevicePage.mostRows || steps.isEmpty else { break }
            steps.insert(step, at: 0)
        }
        let left = explanation.steps.count - steps.count
        let table = OldTable(
            "What was heard, and what it changed",
            [("Time", false), ("Rule", false), ("Heard or changed", false), ("Certain", true), ("Possible", true)],
            whenEmpty: "Nothing is kept of it.", steps.flatMap(rows))
        return """
            <h2>Its history</h2>
            \(left > 0 ? "<p class=\"soft\">\(left.counted("earlier step")) left out: <code>widget-census explain</code> prints all.</p>" : "")
            \(table.html)
            <ul>\(closing(explanation).html { "<li>\($0)</li>" })</ul>
            """
    }

    private func rows(_ step: Explanation.Step) -> [[OldTable.Cell]] {
        var rows: [[OldTable.Cell]] = []
        let time = step.at.toTheSecond
        if let heard = step.heard {
            let remark: HTML = step.remark.map { " <span class=\"soft\">\($0.text)</span>" } ?? .empty
            rows.append([
                .text(time), .text(step.remark?.rule.map(name) ?? ""),
                .markup("\(DevicePage.shortened(heard.summary))\(remark)"),
                .number(""),
                .number(""),
            ])
        }
        for change in step.changes.prefix(DevicePage.mostRows) {
            let place = change.surface.rawValue.onSurface
            let fate = change.after.suspect > 0 ? change.after.fate(stillThere: change.stillThere) : ""
            rows.append([
                .text(time), .text(name(change.change.rule)),
                .markup("<strong>\(change.change.cause.rawValue)</strong>: \(change.placement.summary)\(place)\(fate)"),
                .number("\(change.before.certain) → \(change.after.certain)"),
                .number("\(change.before.possibleInFamily) → \(change.after.possibleInFamily)"),
            ])
        }
        if step.changes.count > DevicePage.mostRows {
            let left = step.changes.count - DevicePage.mostRows
            rows.append([.text(time), .text(""), .text("and \(left.counted("change")) more"), .number(""), .number("")])
        }
        return rows
    }

    /// A list of a thousand widgets takes a megabyte.
    private static func shortened(_ text: String) -> String {
        guard text.utf8.count > mostBytesOfText else { return text }
        return String(decoding: text.utf8.prefix(mostBytesOfText), as: UTF8.self) + " …"
    }

    private func name(_ rule: Rule) -> String { "\(rule.number) \(rule.rawValue)" }

    private func closing(_ explanation: Explanation) -> [String] {
        var lines: [String] = []
        if let through = explanation.foldedThrough {
            lines.append("Nothing through \(through.toTheSecond) is folded again: what it led to stands.")
        }
        guard let installation = explanation.state.installation, let silence = explanation.silence(now: .now) else {
            return lines + ["It was never counted."]
        }
        lines.append(
            installation.isSettled
                ? "Settled: the device has booted since the app's first launch."
                : "Not settled: no boot since the app's first launch is known.")
        if explanation.state.isCloned { lines.append("Cloned: an installation that had ended went on sending.") }
        return lines + ["It \(silence)."]
    }
}
