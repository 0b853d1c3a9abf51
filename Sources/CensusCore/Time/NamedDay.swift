/// A day as people write it: `2026-11-21`, `today`, `yesterday`, or `7d` for seven days ago.
package enum NamedDay: Hashable, Sendable {
    case date(Day)
    /// Counted back from today; 0 is today.
    case daysAgo(Int)

    /// The accepted forms, for help and errors.
    package static let forms = "YYYY-MM-DD, today, yesterday, or 7d for seven days ago"
    private static let mostDigits = 5

    /// Nil for anything else.
    package init?(_ text: String) {
        if let day = Day(text) {
            self = .date(day)
            return
        }
        switch text {
        case "today": self = .daysAgo(0)
        case "yesterday": self = .daysAgo(1)
        default:
            // `Int` accepts a sign.
            guard text.last == "d", text.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                text.utf8.count <= NamedDay.mostDigits + 1, let days = Int(text.dropLast())
            else { return nil }
            self = .daysAgo(days)
        }
    }

    package func day(today: Day) -> Day {
        switch self {
        case .date(let day): day
        case .daysAgo(let days): today - days
        }
    }

    package var isRelative: Bool { if case .daysAgo = self { true } else { false } }
}
