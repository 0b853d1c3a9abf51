// Reads hexadecimal digits in upper and lower case.

extension UInt8 {
    /// The value of an ASCII digit; nil for any other byte.
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

extension [UInt8] {
    /// Nil unless it is pairs of digits.
    init?(hexadecimal text: Substring) {
        var digits = text.utf8.makeIterator()
        self = []
        while let first = digits.next() {
            guard let high = first.hexadecimalValue, let low = digits.next()?.hexadecimalValue else { return nil }
            append(high << 4 | low)
        }
    }
}
