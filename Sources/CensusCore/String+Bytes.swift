/// Strings compared byte for byte, as PostgreSQL does; to Swift's own `==` two normal forms of é are one string, and which
/// of them is kept would depend on which came first.
extension String: ComparableByBytes {
    public func hasBytes(of other: String) -> Bool {
        let (mine, theirs) = (utf8.span, other.utf8.span)
        guard mine.count == theirs.count else { return false }
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

    /// Whether U+0000 is in it, which PostgreSQL stores in no text.
    public var holdsNull: Bool { holdsByte { $0 == 0 } }

    /// Quicker than the view's own `contains`, which asks for one byte after the other.
    @inline(__always) func holdsByte(where isSuch: (UInt8) -> Bool) -> Bool {
        let bytes = utf8.span
        for index in bytes.indices where isSuch(bytes[index]) { return true }
        return false
    }

    /// Hashes what ``hasBytes(of:)`` compares. Swift's own hash is that of the normal form: whoever sends a thousand names
    /// that have one in common would turn a table of them into a list.
    public func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No byte of UTF-8: it ends the text, so that two in a row are told from others.
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
