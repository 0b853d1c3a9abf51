/// Writes values one after another in few bytes: small numbers are short, and a string is spelled once.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []
    private var spelled: [String: UInt64] = [:]
    private var strings: [String] = []

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
        // By bytes: to a dictionary two normal forms of é are one key.
        if let position = spelled[text], strings[Int(position)].hasBytes(of: text) { return write(position + 1) }
        write(UInt64(0))
        write(Array(text.utf8))
        spelled[text] = UInt64(strings.count)
        strings.append(text)
    }
}
