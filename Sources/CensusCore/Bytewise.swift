/// A string, or nil, that is compared byte by byte. A type with such properties can use the synthesized `==` and hash.
@propertyWrapper public struct Bytewise<Value: ComparableByBytes>: Hashable, Sendable {
    public var wrappedValue: Value

    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    public static func == (left: Bytewise, right: Bytewise) -> Bool {
        left.wrappedValue.hasBytes(of: right.wrappedValue)
    }

    public func hash(into hasher: inout Hasher) { wrappedValue.hashBytes(into: &hasher) }
}

/// The types that ``Bytewise`` can wrap: `String` and `String?`.
public protocol ComparableByBytes: Sendable {
    func hasBytes(of other: Self) -> Bool
    func hashBytes(into hasher: inout Hasher)
    /// Whether it sorts before the other. Nil sorts first.
    func precedesByBytes(_ other: Self) -> Bool
}

/// A string that is compared byte by byte, so that strings that differ in PostgreSQL differ here, too.
public struct Text: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    @Bytewise public var text: String

    public init(_ text: String) { self.text = text }

    public init(stringLiteral value: String) { self.init(value) }

    public static func < (left: Text, right: Text) -> Bool { left.text.precedesByBytes(right.text) }
}

extension Set<Text>? {
    /// Makes it the set of these texts. Usually they are few and unchanged, and comparing those is faster than hashing them.
    mutating func replace(with texts: [Text]) {
        if let self, self.count <= 8, texts.count <= 8, self.allSatisfy(texts.contains),
            texts.allSatisfy({ text in self.contains { $0 == text } })
        {
            return
        }
        self = Set(texts)
    }
}

/// Compares strings byte by byte, as PostgreSQL does. For Swift's `==`, two normal forms of é are equal, and which one is kept
/// would depend on which arrived first.
extension String: ComparableByBytes {
    public func hasBytes(of other: String) -> Bool {
        // Before the spans, which each take a call.
        guard utf8.count == other.utf8.count else { return false }
        let (mine, theirs) = (utf8.span, other.utf8.span)
        for index in mine.indices where mine[index] != theirs[index] { return false }
        return true
    }

    public func precedesByBytes(_ other: String) -> Bool {
        let (mine, theirs) = (utf8.span, other.utf8.span)
        for index in 0..<Swift.min(mine.count, theirs.count) where mine[index] != theirs[index] {
            return mine[index] < theirs[index]
        }
        return mine.count < theirs.count
    }

    /// Whether it contains U+0000, which PostgreSQL can't store in text.
    public var holdsNull: Bool { holdsByte { $0 == 0 } }

    /// Faster than the UTF-8 view's `contains`, which fetches one byte at a time.
    @inline(__always) func holdsByte(where matches: (UInt8) -> Bool) -> Bool {
        let bytes = utf8.span
        for index in bytes.indices where matches(bytes[index]) { return true }
        return false
    }

    /// Hashes the bytes that ``hasBytes(of:)`` compares. Swift's hash uses the normal form, so a thousand names with one normal
    /// form would turn a hash table into a list.
    public func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // A terminator that is never a byte of UTF-8, so that "ab" + "c" and "a" + "bc" hash differently.
        hasher.combine(0xFF as UInt8)
    }
}

extension String?: ComparableByBytes {
    public func hasBytes(of other: String?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let mine?, let other?): mine.hasBytes(of: other)
        default: false
        }
    }

    public func hashBytes(into hasher: inout Hasher) {
        hasher.combine(self == nil)
        self?.hashBytes(into: &hasher)
    }

    public func precedesByBytes(_ other: String?) -> Bool {
        guard let self, let other else { return self == nil && other != nil }
        return self.precedesByBytes(other)
    }
}
