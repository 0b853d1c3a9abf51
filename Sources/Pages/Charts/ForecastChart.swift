internal import CensusCore

/// Draws the holders of a legacy kind as they were, and from now on the interval of the forecast down to the limit.
struct ForecastChart {
    private static let plot = (left: 62.0, top: 14.0, width: 640.0, height: 180.0)

    var days: [BaseDay]
    /// The first is today's level.
    var fan: [BaseForecast.FanDay]
    var limit: Int

    init(days: some Sequence<BaseDay>, fan: [BaseForecast.FanDay], limit: Int) {
        self.days = Array(days)
        self.fan = fan
        self.limit = limit
    }

    var html: HTML {
        guard let first = days.first?.day, let now = fan.first?.day, let end = fan.last?.day else { return .empty }
        let plot = ForecastChart.plot
        let length = Double(max(1, end.daysSince1970 - first.daysSince1970))
        let largest = max(days.map(\.holders).max() ?? 0, Int(fan.map(\.high).max() ?? 0), limit)
        let scale = Scale(upTo: largest, height: plot.height)
        func x(_ day: Day) -> Double {
            plot.left + (Double(day.daysSince1970 - first.daysSince1970) / length * plot.width * 10).rounded() / 10
        }
        func y(_ count: Double) -> Double { plot.top + scale.y(count) }
        func line(_ points: [(Day, Double)]) -> String {
            points.enumerated().map { index, point in
                "\(index == 0 ? "M" : "L")\(x(point.0).pixels) \(y(point.1).pixels)"
            }.joined()
        }
        let outline = fan.map { ($0.day, $0.high) } + fan.reversed().map { ($0.day, $0.low) }
        let description =
            "Devices that may hold it: \((days.last?.holders ?? 0).grouped) on \(now.spoken), and a forecast until "
            + "\(end.spoken) with its 80 % interval; the limit is \(limit.grouped)"
        return """
            <svg class="chart large" viewBox="0 0 860 230" role="img" aria-label="\(description)">\
            <path class="axis" d="M\(plot.left.pixels) \((plot.top + plot.height).pixels)h\(plot.width.pixels)"/>\
            <path class="fan" d="\(line(outline))z"/><path class="fan-middle" d="\(line(fan.map { ($0.day, $0.estimate) }))"/>\
            <path class="expected" d="\(line(days.map { ($0.day, Double($0.holders)) }))"/>\
            <path class="limit" d="M\(plot.left.pixels) \(y(Double(limit)).pixels)h\(plot.width.pixels)"/>\
            <path class="act-line" d="M\(x(now).pixels) \(plot.top.pixels)v\(plot.height.pixels)"/>\
            <text class="tick" x="\((plot.left - 8).pixels)" y="\((plot.top + 4).pixels)" text-anchor="end">\(scale.maximum.grouped)</text>\
            <text class="tick" x="\((plot.left - 8).pixels)" y="\((plot.top + plot.height).pixels)" text-anchor="end">0</text>\
            <text class="tick" x="\(plot.left.pixels)" y="212">\(first.spoken)</text>\
            <text class="tick" x="\(x(now).pixels)" y="226" text-anchor="middle">\(now.spokenShortly): known until here</text>\
            <text class="tick" x="\((plot.left + plot.width).pixels)" y="212" text-anchor="end">\(end.spoken)</text>\
            <text class="naive" x="\((plot.left + plot.width + 8).pixels)" y="\((y(Double(limit)) + 4).pixels)">limit \(limit.grouped)</text></svg>
            """
    }
}
