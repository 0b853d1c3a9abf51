/// The keyed hash that stands for a device or an installation: the first 128 bits of an HMAC-SHA256.
///
/// Raw ids end at the door; nothing behind it can name a device.
public struct Pseudonym: Hashable, Comparable, Sendable, CustomStringConvertible {
    public var high: UInt64
    public var low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    public static func < (left: Pseudonym, right: Pseudonym) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// The spelling of a PostgreSQL `uuid`.
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
