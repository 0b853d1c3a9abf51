// How pages and messages write numbers and names.

extension Int {
    /// With a comma between thousands: 1,000,000.
    package var grouped: String {
        let digits = Array(String(magnitude))
        let groups = stride(from: digits.count, to: 0, by: -3).map { end in String(digits[Swift.max(0, end - 3)..<end])
        }
        return (self < 0 ? "-" : "") + groups.reversed().joined(separator: ",")
    }

    /// With its noun: 1 device, 2 devices, 2 batches.
    package func counted(_ noun: String) -> String { "\(grouped) \(self == 1 ? noun : noun.inPlural)" }

    /// With its noun and the verb that follows it: 1 file was, 2 files were.
    package func counted(_ noun: String, _ one: String, _ many: String) -> String {
        "\(counted(noun)) \(self == 1 ? one : many)"
    }
}

extension String {
    fileprivate var inPlural: String {
        ["ch", "sh", "s", "x"].contains(where: hasSuffix) ? "\(self)es" : "\(self)s"
    }
}

extension Double {
    /// A share from 0 to 1, in two significant digits: 93%, 0.03%. Only the whole is 100%.
    package var asPercentage: String { percentage(rounding: .toNearestOrAwayFromZero) }

    /// A share beside the limit it must reach. A share below the limit is rounded down, so it never looks as if it reached it.
    package func asPercentage(beside limit: Double) -> String {
        percentage(rounding: self < limit ? .down : .toNearestOrAwayFromZero)
    }

    /// Reads a share, as people write it: 0.0003 or 0.03%.
    ///
    /// - Returns: nil if the text is neither. The share can be more than 1.
    package init?(share text: String) {
        guard let number = Double(digits: text.hasSuffix("%") ? text.dropLast() : text[...]) else { return nil }
        self = text.hasSuffix("%") ? number / 100 : number
    }

    /// Reads a number in digits. Swift also parses `inf`, `nan` and `0x1p3`.
    package init?(digits text: Substring) {
        guard text.utf8.allSatisfy({ "0123456789.-+eE".utf8.contains($0) }) else { return nil }
        self.init(text)
    }

    func percentage(rounding rule: FloatingPointRoundingRule) -> String {
        // Binary fractions can fall a little short: 0.57 * 100 is 56.99.
        var percent = self * 100 + 1e-9
        var decimals = 0
        while percent < 10, decimals < 5 {
            percent *= 10
            decimals += 1
        }
        let rounded = Int(percent.rounded(rule))
        guard decimals > 0 else { return "\(self < 1 ? min(99, rounded) : rounded)%" }
        let digits = padded(rounded, to: decimals + 1)
        var fraction = digits.suffix(decimals)
        while fraction.last == "0" { fraction.removeLast() }
        return "\(digits.dropLast(decimals))\(fraction.isEmpty ? "" : ".")\(fraction)%"
    }
}

/// The surface's name in sentences. Widgets, the usual surface, go without it.
extension String {
    package var onSurface: String { self == Surface.widget.rawValue ? "" : " on \(self)" }
    package var surfaceInBrackets: String { self == Surface.widget.rawValue ? "" : " (\(self))" }
}

extension Readiness.Condition {
    /// Whether the limit is a number that the figure is compared with.
    package var isMeasured: Bool {
        switch name {
        case .coverage, .lists, .holders, .days, .replacement, .age: true
        case .counted, .fresh, .loss: false
        }
    }
}

extension String {
    package var capitalizingFirst: String { prefix(1).uppercased() + dropFirst() }
}
