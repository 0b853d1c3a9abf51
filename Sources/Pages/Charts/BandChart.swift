internal import CensusCore
internal import CensusStore

/// Draws one kind's counts: the band between certain and possible with hard edges, since it is a bound, not a probability;
/// what is expected as a line; what the OS reported as a thin dashed one.
struct BandChart {
    var series: CountSeries
    var kind: String
    var marks: [ConsoleMark]
    /// What must fit, for charts that share a scale.
    var largest: Int

    /// A small chart among others, without axes.
    var small: HTML {
        let (width, height) = (270.0, 90.0)
        let scale = Scale(exactlyUpTo: largest, height: height - 8)
        let path = StepPath(left: 0, width: width / Double(max(1, series.counts.count)))
        return """
            <svg class="chart" viewBox="0 0 270 90" role="img" aria-label="\(description)">\
            \(lines(path, scale, top: 8))\
            <path class="axis" d="M0 89.5h270"/>\(marks.html { smallMark($0, path, height) })</svg>
            """
    }

    private func smallMark(_ mark: ConsoleMark, _ path: StepPath, _ height: Double) -> HTML {
        let x = min(path.left + Double(index(mark.day)) * path.width, 266)
        switch mark.event {
        case .release(let version):
            return
                "<path class=\"release\" d=\"M\(x.pixels) \(height.pixels)v-6\"><title>\(version), \(mark.day.spokenShortly)</title></path>"
        case .act:
            return
                "<path class=\"act\" d=\"M\(x.pixels) 0l4 4-4 4-4-4z\"><title>\(mark.words), \(mark.day.spokenShortly)</title></path>"
        }
    }

    private func lines(_ path: StepPath, _ scale: Scale, top: Double) -> HTML {
        func heights(_ value: (CountSeries.Count) -> Double) -> [Double?] {
            series.counts.map { $0.map { top + scale.y(value($0)) } }
        }
        let certain = heights { Double($0.certain) }
        let possible = heights { Double($0.possible) }
        return """
            <path class="band" d="\(path.band(possible, certain))"/>\
            <path class="edge" d="\(path.line(possible))\(path.line(certain))"/>\
            <path class="reported" d="\(path.line(heights { Double($0.reported) }))"/>\
            <path class="expected" d="\(path.line(heights { $0.expected }))"/>
            """
    }

    /// In words, for people who cannot see it.
    private var description: String {
        guard let (_, count) = series.latest else { return series.finding(kind) }
        var text = series.finding(kind)
        if let (day, first) = series.known.first {
            text += "; between \(first.certain.grouped) and \(first.possible.grouped) on \(day.spokenShortly)"
        }
        return text + ". Expected \(count.expected.devices), reported \(count.reported.grouped)."
    }

    private func index(_ day: Day) -> Int { Int(day.daysSince1970 - series.first.daysSince1970) }
}

extension BandChart {
    private static let size = (width: 860.0, height: 300.0)
    private static let plot = (left: 62.0, top: 34.0, width: 660.0, height: 232.0)

    /// A large chart with axes, marks and the names of its lines.
    var large: HTML {
        let plot = BandChart.plot
        let scale = Scale(upTo: largest, height: plot.height)
        let path = StepPath(left: plot.left, width: plot.width / Double(max(1, series.counts.count)))
        return """
            <svg class="chart large" viewBox="0 0 860 300" role="img" aria-label="\(description)">\
            \(axes(scale, path))\(lines(path, scale, top: plot.top))\(labelled(marks, path))\(names(scale))</svg>
            """
    }

    private func axes(_ scale: Scale, _ path: StepPath) -> HTML {
        let plot = BandChart.plot
        let levels = scale.ticks.html { tick in
            let y = plot.top + scale.y(Double(tick))
            return """
                <path class="grid-line" d="M\(plot.left.pixels) \(y.pixels)h\(plot.width.pixels)"/>\
                <text class="tick" x="\((plot.left - 8).pixels)" y="\((y + 4).pixels)" text-anchor="end">\(tick.grouped)</text>
                """
        }
        return levels + dates(path)
    }

