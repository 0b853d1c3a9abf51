// Texts from phones, quoted so that other languages read them as one value.
//
// All of it goes by scalars: a quotation mark and the accent that follows it are one `Character`, which is no quotation mark,
// and so are a carriage return and the line feed after it.

extension String {
    /// Between quotation marks, with `escape` for each one within.
    package func quoted(by mark: Unicode.Scalar, escape: String) -> String {
        String(mark) + replacing { $0 == mark ? escape : nil } + String(mark)
    }

    /// Whether a page would not show all of it.
    var hasHidden: Bool { unicodeScalars.contains(where: \.isHidden) }

    /// As a literal of SQL. What a page would not show, such as a line feed or a mark that turns the direction of what follows,
    /// is written by its number.
    package var asSQLLiteral: String {
        guard hasHidden else { return quoted(by: "'", escape: "''") }
        return "U&" + escapingHidden { "\\+" + $0.hexadecimal(digits: 6) }.quoted(by: "'", escape: "''")
    }

    /// With each backslash twice, and each scalar that a page would not show by its number.
    func escapingHidden(_ escape: (Unicode.Scalar) -> String) -> String {
        replacing { $0.isHidden ? escape($0) : $0 == "\\" ? "\\\\" : nil }
    }

    /// - Parameter replacement: nil where the scalar stays.
    private func replacing(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var text = ""
        for scalar in unicodeScalars {
            if let other = replacement(scalar) { text += other } else { text.unicodeScalars.append(scalar) }
        }
        return text
    }

    /// As a text of CSV (RFC 4180), between quotation marks; one that a spreadsheet would run as a formula, also by a
    /// full-width sign, begins with an apostrophe.
    package var asCSVText: String {
        let signs = "=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars
        let isFormula = unicodeScalars.first.map(signs.contains) ?? false
        return (isFormula ? "'" + self : self).quoted(by: "\"", escape: "\"\"")
    }

    /// With each scalar that shows nothing, or turns the direction of the text after it, written by its number, such as
    /// `\u202e`: names that differ look different.
    package var showingInvisible: String {
        guard unicodeScalars.contains(where: \.isInvisible) else { return self }
        return replacing { scalar in
            guard scalar.isInvisible else { return nil }
            return scalar.value > 0xFFFF
                ? "\\U" + scalar.hexadecimal(digits: 8) : "\\u" + scalar.hexadecimal(digits: 4)
        }
    }
}

extension Unicode.Scalar {
    /// Whether a page shows nothing of it, or what it shows of a space: that includes fillers (U+3164), joiners and selectors, which
    /// change how their neighbours look at most.
    fileprivate var isHidden: Bool {
        guard value > 0x7E else { return value < 0x20 }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: return true
        // U+2800 is a pattern of Braille without a dot.
        default: return properties.isDefaultIgnorableCodePoint || value == 0x2800
        }
    }

    /// What is hidden, without control characters.
    fileprivate var isInvisible: Bool { value > 0x9F && isHidden }

    /// Its number, padded with zeros.
    func hexadecimal(digits: Int) -> String {
        let number = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - number.count)) + number
    }
}
