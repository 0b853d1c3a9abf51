internal import CensusCore

// Text for terminals.

extension String {
    /// The text without control characters: what a client sent must not control the terminal.
    package var printable: String {
        String(
            showingInvisible.unicodeScalars.map {
                $0.properties.generalCategory == .control ? "\u{FFFD}" : Character($0)
            })
    }

    /// ``printable`` for each line.
    package var printableLines: String {
        unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
            .joined(separator: "\n")
    }

    /// Wraps words to lines of at most this many characters.
    package func wrapped(to length: Int, indent: String = "") -> String {
        split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init).wrapped(to: length, indent: indent)
    }

    /// The text with spaces to its right.
    package func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

extension [String] {
    /// Wraps lines, which break only between these words.
    package func wrapped(to length: Int, indent: String) -> String {
        var lines: [String] = []
        var line = ""
        for word in self {
            if line.isEmpty {
                line = (lines.isEmpty ? "" : indent) + word
            } else if line.count + 1 + word.count <= length {
                line += " " + word
            } else {
                lines.append(line)
                line = indent + word
            }
        }
        return (lines + (line.isEmpty ? [] : [line])).joined(separator: "\n")
    }
}
