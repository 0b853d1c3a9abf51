internal import CensusCore

/// A chart's figures day by day. The script ``HoverScript`` shows those of the day under the pointer.
struct Readout {
    var first: Day
    /// What the figures are.
    var names: [String]
    /// For each day, a figure for each name, without spaces; `-`: none. Nil: the day is not closed.
    var days: [[String]?]

    /// Attributes of the chart. A day that is like the one before is `=`.
    var attributes: HTML {
        var before: [String]? = []
        let figures = days.map { day in
            defer { before = day }
            return day == before ? "=" : day?.joined(separator: " ") ?? ""
        }.joined(separator: ";")
        return """
             data-first="\(first.description)" data-names="\(names.joined(separator: "\n"))" data-days="\(figures)"
            """
    }
}
