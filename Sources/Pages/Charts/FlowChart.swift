internal import CensusCore
internal import CensusStore

/// Draws what was added, upwards, and what was removed, downwards, day by day.
struct FlowChart {
    private static let plot = (left: 62.0, top: 10.0, width: 700.0, half: 70.0)

    var first: Day
    var last: Day
    var changes: [ChangeCount]

    private var days: [(day: Day, added: Int, removed: Int)] {
        let byDay = Dictionary(grouping: changes, by: \.day)
        return byDay.map { day, changes in
            (day, changes.reduce(0) { $0 + $1.added }, changes.reduce(0) { $0 + $1.removed })
        }.sorted { $0.day < $1.day }
    }

    var html: HTML {
        let plot = FlowChart.plot
        let days = days
        let scale = Scale(upTo: days.map { max($0.added, $0.removed) }.max() ?? 0, height: plot.half)
        let width = plot.width / Double(max(1, Int(last.daysSince1970 - first.daysSince1970) + 1))
        let middle = plot.top + plot.half
        func bars(_ count: ((day: Day, added: Int, removed: Int)) -> Int, up: Bool) -> String {
            days.filter { count($0) > 0 }.map { day in
                let x = plot.left + Double(day.day.daysSince1970 - first.daysSince1970) * width
                let height = plot.half - scale.y(Double(count(day)))
                return
                    "M\(x.pixels) \(middle.pixels)v\((up ? -height : height).pixels)h\(max(1, width - 1).pixels)V\(middle.pixels)z"
            }.joined()
        }
        let description =
            "Widgets that came and went by day, at most \(days.map(\.added).max() ?? 0) and \(days.map(\.removed).max() ?? 0)"
        return """
            <svg class="chart large" viewBox="0 0 860 180" role="img" aria-label="\(description)">\
            <path class="added" d="\(bars(\.added, up: true))"/><path class="removed" d="\(bars(\.removed, up: false))"/>\
            <path class="axis" d="M\(plot.left.pixels) \(middle.pixels)h\(plot.width.pixels)"/>\
            <text class="tick" x="\((plot.left - 8).pixels)" y="\((plot.top + 8).pixels)" text-anchor="end">\(scale.maximum.grouped)</text>\
            <text class="tick" x="\((plot.left - 8).pixels)" y="\((middle + plot.half).pixels)" text-anchor="end">\(scale.maximum.grouped)</text>\
            <text x="\((plot.left + plot.width + 8).pixels)" y="\((middle - 30).pixels)">came</text>\
            <text class="naive" x="\((plot.left + plot.width + 8).pixels)" y="\((middle + 38).pixels)">went</text>\
            <text class="tick" x="\(plot.left.pixels)" y="172">\(first.spokenShortly)</text>\
            <text class="tick" x="\((plot.left + plot.width).pixels)" y="172" text-anchor="end">\(last.spokenShortly)</text></svg>
            """
    }

    var table: OldTable {
        OldTable(
            "Widgets by day and cause, the newest first",
            [("Day", false), ("Cause", false), ("Came", true), ("Went", true)], whenEmpty: "Nothing came or went.",
            changes.reversed().map { change in
                [
                    .text(change.day.description), .text(change.cause), .number(change.added.grouped),
                    .number(change.removed.grouped),
                ]
            })
    }
}
