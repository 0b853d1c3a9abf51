/// A UUID, written in capitals as iOS does.
struct RandomUUID: Hashable, Sendable, CustomStringConvertible {
    var high: UInt64
    var low: UInt64

    var description: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    func append(to bytes: inout [UInt8]) {
        for position in 0..<32 {
            if position == 8 || position == 12 || position == 16 || position == 20 { bytes.append(UInt8(ascii: "-")) }
            let word = position < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: word >> (60 - 4 * UInt64(position % 16))) & 15
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
        }
    }
}
