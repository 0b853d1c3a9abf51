internal import CensusCore

extension Day {
    /// With the month's name: 21 Nov 2026.
    var spoken: String { "\(spokenShortly) \(civil.year)" }

    /// Without the year: 21 Nov.
    var spokenShortly: String { "\(civil.day) \(Day.months[civil.month - 1])" }

    /// For a day in a range: with the year if the range spans several years.
    func spoken(from first: Day, to last: Day) -> String {
        first.civil.year == last.civil.year ? spokenShortly : spoken
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

extension Double {
    /// Rounded to whole devices.
    var devices: String { Int(rounded()).grouped }
}

extension HTML {
    /// A name that browsers can break after its dots.
    static func name(_ text: String) -> HTML {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.enumerated().html { index, part in
            let part = String(Substring(part))
            return index < parts.count - 1 ? "\(part).<wbr>" : "\(part)"
        }
    }
}
