/// A string, or nil, that equals another only byte for byte. A type that holds it needs no `==` and no hash of its own.
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
    /// None sorts first.
    func precedesByBytes(_ other: Self) -> Bool
}

/// A string that equals another only byte for byte, so that two strings which differ for PostgreSQL differ here, too.
public struct Text: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
    @Bytewise public var text: String

    public init(_ text: String) { self.text = text }

    public init(stringLiteral value: String) { self.init(value) }

    public static func < (left: Text, right: Text) -> Bool { left.text.precedesByBytes(right.text) }
}

extension Set<Text>? {
    /// Makes it the set of some texts. Most are what they were, and few: to compare those takes less than to hash them.
    mutating func replace(with texts: [Text]) {
        if let self, self.count <= 8, texts.count <= 8, self.allSatisfy(texts.contains),
            texts.allSatisfy({ text in self.contains { $0 == text } })
        {
            return
        }
        self = Set(texts)
    }
}

/// Compares strings byte for byte, as PostgreSQL does. For Swift's own `==` two normal forms of é are one string, and which
/// of them is kept would depend on which arrived first.
extension String: ComparableByBytes {
    public func hasBytes(of other: String) -> Bool {
        // Before the spans, which take a call each.
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

    /// Whether it contains U+0000, which PostgreSQL cannot store in text.
    public var holdsNull: Bool { holdsByte { $0 == 0 } }

    /// Faster than the view's own `contains`, which fetches one byte at a time.
    @inline(__always) func holdsByte(where matches: (UInt8) -> Bool) -> Bool {
        let bytes = utf8.span
        for index in bytes.indices where matches(bytes[index]) { return true }
        return false
    }

    /// Hashes what ``hasBytes(of:)`` compares. Swift's own hash is that of the normal form: a thousand names with one normal form
    /// would turn a hash table into a list.
    public func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // Not a byte of UTF-8. It ends the text, so that two in a row can't be confused with two others.
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
