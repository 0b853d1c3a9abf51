/// Strings compared byte for byte, as PostgreSQL does; to Swift's own `==` two normal forms of é are one string, and which
/// of them is kept would depend on which came first.
extension String {
    func hasBytes(of other: String) -> Bool { self == other && utf8.elementsEqual(other.utf8) }

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
