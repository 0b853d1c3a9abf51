/// A command for a person to paste into a shell. Each interpolated value is quoted, so that a name with spaces stays one word.
///
///     "see `\(ShellCommand("widget-census losses show \(kind) --app \(app)"))`"
///
/// The test `Printed commands` checks in the sources that all printed commands with values are made with it.
package struct ShellCommand: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringInterpolation {
    private var text: String
    /// Arguments that begin with a dash. They are put last, after `--`, so that programs don't take them for options.
    private var dashed: [String] = []

    package init(_ command: ShellCommand) { self = command }
    package init(stringLiteral text: String) { self.text = text }
    package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.command }

    package var description: String { dashed.isEmpty ? text : ([text, "--"] + dashed).joined(separator: " ") }

    package static func + (left: ShellCommand, right: ShellCommand) -> ShellCommand {
        var sum = left
        sum.text += sum.text.hasSuffix(" ") && right.text.hasPrefix(" ") ? String(right.text.dropFirst()) : right.text
        sum.dashed += right.dashed
        return sum
    }

    private mutating func append(word: String) {
        let isArgument = text.isEmpty || text.hasSuffix(" ")
        let before = text.split(separator: " ").last ?? ""
        if !word.hasPrefix("-") || !isArgument || before.hasPrefix("-") && !before.hasPrefix("--") {
            text += word.asShellWord
        } else if before.hasPrefix("--") {
            text = text.dropLast() + "=" + word.asShellWord
        } else {
            text = String(text.dropLast())
            dashed.append(word.asShellWord)
        }
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var command: ShellCommand = ""

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { command.text += literal }
        package mutating func appendInterpolation(_ word: some CustomStringConvertible) {
            command.append(word: word.description)
        }
        /// Appends a part of a command, whose words are quoted already.
        package mutating func appendInterpolation(_ part: ShellCommand) { command = command + part }
    }
}

extension String {
    /// One word for a POSIX shell. Scalars that are not visible on a page are escaped.
    fileprivate var asShellWord: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "._-/:%".utf8.contains(byte)
            }
        if isPlain { return self }
        guard hasHidden else { return quoted(by: "'", escape: "'\\''") }
        // Only bash and zsh have this form, but the other one loses line feeds at the end.
        if unicodeScalars.last == "\n" {
            return "$" + escapingHidden { "\\U" + $0.hexadecimal(digits: 8) }.quoted(by: "'", escape: "\\'")
        }
        let escaped = unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "'": "'\\''"
            // Bash replaces it between double quotation marks.
            case "!": "\\0041"
            case _ where scalar.isHidden: String(scalar).utf8.map(\.asOctalEscape).joined()
            default: String(scalar)
            }
        }
        return "\"$(printf %b '\(escaped.joined())')\""
    }
}

extension UInt8 {
    /// For `printf %b`.
    fileprivate var asOctalEscape: String {
        let digits = String(self, radix: 8)
        return "\\0" + String(repeating: "0", count: 3 - digits.count) + digits
    }
}
