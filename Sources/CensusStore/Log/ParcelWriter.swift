internal import CensusCore

/// Writes the parts of a parcel one after another: numbers seven bits a byte, the lowest first, and everything else behind
/// its length.
struct ParcelWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func write(_ part: [UInt8]) {
        write(UInt64(part.count))
        bytes.append(contentsOf: part)
    }

    mutating func write(_ texts: [String]) {
        write(UInt64(texts.count))
        for text in texts { write(Array(text.utf8)) }
    }

    /// 16 bytes, without a length.
    mutating func write(_ pseudonym: Pseudonym) { pseudonym.encode(into: &bytes) }
}

/// Reads what ``ParcelWriter`` wrote.
struct ParcelReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func format(of bytes: [UInt8]) throws(Parcel.Unreadable) -> UInt64 {
        var reader = ParcelReader(bytes)
        return try reader.readNumber()
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func readNumber() throws(Parcel.Unreadable) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            guard position < bytes.count else { throw .damaged }
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return number }
        }
        throw .damaged
    }

    /// Never more than there are bytes: nobody makes room for what is not there.
    mutating func readCount() throws(Parcel.Unreadable) -> Int {
        let number = try readNumber()
        guard number <= UInt64(bytes.count) else { throw .damaged }
        return Int(number)
    }

    mutating func readBytes() throws(Parcel.Unreadable) -> [UInt8] {
        let count = try readCount()
        guard count <= bytes.count - position else { throw .damaged }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    mutating func readTexts() throws(Parcel.Unreadable) -> [String] {
        var texts: [String] = []
        for _ in 0..<(try readCount()) { texts.append(String(decoding: try readBytes(), as: UTF8.self)) }
        return texts
    }

    mutating func readPseudonym() throws(Parcel.Unreadable) -> Pseudonym {
        guard bytes.count - position >= 16 else { throw .damaged }
        var words: (high: UInt64, low: UInt64) = (0, 0)
        for byte in bytes[position..<position + 8] { words.high = words.high << 8 | UInt64(byte) }
        for byte in bytes[position + 8..<position + 16] { words.low = words.low << 8 | UInt64(byte) }
        position += 16
        return Pseudonym(high: words.high, low: words.low)
    }
}
