internal import CensusCore

/// Draws how many devices had a legacy kind in the past, and the interval of the forecast down to the limit.
struct ForecastChart: Drawing {
    var days: [BaseDay]
    /// Begins with today's level.
    var fan: [BaseForecast.FanDay]
    var limit: Int

    var svg: HTML {
        guard let first = days.first?.day, let now = fan.first?.day, let end = fan.last?.day else { return .empty }
        var canvas = Canvas(top: 14, width: 640, height: 180)
        let length = Double(max(1, end.daysSince1970 - first.daysSince1970))
        let largest = max(days.map(\.holders).max() ?? 0, Int(fan.map(\.high).max() ?? 0), limit)
        let scale = Scale(upTo: largest, height: canvas.height)
        func x(_ day: Day) -> Double {
            let share = Double(day.daysSince1970 - first.daysSince1970) / length
            return canvas.left + (share * canvas.width * 10).rounded() / 10
        }
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
        canvas.words("\(now.spokenShortly): forecast begins", x: x(now), y: 226, .middle)
        return canvas.svg(
            height: 230,
            "Devices that have it, at most: \((days.last?.holders ?? 0).grouped) on \(now.spoken), and a forecast until "
                + "\(end.spoken) with its 80% interval; the limit is \(limit.grouped)")
    }
}
