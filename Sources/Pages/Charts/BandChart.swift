internal import CensusCore
internal import CensusStore

/// Draws one kind's counts. The band between certain and possible has hard edges, because it is a hard bound. The expected
/// number is a line, and what the OS reported is a thin dashed line.
struct BandChart: Drawing {
    var series: CountSeries
    var kind: String
    var marks: [ConsoleMark]
    /// The largest number that must fit, for charts that share a scale.
    var largest: Int
    /// A small chart among others has no axes.
    var isSmall = false

    var svg: HTML { isSmall ? small : large }

    private var small: HTML {
        let path = StepPath(left: 0, width: 270 / Double(max(1, series.counts.count)))
        let lines = lines(path, Scale(exactlyUpTo: largest, height: 82), top: 8)
        return """
            <svg class="chart" viewBox="0 0 270 90" role="img" aria-label="\(description)">\
            \(lines.html { "<path class=\"\($0)\" d=\"\($1)\"/>" })<path class="axis" d="M0 89.5h270"/>\
            \(marks.html { smallMark($0, x: min(x(of: $0, path), 266)) })</svg>
            """
    }

    private func smallMark(_ mark: ConsoleMark, x: Double) -> HTML {
        let path = mark.isRelease ? "M\(x.pixels) 90v-6" : "M\(x.pixels) 0l4 4-4 4-4-4z"
        let title = "\(mark.words), \(mark.day.spoken)"
        return "<path class=\"\(mark.isRelease ? "release" : "act")\" d=\"\(path)\"><title>\(title)</title></path>"
    }

    /// Each line with its style, in drawing order.
    private func lines(_ path: StepPath, _ scale: Scale, top: Double) -> [(style: String, path: String)] {
        func heights(_ value: (CountSeries.Count) -> Double) -> [Double?] {
            series.counts.map { $0.map { top + scale.y(value($0)) } }
        }
        let certain = heights { Double($0.certain) }
        let possible = heights { Double($0.possible) }
        return [
            ("band", path.band(possible, certain)), ("edge", path.line(possible) + path.line(certain)),
            ("reported", path.line(heights { Double($0.reported) })), ("expected", path.line(heights { $0.expected })),
        ]
    }

    /// A description for people who can't see the chart.
    private var description: String {
        guard let (_, count) = series.latest else { return series.finding(kind) }
        var text = series.finding(kind)
        if let (day, first) = series.known.first {
            text +=
                "; between \(first.certain.grouped) and \(first.possible.grouped) on \(day.spoken(from: series.first, to: series.last))"
        }
        return text + ". Expected \(count.expected.devices), reported \(count.reported.grouped)."
    }

    private func x(of day: Day, _ path: StepPath) -> Double {
        path.left + Double(day.daysSince1970 - series.first.daysSince1970) * path.width
    }

    private func x(of mark: ConsoleMark, _ path: StepPath) -> Double { x(of: mark.day, path) }
}

// The large chart, with axes, marks and names of its lines.
extension BandChart {
    private var large: HTML {
        var canvas = Canvas(top: 34, width: 660, height: 232)
        let scale = Scale(upTo: largest, height: canvas.height)
        let path = StepPath(left: canvas.left, width: canvas.width / Double(max(1, series.counts.count)))
        for tick in scale.ticks {
            canvas.line("grid-line", y: canvas.top + scale.y(Double(tick)))
            canvas.level(tick.grouped, y: canvas.top + scale.y(Double(tick)))
        }
        for day in dates {
            let x = x(of: day, path)
            canvas.path("grid-line", "M\(x.pixels) \(canvas.bottom.pixels)v5")
            canvas.words(day.spoken(from: series.first, to: series.last), x: x, y: canvas.bottom + 20)
        }
        for (style, line) in lines(path, scale, top: canvas.top) { canvas.path(style, line) }
        draw(marks, on: &canvas, path)
        for name in names(scale) { canvas.name(name.words, name.style, y: canvas.top + name.y) }
        return canvas.svg(height: 300, description)
    }

