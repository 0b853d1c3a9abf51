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

    /// As a shell takes it for one word.
    package var asShellWord: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "._-/:".utf8.contains(byte)
            }
        return isPlain ? self : quoted(by: "'", escape: "'\\''")
    }

    /// As a literal of SQL. What a page would not show, such as a line feed or a mark that turns the direction of what follows,
    /// is written by its number.
    package var asSQLLiteral: String {
        func isHidden(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
        guard unicodeScalars.contains(where: isHidden) else { return quoted(by: "'", escape: "''") }
        var text = ""
        for scalar in unicodeScalars {
            if isHidden(scalar) {
                let number = String(scalar.value, radix: 16)
                text += "\\+" + String(repeating: "0", count: 6 - number.count) + number
            } else if scalar == "\\" {
                text += "\\\\"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return "U&" + text.quoted(by: "'", escape: "''")
    }

    /// As a text of CSV (RFC 4180), between quotation marks; one that a spreadsheet would run as a formula begins with an apostrophe.
    package var asCSVText: String {
        let isFormula = unicodeScalars.first.map { "=+-@\t\r\n".unicodeScalars.contains($0) } ?? false
        return (isFormula ? "'" + self : self).quoted(by: "\"", escape: "\"\"")
    }

    /// With each mark that turns the direction of the text after it written by its number, such as `\u202e`.
    package var showingDirectionMarks: String {
        func turns(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x61C && scalar.properties.isBidiControl }
        guard unicodeScalars.contains(where: turns) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if turns(scalar) {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
