internal import CensusCore

/// A plot over consecutive days, as wide as the page allows. Heights are in pixels; places from left to right are in days.
///
/// Shapes are stretched to the width, and texts are not. Values are on the left of the plot, names of lines on its right;
/// narrow screens leave the names out.
struct Canvas {
    /// How many days the plot shows.
    let days: Int
    let top: Double
    let height: Double
    private var shapes: HTML = .empty
    private var texts: HTML = .empty
    private var levels: HTML = .empty
    private var names: HTML = .empty
    /// The most characters of a value on the left.
    private var longestLevel = 0

    init(days: Int, top: Double, height: Double) {
        self.days = max(1, days)
        self.top = top
        self.height = height
    }

    var bottom: Double { top + height }

    /// A path whose places from left to right are days.
    mutating func path(_ style: String, _ path: String, title: String? = nil) {
        let title: HTML = title.map { "<title>\($0)</title>" } ?? .empty
        shapes += "<path class=\"\(style)\" d=\"\(path)\">\(title)</path>"
    }

    /// A horizontal line across the plot.
    mutating func line(_ style: String, y: Double) { path(style, "M0 \(y.pixels)h\(days)") }

    /// A vertical line across the plot.
    mutating func upright(_ style: String, x: Double) { path(style, "M\(x.pixels) \(top.pixels)v\(height.pixels)") }

    /// A text that would begin near the right edge ends at its day instead.
    mutating func words(_ words: String, _ style: String = "tick", x: Double, y: Double) {
        let place: HTML = isLate(x) ? " text-anchor=\"end\"" : .empty
        texts += "<text class=\"\(style)\" x=\"\(share(x))%\" y=\"\(y.pixels)\"\(place)>\(words)</text>"
    }

    /// Whether a text that begins there might not fit on a narrow screen.
    func isLate(_ x: Double) -> Bool { x > Double(days) * 0.86 }

    /// What happened on a day, above the plot. Late ones can reach past it, so they are for wide screens.
    mutating func mark(_ words: String, x: Double, isWide: Bool) {
        let style = isWide ? "mark wide" : "mark"
        texts += "<text class=\"\(style)\" x=\"\(share(x))%\" dx=\"3\" y=\"\((top - 12).pixels)\">\(words)</text>"
    }

    /// The sign of an event.
    mutating func diamond(x: Double, y: Double, title: String? = nil) {
        let title: HTML = title.map { "<title>\($0)</title>" } ?? .empty
        texts += "<svg x=\"\(share(x))%\" y=\"\(y.pixels)\">\(title)<path class=\"act\" d=\"M0-4l4 4-4 4-4-4z\"/></svg>"
    }

    /// A value left of the plot.
    mutating func level(_ text: String, y: Double) {
        longestLevel = max(longestLevel, text.count)
        levels += "<text class=\"tick\" x=\"100%\" dx=\"-8\" y=\"\((y + 4).pixels)\" text-anchor=\"end\">\(text)</text>"
    }

    /// A name right of the plot.
    mutating func name(_ text: String, _ style: String = "name", y: Double) {
        names += "<text class=\"\(style)\" x=\"8\" y=\"\((y + 4).pixels)\">\(text)</text>"
    }

    /// The first and last day, below the plot.
    mutating func ends(_ first: Day, _ last: Day, y: Double) {
        words(first.spoken, x: 0, y: y)
        words(last.spoken, x: Double(days), y: y)
    }

    /// - Parameters:
    ///   - description: for people who can't see it.
    ///   - readout: what to show for the day under the pointer.
    func html(height: Int, _ description: String, _ readout: Readout? = nil) -> HTML {
        let names: HTML =
            names == .empty ? .empty : "<svg class=\"names\" height=\"\(height)\" aria-hidden=\"true\">\(names)</svg>"
        return """
            <div class="plot"><svg class="levels" width="\(12 + 7 * longestLevel)" height="\(height)" aria-hidden="true">\(levels)</svg>\
            <div class="field"><svg height="\(height)" role="img" aria-label="\(description)"\(readout?.attributes ?? .empty)>\
            <svg class="shapes" width="100%" height="\(height)" viewBox="0 0 \(days) \(height)" preserveAspectRatio="none">\(shapes)</svg>\
            \(texts)</svg></div>\(names)</div>
            """
    }

    /// A place as a percentage of the width, to a hundredth.
    private func share(_ x: Double) -> String {
        let hundredths = Int((x / Double(days) * 10_000).rounded())
        let fraction = hundredths % 100
        return fraction == 0 ? "\(hundredths / 100)" : "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
