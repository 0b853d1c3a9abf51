/// A day of the proleptic Gregorian calendar, as days since 1970-01-01.
public struct Day: Hashable, Comparable, Sendable, CustomStringConvertible {
    public var daysSince1970: Int32

    public init(daysSince1970: Int32) {
        self.daysSince1970 = daysSince1970
    }

    /// Nil for a date that doesn't exist, such as February 30th.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, day <= Day.length(ofMonth: month, year: year) else { return nil }
        // Days from civil: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        self.daysSince1970 = Int32(era * 146_097 + dayOfEra - 719_468)
    }

    /// Parses `YYYY-MM-DD`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            // `Int` accepts a sign.
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    public var civil: (year: Int, month: Int, day: Int) {
        let shifted = Int(daysSince1970) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    public var description: String {
        let (year, month, day) = civil
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }

    public static func < (left: Day, right: Day) -> Bool { left.daysSince1970 < right.daysSince1970 }
    public static func + (day: Day, count: Int) -> Day { Day(daysSince1970: day.daysSince1970 + Int32(count)) }
    public static func - (day: Day, count: Int) -> Day { day + -count }

    /// The first day of its month.
    public var month: Day { self - (civil.day - 1) }

    /// The Monday of its week. 1970-01-01 was a Thursday.
    public var week: Day {
        let sinceMonday = (Int(daysSince1970) + 3) % 7
        return self - (sinceMonday < 0 ? sinceMonday + 7 : sinceMonday)
    }

    /// The Sunday of its week.
    var weekEnd: Day { week + 6 }

    static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
