/// A string that equals another only byte for byte: what PostgreSQL tells apart counts as two.
public struct Text: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    public var text: String

    public init(_ text: String) { self.text = text }

    public init(stringLiteral value: String) { self.init(value) }

    public static func == (left: Text, right: Text) -> Bool { left.text.hasBytes(of: right.text) }

    public static func < (left: Text, right: Text) -> Bool { left.text.precedesByBytes(right.text) }

    public func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
