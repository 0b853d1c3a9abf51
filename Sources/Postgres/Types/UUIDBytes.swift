/// A UUID as two words, `uuid` on the server. Ordered byte by byte, as in PostgreSQL.
public struct UUIDBytes: Hashable, Sendable {
    /// The first eight bytes, most significant first.
    public var high: UInt64
    public var low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Returns: nil unless there are exactly 16 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.init(
            high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
            low: bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Reads only the canonical form: 8-4-4-4-12 hexadecimal digits of either case.
    public init?(_ text: some StringProtocol) {
        let characters = Array(text.utf8)
        guard characters.count == 36 else { return nil }
        var words: [UInt64] = [0, 0]
        var digits = 0
        for (index, character) in characters.enumerated() {
            if [8, 13, 18, 23].contains(index) {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Character(UnicodeScalar(character)).hexDigitValue else { return nil }
            words[digits / 16] = words[digits / 16] << 4 | UInt64(digit)
            digits += 1
        }
        self.init(high: words[0], low: words[1])
    }

    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        encode(into: &bytes)
        return bytes
    }
}

extension UUIDBytes: PostgresCodable {
    public static var postgresType: PostgresType { .uuid }

    @inlinable public func encode(into buffer: inout [UInt8]) {
        high.appendBigEndian(to: &buffer)
        low.appendBigEndian(to: &buffer)
    }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        guard bytes.count == 16 else { throw .wrongLength(bytes.count) }
        self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}

extension UUIDBytes: Comparable {
    public static func < (left: UUIDBytes, right: UUIDBytes) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension UUIDBytes: CustomStringConvertible {
    /// 8-4-4-4-12 lower-case hexadecimal digits.
    public var description: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for (index, byte) in bytes.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    buffer[position] = UInt8(ascii: "-")
                    position += 1
                }
                buffer[position] = digits[Int(byte >> 4)]
                buffer[position + 1] = digits[Int(byte & 15)]
                position += 2
            }
            return position
        }
    }
}