    /// The first day of each month, or of some weeks if there are few months; as many as fit.
    private var dates: [Day] {
        let days = series.counts.indices.map { series.first + $0 }
        var named = days.filter { $0.civil.day == 1 }
        if named.count < 2 { named = stride(from: 0, to: days.count, by: max(7, days.count / 5)).map { days[$0] } }
        let every = max(1, (named.count + 7) / 8)
        return named.enumerated().filter { $0.offset % every == 0 }.map(\.element)
    }

    /// Draws marks with labels. Labels that would overlap are only in the table.
    private func draw(_ marks: [ConsoleMark], on canvas: inout Canvas, _ path: StepPath) {
        var free = -Double.infinity
        for mark in marks {
            let x = min(x(of: mark, path), canvas.right)
            canvas.upright(mark.isRelease ? "release" : "act-line", x: x)
            if !mark.isRelease { canvas.path("act", "M\(x.pixels) \((canvas.top - 4).pixels)l4 4-4 4-4-4z") }
            let end = x + Double(mark.shortWords.count) * 6.5
            guard x > free, end < 860 else { continue }
            free = end + 8
            canvas.words(mark.shortWords, "mark", x: x + 3, y: canvas.top - 12)
        }
    }

    /// The names of the lines at their right end, spaced so that they are readable.
    private func names(_ scale: Scale) -> [(y: Double, words: String, style: String)] {
        guard let (_, count) = series.latest else { return [] }
        var names: [(y: Double, words: String, style: String)] = [
            (scale.y(Double(count.reported)), "reported \(count.reported.grouped)", "name naive"),
            (scale.y(Double(count.possible)), "possible \(count.possible.grouped)", "name"),
            (scale.y(count.expected), "expected \(count.expected.devices)", "name strong"),
            (scale.y(Double(count.certain)), "certain \(count.certain.grouped)", "name"),
        ]
        if count.certain == count.possible {
            names = [names[0], (scale.y(count.expected), "certain \(count.certain.grouped)", "name strong")]
        }
        // First from the top, so that they don't overlap. Then from the bottom, so that all are within the plot.
        names.sort { $0.y < $1.y }
        for index in names.indices.dropFirst() { names[index].y = max(names[index].y, names[index - 1].y + 15) }
        var lowest = scale.height
        for index in names.indices.reversed() {
            names[index].y = min(names[index].y, lowest)
            lowest = names[index].y - 15
        }
        return names
    }
}

extension ConsoleMark {
    var isRelease: Bool {
        if case .release = event { true } else { false }
    }

    /// The event in a few words.
    var words: String {
        switch event {
        case .release(let version): "version \(version)"
        case .act(let surface, let kind, let lifecycle, let actor):
            switch lifecycle {
            case .active: "\(actor) reopened \(kind)\(surface.onSurface)"
            case .legacy: "\(actor) marked \(kind)\(surface.onSurface) legacy"
            case .retired: "\(actor) retired \(kind)\(surface.onSurface)"
            }
        case .loss(let surface, let kind, let version, let state, let actor):
            state == .open
                ? "updates to \(version) lost \(kind)\(surface.onSurface)"
                : "\(actor) \(state.rawValue) the loss of \(kind)\(surface.onSurface) in updates to \(version)"
        case .acknowledgement(let surface, let kind, let version, let actor):
            "\(actor) acknowledged the loss of \(kind)\(surface.onSurface) in \(version)"
        }
    }

    fileprivate var shortWords: String {
        switch event {
        case .release(let version): version
        case .act(_, _, let lifecycle, _): lifecycle.rawValue
        case .loss(_, _, _, .open, _): "loss"
        case .loss(_, _, _, let state, _): state.rawValue
        case .acknowledgement: "acknowledged"
        }
    }

    /// Whether it might explain changes of the kind. Releases affect all kinds.
    func isAbout(_ kind: String, _ surface: String) -> Bool {
        switch event {
        case .release: true
        case .act(let itsSurface, let itsKind, _, _), .loss(let itsSurface, let itsKind, _, _, _),
            .acknowledgement(let itsSurface, let itsKind, _, _):
            itsSurface == surface && itsKind.hasBytes(of: kind)
        }
    }
}
