/// Writes values one after another in few bytes: small numbers are short, and a string is spelled once.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []
    private var spelled: [String: UInt64] = [:]
    private var strings: [String] = []

    mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Near zero is short, whatever the sign.
    mutating func write(_ number: Int64) { write(UInt64(bitPattern: (number << 1) ^ (number >> 63))) }

    mutating func write(_ text: String) {
        // By bytes: to a dictionary two normal forms of é are one key.
        if let position = spelled[text], strings[Int(position)].hasBytes(of: text) { return write(position + 1) }
        write(UInt64(0))
        write(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
        spelled[text] = UInt64(strings.count)
        strings.append(text)
    }
}
