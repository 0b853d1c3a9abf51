/// A string that equals another only byte for byte: what PostgreSQL tells apart counts as two.
public struct Text: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    @Bytewise public var text: String

    public init(_ text: String) { self.text = text }

    public init(stringLiteral value: String) { self.init(value) }

    public static func < (left: Text, right: Text) -> Bool { left.text.precedesByBytes(right.text) }
}
