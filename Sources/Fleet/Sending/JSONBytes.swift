import CensusCore

/// Writes JSON byte by byte, because a fleet spends most of its time here.
struct JSONBytes {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func quoted(_ text: String) {
        let start = bytes.count
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
                bytes.removeSubrange(start...)
                bytes.append(contentsOf: text.jsonQuoted.utf8)
                return
            }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func quoted(_ id: RandomUUID) {
        bytes.append(UInt8(ascii: "\""))
        id.append(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func text(_ written: JSONBytes) { bytes += written.bytes }

    mutating func number(_ number: Int64) { bytes.append(contentsOf: String(number).utf8) }

    /// RFC 3339 in UTC, with as many decimals as needed: none, three or six.
    mutating func time(_ instant: Timestamp) {
        let (days, ofDay) = JSONBytes.divided(instant.microseconds, by: 86_400_000_000)
        let (year, month, day) = Day(daysSince1970: Int32(days)).civil
        let (seconds, fraction) = JSONBytes.divided(ofDay, by: 1_000_000)
        bytes.append(UInt8(ascii: "\""))
        twoDigits(year / 100)
        twoDigits(year % 100)
        raw("-")
        twoDigits(month)
        raw("-")
        twoDigits(day)
        raw("T")
        twoDigits(Int(seconds) / 3_600)
        raw(":")
        twoDigits(Int(seconds) / 60 % 60)
        raw(":")
        twoDigits(Int(seconds) % 60)
        if fraction != 0 {
            raw(".")
            threeDigits(Int(fraction) / 1_000)
            if fraction % 1_000 != 0 { threeDigits(Int(fraction) % 1_000) }
        }
        raw("Z\"")
    }

    private mutating func twoDigits(_ number: Int) {
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    private mutating func threeDigits(_ number: Int) {
        bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 100))
        twoDigits(number % 100)
    }

    /// Divides, rounding down.
    private static func divided(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
