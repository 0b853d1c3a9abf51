internal import CensusCore

/// Draws how many devices had a legacy kind in the past, and the interval of the forecast down to the limit.
struct ForecastChart: Drawing {
    var days: [BaseDay]
    /// Begins with today's level.
    var fan: [BaseForecast.FanDay]
    var limit: Int

    var html: HTML {
        guard let first = days.first?.day, let now = fan.first?.day, let end = fan.last?.day else { return .empty }
        var canvas = Canvas(days: Int(end.daysSince1970 - first.daysSince1970), top: 14, height: 180)
        let largest = max(days.map(\.holders).max() ?? 0, Int(fan.map(\.high).max() ?? 0), limit)
        let scale = Scale(upTo: largest, height: canvas.height)
        func x(_ day: Day) -> Double { Double(day.daysSince1970 - first.daysSince1970) }
        func y(_ count: Double) -> Double { canvas.top + scale.y(count) }
        func line(_ points: [(Day, Double)]) -> String {
            points.enumerated().map { index, point in
                "\(index == 0 ? "M" : "L")\(x(point.0).pixels) \(y(point.1).pixels)"
            }.joined()
        }
        let outline = fan.map { ($0.day, $0.high) } + fan.reversed().map { ($0.day, $0.low) }
        canvas.line("axis", y: canvas.bottom)
        canvas.path("fan", line(outline) + "z")
        canvas.path("fan-middle", line(fan.map { ($0.day, $0.estimate) }))
        canvas.path("expected", line(days.map { ($0.day, Double($0.holders)) }))
        canvas.line("limit", y: y(Double(limit)))
        canvas.upright("act-line", x: x(now))
        canvas.level(scale.maximum.grouped, y: canvas.top)
        canvas.level("0", y: canvas.bottom - 4)
        canvas.name("limit \(limit.grouped)", "naive", y: y(Double(limit)))
        canvas.ends(first, end, y: 212)
        canvas.words("\(now.spokenShortly): forecast begins", x: x(now), y: 226)
        return canvas.html(
            height: 230,
            "Devices that have it, at most: \((days.last?.holders ?? 0).grouped) on \(now.spoken), and a forecast until "
                + "\(end.spoken) with its 80% interval; the limit is \(limit.grouped)", readout(first, canvas.days))
    }

    /// A forecast of many years has none, because it would make the page heavy.
    private func readout(_ first: Day, _ length: Int) -> Readout? {
        guard length <= ForecastChart.mostDays else { return nil }
        var figures: [[String]?] = Array(repeating: nil, count: length)
        func fill(_ day: Day, _ counts: [String]) {
            let place = Int(day.daysSince1970 - first.daysSince1970)
            if figures.indices.contains(place) { figures[place] = counts }
        }
        for day in days { fill(day.day, ["\(day.holders)", "-", "-", "-"]) }
        // The fan has a point for each week, and straight lines between them.
        for (one, two) in zip(fan, fan.dropFirst()) {
            let days = Int(two.day.daysSince1970 - one.day.daysSince1970)
            for day in 1...max(1, days) {
                let share = Double(day) / Double(max(1, days))
                func between(_ count: (BaseForecast.FanDay) -> Double) -> String {
                    "\(Int((count(one) + (count(two) - count(one)) * share).rounded()))"
                }
                fill(one.day + day, ["-", between(\.low), between(\.estimate), between(\.high)])
            }
        }
        return Readout(first: first, names: ["at most", "forecast, low", "forecast", "forecast, high"], days: figures)
    }

    private static let mostDays = 731
}
