internal import CensusCore

/// Draws a share from 0 to 1 over days, with the limit that it must reach. Days without data are gaps.
struct ShareChart: Drawing {
    var first: Day
    var last: Day
    var shares: [Day: Double]
    var limit: Double?
    /// The share at the end of the axis.
    var top = 1.0
    /// The chart's subject, without figures.
    var label: String

    var html: HTML {
        let days = max(0, Int(last.daysSince1970 - first.daysSince1970) + 1)
        var canvas = Canvas(days: days, top: 14, height: 120)
        let known = (0..<days).map { shares[first + $0] }
        func y(_ share: Double) -> Double {
            canvas.top + ((1 - min(1, max(0, share / top))) * canvas.height * 10).rounded() / 10
        }
        for share in [0, top / 2, top] {
            canvas.line("grid-line", y: y(share))
            canvas.level(share.asPercentage, y: y(share))
        }
        if let limit {
            canvas.line("limit", y: y(limit))
            canvas.name("at least \(limit.asPercentage)", "naive", y: y(limit))
        }
        canvas.path("expected", StepPath(left: 0, width: 1).line(known.map { $0.map(y) }))
        canvas.ends(first, last, y: 156)
        let readout = Readout(first: first, names: ["share"], days: known.map { $0.map { [$0.asPercentage] } })
        return canvas.html(height: 170, description, readout)
    }

    /// The smallest of a few axis ends that fits all shares.
    static func top(_ shares: some Sequence<Double>) -> Double {
        let largest = shares.max() ?? 1
        return [0.01, 0.05, 0.1, 0.2, 0.5].first { $0 >= largest } ?? 1
    }

    private var description: String {
        guard let low = shares.values.min(), let high = shares.values.max() else { return label }
        return "\(label), \(first.spoken) to \(last.spoken): between \(low.asPercentage) and \(high.asPercentage)"
    }
}
