/// Reads what ``ByteWriter`` wrote.
package struct ByteReader {
    /// The bytes are not what a writer wrote, or end too early.
    package struct Malformed: Error {
        package init() {}
    }

    private let bytes: [UInt8]
    private(set) var position = 0
    private var strings: [String] = []

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var isAtEnd: Bool { position == bytes.count }

    package mutating func readNumber() throws(Malformed) -> UInt64 {
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

    /// So many bytes that stand there as they are.
    package mutating func readPlain(_ count: Int) throws(Malformed) -> [UInt8] {
        guard count <= bytes.count - position else { throw Malformed() }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// Those that stand behind their number.
    package mutating func readBytes() throws(Malformed) -> [UInt8] {
        try readPlain(try readUnsigned())
    }

    package mutating func readUnsigned() throws(Malformed) -> Int {
        guard let number = Int(exactly: try readNumber()) else { throw Malformed() }
        return number
    }

    package mutating func readSigned() throws(Malformed) -> Int64 {
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
        let text = String(decoding: try readBytes(), as: UTF8.self)
        strings.append(text)
        return text
    }
}
