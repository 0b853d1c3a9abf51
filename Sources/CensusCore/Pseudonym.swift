/// The keyed hash of a device's or installation's id: the first 128 bits of an HMAC-SHA256.
///
/// Raw ids stay in the ingest server. All later modules have only pseudonyms.
public struct Pseudonym: Hashable, Comparable, Sendable, Decodable, CustomStringConvertible {
    public var high: UInt64
    public var low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Nil unless there are 16 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        let words = bytes.withUnsafeBytes { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(high: UInt64(bigEndian: words.0), low: UInt64(bigEndian: words.1))
    }

    /// The 16 bytes, in the order of ``description``.
    package var bytes: [UInt8] {
        [high, low].flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }

    public static func < (left: Pseudonym, right: Pseudonym) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// The format of PostgreSQL's `uuid`.
    public var description: String {
        let digits = hexadecimal(high) + hexadecimal(low)
        var parts: [Substring] = []
        var rest = digits[...]
        for length in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return parts.joined(separator: "-")
    }

    private func hexadecimal(_ word: UInt64) -> String {
        withUnsafeBytes(of: word.bigEndian) { $0.hexadecimal }
    }
}

extension Sequence<UInt8> {
    /// Two lower-case digits per byte.
    package var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
