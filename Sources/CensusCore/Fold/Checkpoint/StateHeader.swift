/// What stands in front of a stored state: how its bytes are read, and which fold led to it.
///
/// Sixteen bytes, numbers in network order: `WCDS`, format (2), rules (2), length of what follows (4), and the CRC-32C of all
/// that (4). Then come the settings, behind their length, and the state.
///
/// Bytes that begin with the number 2 in place of the magic are ``Format2``, which had no such header.
struct StateHeader: Hashable, Sendable {
    static let magic = Array("WCDS".utf8)
    private static let length = 16

    /// Of the bytes: what a reader has to know.
    var format: UInt16
    /// Of the fold: what a newest checkpoint has to share with the program that goes on from it.
    var rules: UInt16
    var settings: FoldSettings
    /// Rules under which earlier parts of the state were folded.
    var olderRules: [Int] = []

    /// - Returns: header and state.
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

    /// - Returns: the header and what stands behind it.
    static func read(_ bytes: [UInt8]) throws(UnreadableState) -> (header: StateHeader, state: ArraySlice<UInt8>) {
        guard bytes.starts(with: magic) else { return try Format2.header(bytes) }
        guard bytes.count >= length else { throw .damaged }
        let format = number(UInt16.self, in: bytes, at: 4)
        // Before the checksum: a newer program may have put it elsewhere.
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
        bytes[position..<position + Number.bitWidth / 8].reduce(0) { $0 << 8 | Number($1) }
    }
}

extension DeviceFold {
    /// What tells, in the bytes themselves, under which rules a checkpoint was written: the first four bytes, and the seventh and
    /// eighth, which are in the order of the rules.
    package static var checkpointMark: (magic: [UInt8], rules: [UInt8]) {
        (StateHeader.magic, StateHeader.bigEndian(rules))
    }

    /// The same state as the rules before would have written it; nil when it can't be read.
    package static func underOlderRules(_ bytes: [UInt8]) -> [UInt8]? {
        guard let (read, state) = try? StateHeader.read(bytes) else { return nil }
        var header = read
        header.rules -= 1
        return header.bytes(before: Array(state))
    }
}

/// The settings under which a state was folded: another window, zone or doubt leads to another state.
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
