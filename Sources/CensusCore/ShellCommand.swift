/// A command as a person pastes it into a shell: each value within it is quoted, so that a name with spaces stays one word.
///
///     "see `\(ShellCommand("widget-census losses show \(kind) --app \(app)"))`"
///
/// No command with a value in it is put together otherwise: the test `Printed commands` reads the sources.
package struct ShellCommand: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringInterpolation {
    package private(set) var description: String

    package init(_ command: ShellCommand) { self = command }
    package init(stringLiteral text: String) { description = text }
    package init(stringInterpolation: StringInterpolation) { description = stringInterpolation.text }

    package static func + (left: ShellCommand, right: ShellCommand) -> ShellCommand {
        var sum = left
        sum.description += right.description
        return sum
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { text += literal }
        package mutating func appendInterpolation(_ word: some CustomStringConvertible) {
            text += word.description.asShellWord
        }
        /// Part of a command, whose words are quoted already.
        package mutating func appendInterpolation(_ part: ShellCommand) { text += part.description }
    }
}

extension String {
    /// As a shell reads it as one word. What a page would not show is written by its number, as bash and zsh understand it.
    fileprivate var asShellWord: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "._-/:".utf8.contains(byte)
            }
        if isPlain { return self }
        guard hasHidden else { return quoted(by: "'", escape: "'\\''") }
        return "$" + escapingHidden { "\\U" + $0.hexadecimal(digits: 8) }.quoted(by: "'", escape: "\\'")
    }
}
