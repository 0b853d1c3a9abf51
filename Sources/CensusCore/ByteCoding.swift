/// Writes values in few bytes: small numbers are short, and a repeated string is written only once.
package struct ByteWriter {
    package private(set) var bytes: [UInt8] = []
    private var spelled: [Text] = []
    /// The positions of strings past the first ``fewTexts``. The first ones are searched instead, because a phone's state has
    /// about ten strings, and hashing those takes longer than all the rest.
    private var positions: [Text: Int] = [:]
    private static let fewTexts = 24

    package init() {}

    package mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Writes bytes without their count, which the reader must know.
    package mutating func write(plain part: [UInt8]) { bytes.append(contentsOf: part) }

    /// Writes bytes preceded by their count.
    package mutating func write(_ part: [UInt8]) {
        write(UInt64(part.count))
        write(plain: part)
    }

    /// Writes a signed number, which takes few bytes if it is near zero.
    package mutating func write(_ number: Int64) { write(UInt64(bitPattern: (number << 1) ^ (number >> 63))) }

    mutating func write(_ text: String) {
        let text = Text(text)
        if let position = position(of: text) { return write(UInt64(position + 1)) }
        write(UInt64(0))
        write(UInt64(text.text.utf8.count))
        bytes.append(contentsOf: text.text.utf8)
        spelled.append(text)
        if spelled.count > ByteWriter.fewTexts { positions[text] = spelled.count - 1 }
    }

    private func position(of text: Text) -> Int? {
        spelled.prefix(ByteWriter.fewTexts).firstIndex(of: text) ?? positions[text]
    }
}

/// Reads what ``ByteWriter`` wrote.
package struct ByteReader {
    /// The bytes were not written by a ``ByteWriter``, or end too early.
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

    /// Reads this many bytes.
    package mutating func readPlain(_ count: Int) throws(Malformed) -> [UInt8] {
        guard count <= bytes.count - position else { throw Malformed() }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// Reads bytes preceded by their count.
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
