/// Strings compared byte for byte, as PostgreSQL does; to Swift's own `==` two normal forms of é are one string, and which
/// of them is kept would depend on which came first.
extension String {
    func hasBytes(of other: String) -> Bool {
        guard self == other else { return false }
        let (mine, theirs) = (utf8.span, other.utf8.span)
        guard mine.count == theirs.count else { return false }
        for index in mine.indices where mine[index] != theirs[index] { return false }
        return true
    }

    func precedesByBytes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension String? {
    func hasBytes(of other: String?) -> Bool {
        switch (self, other) {
        case (nil, nil): true
        case (let mine?, let other?): mine.hasBytes(of: other)
        default: false
        }
    }
}
