/// A token of Swift source, as exact as finding widget configurations needs.
struct SwiftToken: Sendable {
    enum Content: Sendable {
        /// An identifier, a keyword or a number.
        case word(String)
        /// A string literal.
        case text([Segment])
        /// One character of punctuation.
        case sign(UInt8)
    }

    /// A part of a string literal.
    enum Segment: Sendable {
        case literal(String)
        case code([SwiftToken])
    }

    var content: Content
    /// Counted from 1.
    var line: Int

    var word: String? {
        guard case .word(let word) = content else { return nil }
        return word
    }

    func isSign(_ sign: Character) -> Bool {
        guard case .sign(let byte) = content else { return false }
        return byte == sign.asciiValue
    }

    var opens: Bool { isSign("(") || isSign("[") || isSign("{") }
    var closes: Bool { isSign(")") || isSign("]") || isSign("}") }
}

/// Splits Swift source into tokens. Comments and conditions of `#if` are left out, so that all branches are read.
struct SwiftTokenizer {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    /// How deep interpolations are nested.
    private var depth = 0
    private static let greatestDepth = 32

    static func tokens(of bytes: [UInt8]) -> [SwiftToken] {
        var tokenizer = SwiftTokenizer(bytes: bytes)
        return tokenizer.tokens()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func byte(_ offset: Int = 0) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private func follows(_ text: StaticString) -> Bool {
        (0..<text.utf8CodeUnitCount).allSatisfy { byte($0) == text.utf8Start[$0] }
    }

    /// To the end of the file, or of an interpolation, whose parenthesis it passes.
    private mutating func tokens() -> [SwiftToken] {
        var tokens: [SwiftToken] = []
        var parentheses = 0
        while let next = byte() {
            switch next {
            case UInt8(ascii: "\n"):
                line += 1
                position += 1
            case 0x00...0x20: position += 1
            case _ where follows("//"): skipLine()
            case _ where follows("/*"): skipComment()
            case UInt8(ascii: "#"):
                if let hashes = hashesBeforeQuote {
                    tokens.append(text(hashes))
                } else {
                    skipDirective()
                }
            case UInt8(ascii: "\""): tokens.append(text(0))
            case _ where SwiftTokenizer.isOfWord(next): tokens.append(word())
            default:
                if next == UInt8(ascii: "(") { parentheses += 1 }
                if next == UInt8(ascii: ")") {
                    parentheses -= 1
                    if parentheses < 0, depth > 0 {
                        position += 1
                        return tokens
                    }
                }
                tokens.append(SwiftToken(content: .sign(next), line: line))
                position += 1
            }
        }
        return tokens
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "`"), 0x80...:
            true
        default: false
        }
    }

    private mutating func word() -> SwiftToken {
        let start = position
        while let next = byte(), SwiftTokenizer.isOfWord(next) { position += 1 }
        let word = String(decoding: bytes[start..<position], as: UTF8.self).filter { $0 != "`" }
        return SwiftToken(content: .word(word), line: line)
    }

    private mutating func skipLine() {
        while let next = byte(), next != UInt8(ascii: "\n") { position += 1 }
    }

    private mutating func skipComment() {
        var open = 0
        repeat {
            if follows("/*") {
                open += 1
                position += 2
            } else if follows("*/") {
                open -= 1
                position += 2
            } else {
                if byte() == UInt8(ascii: "\n") { line += 1 }
                position += 1
            }
        } while open > 0 && position < bytes.count
    }

    private mutating func skipDirective() {
        let isCondition = follows("#if") || follows("#else") || follows("#endif")
        position += 1
        if isCondition { skipLine() }
    }

    /// The hashes of a raw string that begins here.
    private var hashesBeforeQuote: Int? {
        var count = 0
        while byte(count) == UInt8(ascii: "#") { count += 1 }
        return byte(count) == UInt8(ascii: "\"") ? count : nil
    }

    private func followsHashes(_ count: Int, after offset: Int) -> Bool {
        (0..<count).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
    }

    private mutating func text(_ hashes: Int) -> SwiftToken {
        let start = line
        position += hashes
        let isLong = follows("\"\"\"")
        position += isLong ? 3 : 1
        var segments: [SwiftToken.Segment] = []
        var literal: [UInt8] = []
        func quotesEnd() -> Bool {
            isLong
                ? follows("\"\"\"") && followsHashes(hashes, after: 3)
                : byte() == UInt8(ascii: "\"") && followsHashes(hashes, after: 1)
        }
        while let next = byte(), !quotesEnd() {
            if next == UInt8(ascii: "\n") {
                // Not a string after all, such as a quotation mark in a regular expression.
                if !isLong { break }
                line += 1
                literal.append(SwiftTokenizer.lineBreak)
                position += 1
                continue
            }
            guard next == UInt8(ascii: "\\"), followsHashes(hashes, after: 1) else {
                literal.append(next)
                position += 1
                continue
            }
            position += 1 + hashes
            if isLong, byte() == UInt8(ascii: "\n") {
                line += 1
                literal.append(SwiftTokenizer.joint)
                position += 1
            } else if byte() == UInt8(ascii: "("), depth < SwiftTokenizer.greatestDepth {
                position += 1
                segments.append(.literal(String(decoding: literal, as: UTF8.self)))
                literal = []
                depth += 1
                segments.append(.code(tokens()))
                depth -= 1
            } else {
                literal += escaped()
            }
        }
        if quotesEnd() { position += (isLong ? 3 : 1) + hashes }
        segments.append(.literal(String(decoding: literal, as: UTF8.self)))
        return SwiftToken(content: .text(isLong ? SwiftTokenizer.dedented(segments) : segments), line: start)
    }

    /// In a text of several lines: the end of a line, until the indentation is known.
    private static let lineBreak: UInt8 = 0
    /// The same, of a line that a backslash joins to the next one.
    private static let joint: UInt8 = 1

    /// A text of several lines without the indentation of its closing quotation marks, and without its first and last line break.
    private static func dedented(_ segments: [SwiftToken.Segment]) -> [SwiftToken.Segment] {
        guard case .literal(let last)? = segments.last else { return segments }
        let indentation = last.split(separator: "\u{0}", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        let isIndented = indentation.utf8.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return segments.indices.map { index in
            guard case .literal(var text) = segments[index] else { return segments[index] }
            text = text.replacing("\r\u{0}", with: "\u{0}")
            if isIndented {
                text = text.replacing("\u{0}" + indentation, with: "\u{0}")
                    .replacing("\u{1}" + indentation, with: "\u{1}")
            }
            if index == segments.startIndex, text.hasPrefix("\u{0}") { text.removeFirst() }
            if index == segments.endIndex - 1, text.hasSuffix("\u{0}") { text.removeLast() }
            return .literal(text.replacing("\u{0}", with: "\n").replacing("\u{1}", with: ""))
        }
    }

    /// What an escape stands for, from the character after the backslash.
    private mutating func escaped() -> [UInt8] {
        guard let next = byte() else { return [] }
        position += 1
        switch next {
        case UInt8(ascii: "n"): return [UInt8(ascii: "\n")]
        case UInt8(ascii: "t"): return [UInt8(ascii: "\t")]
        case UInt8(ascii: "r"): return [UInt8(ascii: "\r")]
        case UInt8(ascii: "u") where byte() == UInt8(ascii: "{"):
            let start = position + 1
            while let digit = byte(), digit != UInt8(ascii: "}"), digit != UInt8(ascii: "\n") { position += 1 }
            let digits = String(decoding: bytes[min(start, position)..<position], as: UTF8.self)
            if byte() == UInt8(ascii: "}") { position += 1 }
            return UInt32(digits, radix: 16).flatMap { Unicode.Scalar($0) }.map { Array(String($0).utf8) } ?? []
        default: return [next]
        }
    }
}
