package import CensusCore

/// Words on a page, with emphasis.
///
/// A run-time text is a part like any other. Renderers never take it for markup, and a phrase contains no markup that they
/// could take for text.
package struct Phrase: Sendable, Hashable, ExpressibleByStringInterpolation {
    enum Part: Sendable, Hashable {
        case text(String)
        /// A name that can break after its dots.
        case name(String)
        /// Something to type, or a name from the API.
        case code(String)
        case strong(String)
        /// The view that is shown, among links to others.
        case current(String)
        /// A page's answer.
        case verdict(String, Tone)
        case soft(String)
        case day(Day)
        case link(String, Link)
    }

    package enum Tone: Sendable, Hashable {
        case good, bad, doubtful, plain
    }

    var parts: [Part]

    package init(_ text: String) { parts = [.text(text)] }
    /// A sentence in which text between backticks is code. An unpaired backtick stays a backtick.
    package init(withCode text: String) {
        let pieces = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
        guard pieces.count % 2 == 1 else {
            parts = [.text(text)]
            return
        }
        parts = pieces.enumerated().compactMap { place, piece in
            piece.isEmpty ? nil : place % 2 == 1 ? .code(piece) : .text(piece)
        }
    }

    package init(stringLiteral text: String) { self.init(text) }
    package init(stringInterpolation interpolation: StringInterpolation) { parts = interpolation.parts }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.text(literal)) }
        }

        package mutating func appendInterpolation(_ text: String) { parts.append(.text(text)) }
        package mutating func appendInterpolation(_ phrase: Phrase?) { parts += phrase?.parts ?? [] }
        package mutating func appendInterpolation(_ count: Int) { parts.append(.text(count.grouped)) }
        /// With its noun: 2 devices.
        package mutating func appendInterpolation(_ count: Int, _ noun: String) {
            parts.append(.text(count.counted(noun)))
        }
        package mutating func appendInterpolation(share: Double) { parts.append(.text(share.asPercentage)) }
        package mutating func appendInterpolation(_ day: Day) { parts.append(.day(day)) }
        package mutating func appendInterpolation(name: String) { parts.append(.name(name)) }
        package mutating func appendInterpolation(code: some CustomStringConvertible) {
            parts.append(.code(code.description))
        }
        package mutating func appendInterpolation(strong text: String) { parts.append(.strong(text)) }
        package mutating func appendInterpolation(current text: String) { parts.append(.current(text)) }
        package mutating func appendInterpolation(soft text: String) { parts.append(.soft(text)) }
        package mutating func appendInterpolation(verdict words: String, _ tone: Tone) {
            parts.append(.verdict(words, tone))
        }
        package mutating func appendInterpolation(_ words: String, to link: Link) { parts.append(.link(words, link)) }
    }
}
