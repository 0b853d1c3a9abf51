/// A string that equals another only byte for byte: what PostgreSQL tells apart counts as two.
package struct Text: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    package var text: String

    package init(_ text: String) { self.text = text }

    package init(stringLiteral value: String) { self.init(value) }

    package static func == (left: Text, right: Text) -> Bool { left.text.hasBytes(of: right.text) }

    package static func < (left: Text, right: Text) -> Bool { left.text.precedesByBytes(right.text) }

    package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
