/// A string, or none, that equals another only byte for byte: whoever holds it needs no `==` and no hash of its own.
@propertyWrapper public struct Bytewise<Value: ComparableByBytes>: Hashable, Sendable {
    public var wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    public static func == (left: Bytewise, right: Bytewise) -> Bool {
        left.wrappedValue.hasBytes(of: right.wrappedValue)
    }

    public func hash(into hasher: inout Hasher) { wrappedValue.hashBytes(into: &hasher) }
}

/// What ``Bytewise`` can hold: `String` and `String?`.
public protocol ComparableByBytes: Sendable {
    func hasBytes(of other: Self) -> Bool
    func hashBytes(into hasher: inout Hasher)
    /// None comes first.
    func precedesByBytes(_ other: Self) -> Bool
}
