// Hexadecimal digits of either case, as browsers and this program write them.

extension UInt8 {
    /// What a digit in ASCII stands for; nil when it is none.
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
    /// Nil when it is not pairs of digits.
    init?(hexadecimal text: Substring) {
        var digits = text.utf8.makeIterator()
        self = []
        while let first = digits.next() {
            guard let high = first.hexadecimalValue, let low = digits.next()?.hexadecimalValue else { return nil }
            append(high << 4 | low)
        }
    }
}
