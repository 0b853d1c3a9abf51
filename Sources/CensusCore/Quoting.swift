// Texts that come from phones, as other languages take them for one value.
//
// All of it goes by scalars: a quotation mark and the accent that follows it are one `Character`, which is no quotation mark,
// and so are a carriage return and the line feed after it.

extension String {
    /// Between quotation marks, with `escape` for each one within.
    package func quoted(by mark: Unicode.Scalar, escape: String) -> String {
        var text = String(mark)
        for scalar in unicodeScalars {
            if scalar == mark { text += escape } else { text.unicodeScalars.append(scalar) }
        }
        return text + String(mark)
    }

    /// As a shell takes it for one word. What a page would not show is written by its number, as bash and zsh read it.
    package var asShellWord: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "._-/:".utf8.contains(byte)
            }
        if isPlain { return self }
        guard unicodeScalars.contains(where: \.isHidden) else { return quoted(by: "'", escape: "'\\''") }
        return "$" + escapingHidden { "\\U" + $0.hexadecimal(digits: 8) }.quoted(by: "'", escape: "\\'")
    }

    /// As a literal of SQL. What a page would not show, such as a line feed or a mark that turns the direction of what follows,
    /// is written by its number.
    package var asSQLLiteral: String {
        guard unicodeScalars.contains(where: \.isHidden) else { return quoted(by: "'", escape: "''") }
        return "U&" + escapingHidden { "\\+" + $0.hexadecimal(digits: 6) }.quoted(by: "'", escape: "''")
    }

    /// With each backslash twice, and each scalar that a page would not show by its number.
    private func escapingHidden(_ escape: (Unicode.Scalar) -> String) -> String {
        var text = ""
        for scalar in unicodeScalars {
            if scalar.isHidden {
                text += escape(scalar)
            } else if scalar == "\\" {
                text += "\\\\"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// As a text of CSV (RFC 4180), between quotation marks; one that a spreadsheet would run as a formula begins with an apostrophe.
    package var asCSVText: String {
        let isFormula = unicodeScalars.first.map { "=+-@\t\r\n".unicodeScalars.contains($0) } ?? false
        return (isFormula ? "'" + self : self).quoted(by: "\"", escape: "\"\"")
    }

    /// With each mark that turns the direction of the text after it written by its number, such as `\u202e`.
    package var showingDirectionMarks: String {
        guard unicodeScalars.contains(where: \.turnsDirection) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.turnsDirection {
                text += "\\u" + scalar.hexadecimal(digits: 4)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether a page shows nothing of it.
    fileprivate var isHidden: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    fileprivate var turnsDirection: Bool { value >= 0x61C && properties.isBidiControl }

    /// Its number, with zeros before it.
    fileprivate func hexadecimal(digits: Int) -> String {
        let number = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - number.count)) + number
    }
}