    /// The first day of each month, or some weeks where there are few.
    private func dates(_ path: StepPath) -> HTML {
        let plot = BandChart.plot
        let days = series.counts.indices.map { series.first + $0 }
        var named = days.filter { $0.civil.day == 1 }
        if named.count < 2 { named = stride(from: 0, to: days.count, by: max(7, days.count / 5)).map { days[$0] } }
        // As many as fit.
        let every = max(1, (named.count + 7) / 8)
        return named.enumerated().filter { $0.offset % every == 0 }.map(\.element).html { day in
            let x = path.left + Double(index(day)) * path.width
            return """
                <path class="grid-line" d="M\(x.pixels) \((plot.top + plot.height).pixels)v5"/>\
                <text class="tick" x="\(x.pixels)" y="\((plot.top + plot.height + 20).pixels)">\(day.spokenShortly)</text>
                """
        }
    }

    /// Marks with their words; words that would overlap are left to the table.
    private func labelled(_ marks: [ConsoleMark], _ path: StepPath) -> HTML {
        let plot = BandChart.plot
        var free = -Double.infinity
        return marks.html { mark in
            let x = min(path.left + Double(index(mark.day)) * path.width, plot.left + plot.width)
            let words = mark.shortWords
            var markup: HTML =
                mark.isRelease
                ? "<path class=\"release\" d=\"M\(x.pixels) \(plot.top.pixels)v\(plot.height.pixels)\"/>"
                : "<path class=\"act-line\" d=\"M\(x.pixels) \(plot.top.pixels)v\(plot.height.pixels)\"/><path class=\"act\" d=\"M\(x.pixels) \((plot.top - 4).pixels)l4 4-4 4-4-4z\"/>"
            if x > free, x + Double(words.count) * 6.5 < BandChart.size.width {
                free = x + Double(words.count) * 6.5 + 8
                markup += "<text class=\"mark\" x=\"\((x + 3).pixels)\" y=\"\((plot.top - 12).pixels)\">\(words)</text>"
            }
            return markup
        }
    }

    /// The names of the lines at their right end, as far apart as they must be to be read.
    private func names(_ scale: Scale) -> HTML {
        guard let (_, count) = series.latest else { return .empty }
        let plot = BandChart.plot
        var names: [(y: Double, words: String, style: String)] = [
            (scale.y(Double(count.reported)), "reported \(count.reported.grouped)", "name naive"),
            (scale.y(Double(count.possible)), "possible \(count.possible.grouped)", "name"),
            (scale.y(count.expected), "expected \(count.expected.devices)", "name strong"),
            (scale.y(Double(count.certain)), "certain \(count.certain.grouped)", "name"),
        ]
        let isNarrow = count.certain == count.possible
        if isNarrow {
            names = [names[0], (scale.y(count.expected), "certain \(count.certain.grouped)", "name strong")]
        }
        // From the top, each below the one before; then from the bottom, each within the plot.
        names.sort { $0.y < $1.y }
        for index in names.indices.dropFirst() { names[index].y = max(names[index].y, names[index - 1].y + 15) }
        var lowest = plot.height
        for index in names.indices.reversed() {
            names[index].y = min(names[index].y, lowest)
            lowest = names[index].y - 15
        }
        return names.html { name in
            "<text class=\"\(name.style)\" x=\"\((plot.left + plot.width + 8).pixels)\" y=\"\((plot.top + name.y + 4).pixels)\">\(name.words)</text>"
        }
    }
}

extension ConsoleMark {
    var isRelease: Bool {
        if case .release = event { true } else { false }
    }

    /// What happened, in a few words.
    var words: String {
        switch event {
        case .release(let version): "version \(version)"
        case .act(let surface, let kind, let lifecycle, let actor):
            "\(actor) made \(kind)\(surface.onSurface) \(lifecycle.rawValue)"
        }
    }

    fileprivate var shortWords: String {
        switch event {
        case .release(let version): version
        case .act(_, _, let lifecycle, _): lifecycle.rawValue
        }
    }
}
