internal import CensusCore
internal import CensusStore

/// Draws one kind's counts. The band between certain and possible has hard edges, because it is a hard bound. The expected
/// number is a line, and what the OS reported is a thin dashed line.
struct BandChart: Drawing {
    /// Another kind's counts, on the same days.
    struct Other {
        var kind: String
        var series: CountSeries
    }

    var series: CountSeries
    var kind: String
    var marks: [ConsoleMark]
    /// The largest number that must fit, for charts that share a scale.
    var largest: Int
    /// A small chart among others names no lines or dates.
    var isSmall = false
    /// Compared with the kind, without what the OS reported.
    var other: Other?

    var html: HTML { isSmall ? small : large }

    private var small: HTML {
        var canvas = Canvas(days: series.counts.count, top: 8, height: 82)
        let scale = Scale(exactlyUpTo: largest, height: canvas.height)
        for level in [0, scale.maximum] { canvas.level(level.grouped, y: canvas.top + scale.y(Double(level))) }
        for (style, line) in lines(series, scale, top: canvas.top) { canvas.path(style, line) }
        canvas.line("axis", y: canvas.bottom)
        for mark in marks {
            let (x, title) = (x(of: mark), "\(mark.words), \(mark.day.spoken)")
            if mark.isRelease {
                canvas.path("release", "M\(x.pixels) \(canvas.bottom.pixels)v-6", title: title)
            } else {
                canvas.diamond(x: x, y: canvas.top - 4, title: title)
            }
        }
        return canvas.html(height: 96, description)
    }

    /// Each line with its style, in drawing order.
    private func lines(
        _ series: CountSeries, _ scale: Scale, top: Double, style: String = ""
    ) -> [(style: String, path: String)] {
        func heights(_ value: (CountSeries.Count) -> Double) -> [Double?] {
            series.counts.map { $0.map { top + scale.y(value($0)) } }
        }
        let path = StepPath(left: 0, width: 1)
        let certain = heights { Double($0.certain) }
        let possible = heights { Double($0.possible) }
        let reported = other == nil ? path.line(heights { Double($0.reported) }) : ""
        let lines: [(style: String, path: String)] = [
            ("band" + style, path.band(possible, certain)), ("edge" + style, path.line(possible) + path.line(certain)),
            ("reported", reported), ("expected" + style, path.line(heights { $0.expected })),
        ]
        return lines.filter { !$0.path.isEmpty }
    }

    /// A description for people who can't see the chart.
    private var description: String {
        let others = other.map { " Beside it, \($0.series.finding($0.kind))." } ?? ""
        guard let (_, count) = series.latest else { return series.finding(kind) + "." + others }
        var text = series.finding(kind)
        if let (day, first) = series.known.first {
            text +=
                "; between \(first.certain.grouped) and \(first.possible.grouped) on \(day.spoken(from: series.first, to: series.last))"
        }
        return text + ". Expected \(count.expected.devices), reported \(count.reported.grouped)." + others
    }

    /// The mark's day, as days from the first one.
    /// What came after the last closed day is at the right edge.
    private func x(of mark: ConsoleMark) -> Double {
        min(Double(mark.day.daysSince1970 - series.first.daysSince1970), Double(series.counts.count) - 0.5)
    }
}

// The large chart, with axes, marks and names of its lines.
extension BandChart {
    private var large: HTML {
        var canvas = Canvas(days: series.counts.count, top: 34, height: 232)
        let scale = Scale(upTo: largest, height: canvas.height)
        for tick in scale.ticks {
            canvas.line("grid-line", y: canvas.top + scale.y(Double(tick)))
            canvas.level(tick.grouped, y: canvas.top + scale.y(Double(tick)))
        }
        for day in dates {
            let x = Double(day.daysSince1970 - series.first.daysSince1970)
            canvas.path("grid-line", "M\(x.pixels) \(canvas.bottom.pixels)v5")
            canvas.words(day.spoken(from: series.first, to: series.last), x: x, y: canvas.bottom + 20)
        }
        if let other {
            for (style, line) in lines(other.series, scale, top: canvas.top, style: " other") {
                canvas.path(style, line)
            }
        }
        for (style, line) in lines(series, scale, top: canvas.top) { canvas.path(style, line) }
        draw(marks, on: &canvas)
        for name in names(scale) { canvas.name(name.words, name.style, y: canvas.top + name.y) }
        return canvas.html(height: 300, description, readout)
    }

