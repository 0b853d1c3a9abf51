/// The header of a stored state: how to read its bytes, and which fold it is from.
///
/// It has sixteen bytes, with numbers in network order: `WCDS`, format (2), rules (2), length of what follows (4), and the
/// CRC-32C of everything else (4). After it come the length of the settings, the settings and the state.
///
/// Bytes that begin with the number 2 instead of the magic are in format 2, which had no header like this: see ``Format2``.
struct StateHeader: Hashable, Sendable {
    static let magic = Array("WCDS".utf8)
    private static let length = 16

    /// How to read the bytes.
    var format: UInt16
    /// How the state was folded. A program continues from a newest checkpoint only if it folds by the same rules.
    var rules: UInt16
    var settings: FoldSettings
    /// The rules under which earlier parts of the state were folded.
    var olderRules: [Int] = []

    /// - Returns: the header and the state.
    func bytes(before state: [UInt8]) -> [UInt8] {
        var inner = ByteWriter()
        settings.write(to: &inner)
        olderRules.write(to: &inner)
        var payload = ByteWriter()
        payload.write(inner.bytes)
        payload.write(plain: state)
        var head = StateHeader.magic
        head += StateHeader.bigEndian(format)
        head += StateHeader.bigEndian(rules)
        head += StateHeader.bigEndian(UInt32(payload.bytes.count))
        return head + StateHeader.bigEndian(CRC32C.checksum(head[...], payload.bytes[...])) + payload.bytes
    }

    /// - Returns: the header and what follows it.
    static func read(_ bytes: [UInt8]) throws(UnreadableState) -> (header: StateHeader, state: ArraySlice<UInt8>) {
        guard bytes.starts(with: magic) else { return try Format2.header(bytes) }
        guard bytes.count >= length else { throw .damaged }
        let format = number(UInt16.self, in: bytes, at: 4)
        // Checked before the checksum, which a newer program might put elsewhere.
        guard format <= DeviceFold.format else { throw .newerFormat(Int(format)) }
        let (head, payload) = (bytes[..<12], bytes[length...])
        guard number(UInt32.self, in: bytes, at: 8) == UInt32(payload.count),
            number(UInt32.self, in: bytes, at: 12) == CRC32C.checksum(head, payload)
        else { throw .damaged }
        do throws(ByteReader.Malformed) {
            var reader = ByteReader(Array(payload))
            var inner = ByteReader(try reader.readBytes())
            let header = StateHeader(
                format: format, rules: number(UInt16.self, in: bytes, at: 6),
                settings: try FoldSettings(from: &inner), olderRules: try [Int](from: &inner))
            return (header, payload[(length + reader.position)...])
        } catch {
            throw .malformed(format: Int(format))
        }
    }

    static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    private static func number<Number: FixedWidthInteger>(
        _ type: Number.Type, in bytes: [UInt8], at position: Int
    ) -> Number {
        bytes[position..<position + Number.bitWidth / 8].reduce(.zero) { $0 << 8 | Number($1) }
    }
}

extension DeviceFold {
    /// How to tell by which rules a checkpoint was written, from its bytes alone: the first four are the magic, the seventh and
    /// eighth are the rules, which sort by age.
    package static var checkpointMark: (magic: [UInt8], rules: [UInt8]) {
        (StateHeader.magic, StateHeader.bigEndian(rules))
    }

    /// The same state as the previous rules would have written it; nil if it can't be read.
    package static func underOlderRules(_ bytes: [UInt8]) -> [UInt8]? {
        guard let (read, state) = try? StateHeader.read(bytes) else { return nil }
        var header = read
        header.rules -= 1
        return header.bytes(before: Array(state))
    }
}

/// The settings under which a state was folded. Another window, zone or list of doubted builds leads to another state.
struct FoldSettings: Hashable, Sendable {
    var windowDays: Int
    var zone: String
    var doubtedBuilds: [String]
}

extension FoldSettings: Checkpointed {
    func write(to writer: inout ByteWriter) {
        windowDays.write(to: &writer)
        zone.write(to: &writer)
        doubtedBuilds.write(to: &writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            windowDays: try Int(from: &reader),
            zone: try String(from: &reader),
            doubtedBuilds: try [String](from: &reader))
    }
}

/// The CRC-32C checksum (Castagnoli; RFC 3720, appendix B.4), which detects every changed byte and every short burst of
/// changes.
enum CRC32C {
    /// Eight tables of 256 ("slicing by eight": Kounavis and Berry, 2005). The first one has the checksum of each byte, the next
    /// ones that of the byte and one to seven zeros after it.
    private static let tables: [UInt32] = {
        var tables = (UInt8.min...UInt8.max).map { checksum(of: $0) }
        for index in 0..<7 * 256 {
            let last = tables[index]
            tables.append((last >> 8) ^ tables[Int(last & 0xFF)])
        }
        return tables
    }()

    private static func checksum(of byte: UInt8) -> UInt32 {
        var value = UInt32(byte)
        for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : (value >> 1) ^ 0x82F6_3B78 }
        return value
    }

    /// - Parameter parts: checksummed as if they were one.
    static func checksum(_ parts: ArraySlice<UInt8>...) -> UInt32 {
        var value = UInt32.max
        tables.withUnsafeBufferPointer { tables in
            for part in parts { part.withUnsafeBytes { add($0, to: &value, tables) } }
        }
        return ~value
    }

    private static func add(
        _ bytes: UnsafeRawBufferPointer, to value: inout UInt32, _ tables: UnsafeBufferPointer<UInt32>
    ) {
        var position = 0
        while position + 8 <= bytes.count {
            let word =
                UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)) ^ UInt64(value)
            value = 0
            for place in 0..<8 {
                let byte = Int(truncatingIfNeeded: word >> UInt64(8 * place)) & 0xFF
                value ^= tables[(7 - place) * 256 + byte]
            }
            position += 8
        }
        for byte in bytes[position...] { value = (value >> 8) ^ tables[Int(UInt8(truncatingIfNeeded: value) ^ byte)] }
    }
}
