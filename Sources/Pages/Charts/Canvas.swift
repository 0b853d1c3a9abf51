internal import CensusCore

/// A picture 860 pixels wide with a plot: values are on its left, names of lines on its right.
struct Canvas {
    let left = 62.0
    let top: Double
    let width: Double
    let height: Double
    private var content: HTML = .empty

    init(top: Double, width: Double, height: Double) {
        self.top = top
        self.width = width
        self.height = height
    }

    var right: Double { left + width }
    var bottom: Double { top + height }

    enum Anchor: String {
        case start, middle, end
    }

    mutating func path(_ style: String, _ path: String) { content += "<path class=\"\(style)\" d=\"\(path)\"/>" }

    /// A horizontal line across the plot.
    mutating func line(_ style: String, y: Double) { path(style, "M\(left.pixels) \(y.pixels)h\(width.pixels)") }

    /// A vertical line across the plot.
    mutating func upright(_ style: String, x: Double) { path(style, "M\(x.pixels) \(top.pixels)v\(height.pixels)") }

    mutating func words(_ words: String, _ style: String = "tick", x: Double, y: Double, _ anchor: Anchor = .start) {
        let place: HTML = anchor == .start ? .empty : " text-anchor=\"\(anchor.rawValue)\""
        content += "<text class=\"\(style)\" x=\"\(x.pixels)\" y=\"\(y.pixels)\"\(place)>\(words)</text>"
    }

    /// A value left of the plot.
    mutating func level(_ text: String, y: Double) { words(text, x: left - 8, y: y + 4, .end) }

    /// A name right of the plot.
    mutating func name(_ text: String, _ style: String = "name", y: Double) {
        words(text, style, x: right + 8, y: y + 4)
    }

    /// The first and last day, below the plot.
    mutating func ends(_ first: Day, _ last: Day, y: Double) {
        words(first.spoken, x: left, y: y)
        words(last.spoken, x: right, y: y, .end)
    }

    /// - Parameter description: for people who can't see it.
    func svg(height: Int, _ description: String) -> HTML {
        """
        <svg class="chart large" viewBox="0 0 860 \(height)" role="img" aria-label="\(description)">\(content)</svg>
        """
    }
}