    private var readout: Readout {
        guard let other else { return series.readout }
        func bounds(_ series: CountSeries) -> [[String]?] { series.readout.days.map { $0.map { Array($0.prefix(3)) } } }
        let none = ["-", "-", "-"]
        let days = zip(bounds(series), bounds(other.series)).map { one, two in
            one == nil && two == nil ? nil : (one ?? none) + (two ?? none)
        }
        let names = [kind, other.kind].flatMap { kind in series.readout.names.prefix(3).map { "\(kind), \($0)" } }
        return Readout(first: series.first, names: names, days: days)
    }

    /// The first day of each month, or of some weeks if there are few months; as many as fit on a narrow screen.
    private var dates: [Day] {
        let days = series.counts.indices.map { series.first + $0 }
        var named = days.filter { $0.civil.day == 1 }
        if named.count < 2 {
            named = stride(from: 0, to: days.count, by: max(1, days.count / 5)).map { days[$0] }
        }
        let most = series.first.civil.year == series.last.civil.year ? 6 : 4
        let every = max(1, (named.count + most - 1) / most)
        return named.enumerated().filter { $0.offset % every == 0 }.map(\.element)
    }

    /// Draws marks with labels. Labels that would overlap are only in the table.
    private func draw(_ marks: [ConsoleMark], on canvas: inout Canvas) {
        // Up to where labels reach, in pixels of a wide and of a narrow screen.
        var (wide, narrow) = (-Double.infinity, -Double.infinity)
        for mark in marks {
            let x = x(of: mark)
            canvas.upright(mark.isRelease ? "release" : "act-line", x: x)
            if !mark.isRelease { canvas.diamond(x: x, y: canvas.top) }
            let length = Double(mark.shortWords.count) * 6.5 + 8
            let place = x / Double(canvas.days)
            guard place * 660 > wide else { continue }
            wide = place * 660 + length
            let isWide = place * 270 <= narrow || canvas.isLate(x)
            if !isWide { narrow = place * 270 + length }
            canvas.mark(mark.shortWords, x: x, isWide: isWide)
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
        if let (_, second) = other?.series.latest {
            names = [names[2], (scale.y(second.expected), "expected \(second.expected.devices)", "name strong other")]
        } else if count.certain == count.possible {
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
        case .acknowledgement(let surface, let kind, let version, let actor, let isWithdrawn):
            isWithdrawn
                ? "\(actor) withdrew the acknowledgement of the loss of \(kind)\(surface.onSurface) in \(version)"
                : "\(actor) acknowledged the loss of \(kind)\(surface.onSurface) in \(version)"
        }
    }

    fileprivate var shortWords: String {
        switch event {
        case .release(let version): version
        case .act(_, _, let lifecycle, _): lifecycle.rawValue
        case .loss(_, _, _, .open, _): "loss"
        case .loss(_, _, _, let state, _): state.rawValue
        case .acknowledgement(_, _, _, _, let isWithdrawn): isWithdrawn ? "withdrawn" : "acknowledged"
        }
    }

    /// Whether it might explain changes of the kind. Releases affect all kinds.
    func isAbout(_ kind: String, _ surface: String) -> Bool {
        switch event {
        case .release: true
        case .act(let itsSurface, let itsKind, _, _), .loss(let itsSurface, let itsKind, _, _, _),
            .acknowledgement(let itsSurface, let itsKind, _, _, _):
            itsSurface == surface && itsKind.hasBytes(of: kind)
        }
    }
}
