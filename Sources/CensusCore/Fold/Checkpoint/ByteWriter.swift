/// Writes values one after another in few bytes: small numbers are short, and a string is spelled once.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []
    private var spelled: [Text: UInt64] = [:]

    package init() {}

    package mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// As they are: whoever reads them knows how many they are.
    package mutating func write(plain part: [UInt8]) { bytes.append(contentsOf: part) }

    /// Behind their number.
    package mutating func write(_ part: [UInt8]) {
        write(UInt64(part.count))
        write(plain: part)
    }

    /// Near zero is short, whatever the sign.
    package mutating func write(_ number: Int64) { write(UInt64(bitPattern: (number << 1) ^ (number >> 63))) }

    mutating func write(_ text: String) {
        if let position = spelled[Text(text)] { return write(position + 1) }
        write(UInt64(0))
        write(Array(text.utf8))
        spelled[Text(text)] = UInt64(spelled.count)
    }
}
