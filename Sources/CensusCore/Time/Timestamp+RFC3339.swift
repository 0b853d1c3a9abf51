extension Timestamp: CustomStringConvertible {
    /// Parses an RFC 3339 date-time, such as `2026-11-21T10:00:00.250Z` or `2026-11-21T11:00:00+01:00`; nil for anything else.
    ///
    /// Fractions are truncated to microseconds. A leap second counts as the second after it.
    public init?(rfc3339 text: String) {
        var text = text
        guard let time = text.withUTF8({ Timestamp(rfc3339: $0) }) else { return nil }
        self = time
    }

    init?(rfc3339 bytes: UnsafeBufferPointer<UInt8>) {
        var reader = DigitReader(bytes)
        guard let year = reader.number(digits: 4), reader.take("-"),
            let month = reader.number(digits: 2), reader.take("-"),
            let dayOfMonth = reader.number(digits: 2), reader.take("T") || reader.take("t"),
            let day = Day(year: year, month: month, day: dayOfMonth),
            let hour = reader.number(digits: 2), hour <= 23, reader.take(":"),
            let minute = reader.number(digits: 2), minute <= 59, reader.take(":"),
            let second = reader.number(digits: 2), second <= 60
        else { return nil }
        var fraction = 0
        if reader.take(".") {
            guard let read = reader.fraction(digits: 6) else { return nil }
            fraction = read
        }
        guard let offset = reader.zoneOffset(), reader.isAtEnd else { return nil }
        let seconds = Int64(day.daysSince1970) * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offset)
        self.init(microseconds: seconds * 1_000_000 + Int64(fraction))
    }

    /// RFC 3339 in UTC, with as many decimals as needed: none, three or six.
    public var description: String {
        let secondsSince1970 = microseconds.quotientRoundedDown(by: 1_000_000)
        let fraction = Int(microseconds - secondsSince1970 * 1_000_000)
        let days = secondsSince1970.quotientRoundedDown(by: 86_400)
        let second = Int(secondsSince1970 - days * 86_400)
        let time = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, to: 2) }.joined(separator: ":")
        let decimals =
            fraction == 0
            ? "" : fraction % 1_000 == 0 ? "." + padded(fraction / 1_000, to: 3) : "." + padded(fraction, to: 6)
        return "\(Day(daysSince1970: Int32(days)))T\(time)\(decimals)Z"
    }
}

extension Int64 {
    func quotientRoundedDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

private struct DigitReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
        position += 1
        return true
    }

    private mutating func digit() -> Int? {
        guard position < bytes.count, (0x30...0x39).contains(bytes[position]) else { return nil }
        defer { position += 1 }
        return Int(bytes[position] - 0x30)
    }

    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let next = digit() else { return nil }
            value = value * 10 + next
        }
        return value
    }

    /// Reads at least one digit, and ignores those past `digits`.
    mutating func fraction(digits: Int) -> Int? {
        guard var value = digit() else { return nil }
        var read = 1
        while let next = digit() {
            if read < digits { value = value * 10 + next }
            read += 1
        }
        while read < digits {
            value *= 10
            read += 1
        }
        return value
    }

    /// Reads a zone, as seconds east of UTC.
    mutating func zoneOffset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let sign: Int
        if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
        guard let hours = number(digits: 2), hours <= 23, take(":"), let minutes = number(digits: 2), minutes <= 59
        else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }
}
