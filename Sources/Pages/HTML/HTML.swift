internal import CensusCore

/// Markup that is safe to send. Literals are trusted, and every interpolated text is escaped.
///
/// Literals are `StaticString`s, so a run-time text can't be taken for one. A literal in an interpolation is markup, too:
/// `\(isLong ? "<p>more</p>" : "")` is never text. Markup can't become part of a text, because that is a warning, which fails
/// the build. Texts are escaped byte by byte: a quotation mark and the accent after it are one `Character`, which is not equal
/// to a quotation mark but ends an attribute all the same. Marks that change the direction of the text after them are made
/// visible, because a name must not reorder the text beside it.
package struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation, CustomStringConvertible {
    package private(set) var description: String

    package static let empty: HTML = ""

    package init(stringLiteral literal: StaticString) { description = literal.description }

    package init(stringInterpolation interpolation: StringInterpolation) { description = interpolation.text }

    private init(trusted text: String) { description = text }

    package static func + (left: HTML, right: HTML) -> HTML { HTML(trusted: left.description + right.description) }

    package static func += (left: inout HTML, right: HTML) { left.description += right.description }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(2 * literalCapacity) }

        package mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        package mutating func appendInterpolation(_ html: HTML) { text += html.description }

        package mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { text += part.description } }

        package mutating func appendInterpolation(_ number: Int) { text += String(number) }

        /// Disfavoured, so that a literal, which could be either, is markup.
        @_disfavoredOverload
        package mutating func appendInterpolation(_ string: String) {
            var escaped: [UInt8] = []
            escaped.reserveCapacity(string.utf8.count + 16)
            for byte in string.showingInvisible.utf8 {
                switch byte {
                case UInt8(ascii: "&"): escaped += "&amp;".utf8
                case UInt8(ascii: "<"): escaped += "&lt;".utf8
                case UInt8(ascii: ">"): escaped += "&gt;".utf8
                case UInt8(ascii: "\""): escaped += "&quot;".utf8
                case UInt8(ascii: "'"): escaped += "&#39;".utf8
                // HTML forbids control characters, and parsers change them.
                case 0x00...0x08, 0x0B...0x1F, 0x7F: escaped += "\u{FFFD}".utf8
                default: escaped.append(byte)
                }
            }
            text += String(decoding: escaped, as: UTF8.self)
        }
    }
}

extension Sequence {
    /// Joins the markup of all elements.
    package func html(_ markup: (Element) -> HTML) -> HTML { reduce(into: HTML.empty) { $0 += markup($1) } }
}

extension DefaultStringInterpolation {
    @available(*, deprecated, message: "markup in a text would be shown as text: make the whole an HTML")
    package mutating func appendInterpolation(_ html: HTML) { appendInterpolation(html.description) }
}
