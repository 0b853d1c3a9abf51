// Quotes strings from phones, so that other languages read each as one value.
//
// All of it works by scalars: a quotation mark followed by a combining accent is one `Character` that doesn't equal the
// quotation mark, and so is a carriage return followed by a line feed.

extension String {
    /// Puts it between quotation marks, and replaces each one in it by `escape`.
    package func quoted(by mark: Unicode.Scalar, escape: String) -> String {
        String(mark) + replacing { $0 == mark ? escape : nil } + String(mark)
    }

    /// Whether it has scalars that are not visible on a page.
    var hasHidden: Bool { unicodeScalars.contains(where: \.isHidden) }

    /// The SQL literal. Scalars that are not visible on a page, such as line feeds and bidirectional marks, are escaped.
    package var asSQLLiteral: String {
        guard hasHidden else { return quoted(by: "'", escape: "''") }
        return "U&" + escapingHidden { "\\+" + $0.hexadecimal(digits: 6) }.quoted(by: "'", escape: "''")
    }

    /// Doubles backslashes, and escapes scalars that are not visible on a page.
    func escapingHidden(_ escape: (Unicode.Scalar) -> String) -> String {
        replacing { $0.isHidden ? escape($0) : $0 == "\\" ? "\\\\" : nil }
    }

    /// - Parameter replacement: returns nil for a scalar that stays.
    private func replacing(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var text = ""
        for scalar in unicodeScalars {
            if let other = replacement(scalar) { text += other } else { text.unicodeScalars.append(scalar) }
        }
        return text
    }

    /// The quoted CSV field (RFC 4180). If a spreadsheet would run it as a formula, also one with a full-width sign, it gets an
    /// apostrophe in front.
    package var asCSVText: String {
        let signs = "=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars
        let isFormula = unicodeScalars.first.map(signs.contains) ?? false
        return (isFormula ? "'" + self : self).quoted(by: "\"", escape: "\"\"")
    }

    /// Escapes scalars that are invisible or change the direction of text, such as `\u202e`, so that different names look
    /// different.
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
    /// Whether it is invisible on a page, or looks like a space. This includes fillers (U+3164), and joiners and selectors,
    /// which at most change how their neighbours look.
    var isHidden: Bool {
        guard value > 0x7E else { return value < 0x20 }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: return true
        // U+2800 is the Braille pattern without dots.
        default: return properties.isDefaultIgnorableCodePoint || value == 0x2800
        }
    }

    /// Whether it is hidden and not a control character.
    fileprivate var isInvisible: Bool { value > 0x9F && isHidden }

    /// Its code point, padded with zeros.
    func hexadecimal(digits: Int) -> String {
        let number = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - number.count)) + number
    }
}
