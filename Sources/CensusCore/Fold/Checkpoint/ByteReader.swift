/// Reads what ``ByteWriter`` wrote.
struct ByteReader {
    /// The bytes are no checkpoint, or end too early.
    struct Malformed: Error {}

    private let bytes: [UInt8]
    private(set) var position = 0
    private var strings: [String] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func readNumber() throws(Malformed) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0, through: 63, by: 7) {
            guard position < bytes.count else { throw Malformed() }
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte & 0x80 == 0 { return number }
        }
        throw Malformed()
    }

    mutating func readSigned() throws(Malformed) -> Int64 {
        let folded = try readNumber()
        return Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1)
    }

    mutating func readCount() throws(Malformed) -> Int {
        guard let count = Int(exactly: try readSigned()), count >= 0 else { throw Malformed() }
        return count
    }

    mutating func readText() throws(Malformed) -> String {
        let reference = try readNumber()
        guard reference == 0 else {
            guard reference <= UInt64(strings.count) else { throw Malformed() }
            return strings[Int(reference) - 1]
        }
        let length = try readNumber()
        guard length <= UInt64(bytes.count - position) else { throw Malformed() }
        let end = position + Int(length)
        let text = String(decoding: bytes[position..<end], as: UTF8.self)
        position = end
        strings.append(text)
        return text
    }
}
