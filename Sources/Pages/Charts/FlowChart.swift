internal import CensusCore
internal import CensusStore

/// Draws added widgets upwards and removed widgets downwards, day by day.
struct FlowChart: Drawing {
    var first: Day
    var last: Day
    var changes: [ChangeCount]

    private typealias Count = (day: Day, added: Int, removed: Int)

    var html: HTML {
        var canvas = Canvas(days: Int(last.daysSince1970 - first.daysSince1970) + 1, top: 10, height: 140)
        let middle = canvas.top + canvas.height / 2
        let days = days
        let scale = Scale(upTo: days.map { max($0.added, $0.removed) }.max() ?? 0, height: canvas.height / 2)
        canvas.path("added", bars(days, \.added, up: true, canvas, scale))
        canvas.path("removed", bars(days, \.removed, up: false, canvas, scale))
        canvas.line("axis", y: middle)
        canvas.level(scale.maximum.grouped, y: canvas.top + 4)
        canvas.level("0", y: middle)
        canvas.level(scale.maximum.grouped, y: canvas.bottom - 4)
        canvas.name("added", y: middle - 34)
        canvas.name("removed", "naive", y: middle + 34)
        canvas.ends(first, last, y: 172)
        return canvas.html(
            height: 180,
            "Widgets added and removed by day, at most \(days.map(\.added).max() ?? 0) and \(days.map(\.removed).max() ?? 0)",
            readout(days, count: canvas.days))
    }

    private func readout(_ days: [Count], count: Int) -> Readout {
        var figures: [[String]?] = Array(repeating: ["0", "0"], count: count)
        for day in days where (first...last).contains(day.day) {
            figures[Int(day.day.daysSince1970 - first.daysSince1970)] = ["\(day.added)", "\(day.removed)"]
        }
        return Readout(first: first, names: ["added", "removed"], days: figures)
    }

    private var days: [Count] {
        Dictionary(grouping: changes, by: \.day).map { day, changes in
            (day, changes.reduce(0) { $0 + $1.added }, changes.reduce(0) { $0 + $1.removed })
        }.sorted { $0.day < $1.day }
    }

    private func bars(
        _ days: [Count], _ count: (Count) -> Int, up: Bool, _ canvas: Canvas, _ scale: Scale
    ) -> String {
        let middle = (canvas.top + scale.height).pixels
        return days.filter { count($0) > 0 }.map { day in
            let x = Double(day.day.daysSince1970 - first.daysSince1970) + 0.1
            let height = scale.height - scale.y(Double(count(day)))
            return "M\(x.pixels) \(middle)v\((up ? -height : height).pixels)h.8V\(middle)z"
        }.joined()
    }
}
