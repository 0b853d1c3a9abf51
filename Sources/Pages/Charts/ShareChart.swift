internal import CensusCore

/// Draws a share from 0 to 1 over days, with the limit that it must reach; days about which nothing is known are gaps.
struct ShareChart {
    private static let plot = (left: 62.0, top: 14.0, width: 700.0, height: 120.0)

    var first: Day
    var last: Day
    var shares: [Day: Double]
    var limit: Double?
    /// At the axis's end.
    var top = 1.0
    /// What it shows, without the figures.
    var label: String

    var html: HTML {
        let plot = ShareChart.plot
        let days = Int(last.daysSince1970 - first.daysSince1970) + 1
        let path = StepPath(left: plot.left, width: plot.width / Double(max(1, days)))
        let heights = (0..<max(0, days)).map { shares[first + $0].map(height) }
        return """
            <svg class="chart large" viewBox="0 0 860 170" role="img" aria-label="\(description)">\(axes)\(limitLine)\
            <path class="expected" d="\(path.line(heights))"/>\
            <text class="tick" x="\(plot.left.pixels)" y="156">\(first.spokenShortly)</text>\
            <text class="tick" x="\((plot.left + plot.width).pixels)" y="156" text-anchor="end">\(last.spokenShortly)</text></svg>
            """
    }

    /// The lowest of a few axes on which all shares fit.
    static func top(_ shares: some Sequence<Double>) -> Double {
        let largest = shares.max() ?? 1
        return [0.01, 0.05, 0.1, 0.2, 0.5].first { $0 >= largest } ?? 1
    }

    private var axes: HTML {
        [0, top / 2, top].html { (share: Double) in
            let y = height(share)
            return """
                <path class="grid-line" d="M\(ShareChart.plot.left.pixels) \(y.pixels)h\(ShareChart.plot.width.pixels)"/>\
                <text class="tick" x="\((ShareChart.plot.left - 8).pixels)" y="\((y + 4).pixels)" text-anchor="end">\(share.asPercentage)</text>
                """
        }
    }

    private var limitLine: HTML {
        guard let limit else { return .empty }
        let plot = ShareChart.plot
        return """
            <path class="limit" d="M\(plot.left.pixels) \(height(limit).pixels)h\(plot.width.pixels)"/>\
            <text class="naive" x="\((plot.left + plot.width + 8).pixels)" y="\((height(limit) + 4).pixels)">at least \(limit.asPercentage)</text>
            """
    }

    private func height(_ share: Double) -> Double {
        ShareChart.plot.top + ((1 - min(1, max(0, share / top))) * ShareChart.plot.height * 10).rounded() / 10
    }

    private var description: String {
        let known = shares.sorted { $0.key < $1.key }
        guard let low = known.map(\.value).min(), let high = known.map(\.value).max() else { return label }
        return "\(label), \(first.spoken) to \(last.spoken): between \(low.asPercentage) and \(high.asPercentage)"
    }
}
