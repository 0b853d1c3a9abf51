internal import CensusCore
internal import CensusStore

/// The output that text is rendered for.
package struct Screen: Sendable {
    /// In columns; nil: not a screen.
    var width: Int?
    /// Whether verdicts and states are coloured.
    var colours: Bool

    package init(width: Int? = nil, colours: Bool = false) {
        self.width = width
        self.colours = colours
    }
}

extension Page {
    /// Plain text that can be pasted into a mail. Commands are not wrapped, so they can be copied.
    package func text(on screen: Screen = Screen()) -> String {
        var paragraphs: [String] = []
        if let answer {
            let place = app.map { " of \($0)" } ?? ""
            paragraphs.append(screen.lines("\(title)\(place): \(answer)"))
        }
        var heading = ""
        for block in blocks.flatMap(\.flat) {
            if case .heading(let phrase) = block {
                heading = phrase.text + (phrase.text.hasSuffix("?") ? "\n" : ":\n")
            } else if let text = block.text(on: screen) {
                paragraphs.append(heading + text)
                heading = ""
            }
        }
        return paragraphs.joined(separator: "\n\n") + "\n"
    }
}

extension Block {
    /// The block as text, without a line end; nil if it is empty.
    fileprivate func text(on screen: Screen) -> String? {
        switch self {
        case .paragraph(let sentences, _) where !sentences.isEmpty:
            sentences.map { screen.lines($0) }.joined(separator: "\n")
        case .list(let items) where !items.isEmpty:
            items.map { screen.lines($0, indent: "  ") }.joined(separator: "\n")
        case .facts(let facts): facts.compactMap { screen.lines($0, $1) }.joined(separator: "\n")
        case .checks(let checks): checks.map { screen.lines($0) }.joined(separator: "\n")
        case .attention(let matters): screen.lines(matters)
        case .table(let table): table.text(on: screen)
        case .commands(let commands) where !commands.isEmpty:
            commands.map { use, command in
                (use + ":").padded(1 + (commands.map(\.use.count).max() ?? 0)) + " " + command.description.printable
            }.joined(separator: "\n")
        case .heading, .paragraph, .list, .commands, .chart, .sources, .key, .comparison, .numbers, .filters, .group,
            .gallery, .choices, .hint, .form:
            nil
        }
    }
}

extension Screen {
    /// A phrase, wrapped to fit the screen.
    fileprivate func lines(_ phrase: Phrase, indent: String = "") -> String {
        painted(phrase, indent + wrapped(phrase.text, indent: indent, hanging: indent))
    }

    fileprivate func lines(_ name: String, _ value: Phrase?) -> String? {
        let hanging = String(repeating: " ", count: 12)
        return value.map { value in
            name.padded(12) + (width.map { value.text.wrapped(to: $0 - 14, indent: hanging) } ?? value.text)
        }
    }

    fileprivate func lines(_ check: Check) -> String {
        let figure = "[\(check.isMet ? "x" : " ")] " + check.figure.printable
        let limit = check.limit.map { "\n      " + wrapped($0.printable, indent: "      ", hanging: "      ") } ?? ""
        return "  " + wrapped(figure, indent: "  ", hanging: "      ") + limit
    }

    fileprivate func lines(_ matters: [Matter]) -> String {
        guard !matters.isEmpty else { return painted(Matter.none, .green) }
        let count = matters.count.counted("thing", "needs", "need") + " attention:"
        let lines = matters.map { matter in
            let sentence = ((matter.app.map { "\($0): " } ?? "") + matter.sentence).printable
            return "  " + (width.map { sentence.wrapped(to: $0 - 4, indent: "  ") } ?? sentence)
                + "\n      " + matter.command.description.printable
        }
        return ([painted(count, .red)] + lines).joined(separator: "\n")
    }

    private func wrapped(_ text: String, indent: String, hanging: String) -> String {
        guard let width, indent.count + text.count > width else { return text }
        return text.wrapped(to: width - indent.count, indent: hanging)
    }

    private func painted(_ text: String, _ colour: Colour) -> String { colours ? colour.paint(text) : text }

    /// - Parameter lines: the phrase's lines.
    private func painted(_ phrase: Phrase, _ lines: String) -> String {
        phrase.parts.reduce(lines) { lines, part in
            guard case .verdict(_, let tone) = part, let colour = Colour(tone) else { return lines }
            return lines.replacing(part.text, with: painted(part.text, colour), maxReplacements: 1)
        }
    }
}

extension Phrase {
    /// The plain text, without emphasis or anything that controls a terminal.
    package var text: String { parts.map(\.text).joined().printable }
}

extension Phrase.Part {
    /// Verdicts are uppercase, because plain text has no other emphasis.
    fileprivate var text: String {
        switch self {
        case .text(let text), .name(let text), .strong(let text), .current(let text), .soft(let text),
            .link(let text, _):
            text
        case .code(let text): "`\(text)`"
        case .verdict(let words, _): words.uppercased()
        case .day(let day): day.description
        }
    }
}

extension Colour {
    fileprivate init?(_ tone: Phrase.Tone) {
        switch tone {
        case .good: self = .green
        case .bad: self = .red
        case .doubtful: self = .yellow
        case .plain: return nil
        }
    }
}

extension Table {
    /// The table in the layout of printed reports.
    func text(on screen: Screen) -> String {
        guard !rows.isEmpty else { return whenEmpty.text }
        let (rows, left) = shown
        let columns = columns.indices.filter { !self.columns[$0].isDrawn }
        let table = ReportTable(
            columns: columns.map {
                .init(self.columns[$0].name, isNumber: self.columns[$0].isNumber, isTime: self.columns[$0].isTime)
            }, rows: rows.map { row in columns.map { row[$0].text } })
        let rest = left > 0 ? "and \(left.grouped) more\n" : ""
        let printer = TablePrinter(
            table, width: screen.width, colours: screen.colours, remedy: "a wider screen, or a pipe, shows all")
        return String((printer.text + rest).dropLast())
    }
}

extension Table.Cell {
    fileprivate var text: String? {
        switch self {
        case .words(let words): words?.text
        case .number(let number): number?.description
        case .share(let share): share?.asPercentage
        case .time(let time): time
        case .bar: nil
        case .interval(let share, let low, let high, _):
            share.map { "\($0.asPercentage) (\(low?.asPercentage ?? "-") to \(high?.asPercentage ?? "-"))" }
        }
    }
}
