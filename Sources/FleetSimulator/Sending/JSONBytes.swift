import CensusCore

/// JSON as it is written, byte by byte: a fleet is mostly this.
struct JSONBytes {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func quoted(_ text: String) {
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        guard isPlain else {
            bytes.append(contentsOf: text.jsonQuoted.utf8)
            return
        }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: text.utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func number(_ number: Int64) { bytes.append(contentsOf: String(number).utf8) }

    /// RFC 3339 in UTC, with as many decimals as are needed: none, three or six.
    mutating func time(_ instant: Timestamp) {
        let (days, ofDay) = JSONBytes.divided(instant.microseconds, by: 86_400_000_000)
        let (year, month, day) = Day(daysSince1970: Int32(days)).civil
        let (seconds, fraction) = JSONBytes.divided(ofDay, by: 1_000_000)
        bytes.append(UInt8(ascii: "\""))
        digits(Int64(year), 4)
        raw("-")
        digits(Int64(month), 2)
        raw("-")
        digits(Int64(day), 2)
        raw("T")
        digits(seconds / 3_600, 2)
        raw(":")
        digits(seconds / 60 % 60, 2)
        raw(":")
        digits(seconds % 60, 2)
        if fraction != 0 {
            raw(".")
            if fraction % 1_000 == 0 { digits(fraction / 1_000, 3) } else { digits(fraction, 6) }
        }
        raw("Z\"")
    }

    private mutating func digits(_ number: Int64, _ width: Int) {
        var unit: Int64 = 1
        for _ in 1..<width { unit *= 10 }
        while unit > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / unit % 10))
            unit /= 10
        }
    }

    /// Rounded down.
    private static func divided(_ number: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
