// How figures and names are written for people.

extension Int {
    /// With a comma between thousands: 1,000,000.
    package var grouped: String {
        let digits = Array(String(magnitude))
        let groups = stride(from: digits.count, to: 0, by: -3).map { end in String(digits[Swift.max(0, end - 3)..<end])
        }
        return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
    }

    /// With its noun: 1 device, 2 devices.
    package func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}

extension Double {
    /// A share from 0 to 1 as people say it, in two digits, and as 100 % only if it is all: 93 %, 0.03 %.
    package var asPercentage: String { percentage(rounding: .toNearestOrAwayFromZero) }

    package func percentage(rounding rule: FloatingPointRoundingRule) -> String {
        // What was computed as a share may lie a little below what was meant: 0.57 * 100 is 56.99.
        let percent = self * 100 + 1e-9
        guard percent > 1e-8, percent < 9.95 else {
            let rounded = Int(percent.rounded(rule))
            return "\(self < 1 ? min(99, rounded) : rounded) %"
        }
        var (factor, digits) = (1.0, 0)
        while percent * factor < 10, digits < 5 {
            factor *= 10
            digits += 1
        }
        var text = String((percent * factor).rounded(rule) / factor)
        if text.hasSuffix(".0") { text.removeLast(2) }
        return text + " %"
    }
}

/// The surface's name in sentences: left out for widgets, which most kinds are.
extension String {
    package var onSurface: String { self == Surface.widget.rawValue ? "" : " on \(self)" }
    package var surfaceInBrackets: String { self == Surface.widget.rawValue ? "" : " (\(self))" }
}

extension Readiness.Condition {
    /// Whether its limit is one to compare the figure with.
    package var isMeasured: Bool {
        switch name {
        case .coverage, .lists, .holders, .days, .replacement, .age: true
        case .counted, .fresh, .loss: false
        }
    }
}
