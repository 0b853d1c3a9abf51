internal import CensusCore
internal import CensusStore

/// Another tool's numbers beside ours, kind by kind.
struct Shadow {
    private let app: String
    /// By kind, surface and measure.
    private(set) var series: [ShadowSeries] = []
    /// What of their file could not be compared, and what of ours they lack, in sentences.
    private(set) var remarks: [String] = []

    /// - Parameters:
    ///   - ours: every kind on every closed day of theirs.
    ///   - kinds: all that the app ever had.
    init(_ theirs: [TheirNumbers.Row], _ ours: [CountedDay], kinds: [String], app: String) {
        self.app = app
        let known = Dictionary(grouping: ours, by: \.kind)
        let closed = Set(ours.map(\.day))
        var pairs: [Cell: [(theirs: Double, ours: CountedDay)]] = [:]
        var (open, unknown): (Set<Day>, Set<String>) = ([], [])
        for row in theirs {
            guard closed.contains(row.day) else {
                open.insert(row.day)
                continue
            }
            guard let days = known[row.kind] else { continue }
            let surface = row.surface ?? Shadow.surface(of: days)
            guard let day = days.first(where: { $0.day == row.day && $0.surface == surface }) else {
                unknown.insert("\(row.kind)\(surface.onSurface)")
                continue
            }
            for (measure, number) in row.numbers {
                pairs[Cell(kind: row.kind, surface: surface, measure: measure), default: []].append((number, day))
            }
        }
        series = pairs.sorted { $0.key < $1.key }.compactMap { ShadowSeries($0.key.measure, $0.value) }
        for kind in unknown.union(theirs.map(\.kind).filter { !kinds.contains($0) }).sorted() {
            let meant = kind.nearest(among: kinds).map { "; did you mean \($0)?" } ?? "."
            remarks.append("\(app) has no kind \(kind.brief)\(meant)")
        }
        if let first = open.min(), let last = open.max() {
            remarks.append(
                "\(open.count.counted("day", "of theirs is", "of theirs are")) not closed here: \(first) to \(last).")
        }
        let missing = Set(ours.filter { $0.devicesPossible > 0 }.map(\.kind)).subtracting(theirs.map(\.kind))
        if !missing.isEmpty {
            remarks.append("Theirs lacks \(missing.sorted().map(\.brief).joined(separator: ", ")).")
        }
    }

    /// A kind without a surface is a widget, if there is such a widget.
    private static func surface(of days: [CountedDay]) -> String {
        let surfaces = Set(days.map(\.surface))
        let widget = Surface.widget.rawValue
        return surfaces.contains(widget) ? widget : surfaces.min() ?? widget
    }

    private struct Cell: Hashable, Comparable {
        var kind: String
        var surface: String
        var measure: TheirMeasure

        static func < (left: Cell, right: Cell) -> Bool {
            (left.kind, left.surface, left.measure.order) < (right.kind, right.surface, right.measure.order)
        }
    }
}

extension TheirMeasure {
    fileprivate var order: Int { TheirMeasure.allCases.firstIndex(of: self) ?? 0 }
}

extension Shadow {
    /// A row for each day, kind and measure. A reason that doesn't explain the difference is null.
    var table: ReportTable {
        let rows = series.flatMap { series in series.days.map { (series, $0.theirs, $0.ours) } }
        typealias Row = (series: ShadowSeries, theirs: Double, ours: CountedDay)
        let reasons: [ReportTable.RecordColumn<Row>] = Discrepancy.allCases.map { reason in
            .number(reason.rawValue) { row in
                row.series.reasons.contains(reason) ? row.series.amount(of: reason, row.ours).shortened : nil
            }
        }
        let bounds = { (row: Row) in row.series.measure.bounds(on: row.ours) }
        return ReportTable(
            rows,
            [
                .text("app_id") { _ in app }, .time("day") { $0.ours.day }, .text("surface") { $0.series.surface },
                .text("kind") { $0.series.kind }, .text("measure") { $0.series.measure.rawValue },
                .number("theirs") { $0.theirs.shortened }, .number("ours") { $0.series.ours($0.ours).shortened },
                .number("ours_certain") { bounds($0)?.lowerBound }, .number("ours_possible") { bounds($0)?.upperBound },
                .number("difference") { ($0.theirs - $0.series.ours($0.ours)).shortened },
            ] + reasons + [
                .number("unexplained") { $0.series.unexplained(theirs: $0.theirs, $0.ours).shortened }
            ], spare: ["app_id", "surface"])
    }

    /// What the table says, for people: a paragraph for each kind and measure.
    var summary: String {
        (series.map(\.paragraph) + (remarks.isEmpty ? [] : [remarks.joined(separator: "\n")])).joined(separator: "\n\n")
    }
}

extension ShadowSeries {
    fileprivate var paragraph: String {
        let (theirs, ours) = (mean(\.theirs), mean { self.ours($0.ours) })
        let days = days.count.counted("day")
        var lines = ["\(kind.brief)\(surface.onSurface), \(measure.rawValue), \(days):"]
        let (their, our) = (points(\.theirs), points { self.ours($0.ours) })
        let highest = (their + our).max()
        lines.append("  theirs  \(Sparkline.text(their, highest: highest))  \(theirs.inWords) on average")
        lines.append("  ours    \(Sparkline.text(our, highest: highest))  \(ours.inWords)\(comparison(theirs, ours))")
        if let outside, outside.below + outside.above > 0 {
            lines.append(
                "  Theirs is above our upper bound on \(outside.above.counted("day")), below our lower bound on "
                    + "\(outside.below).")
        }
        guard !reasons.isEmpty else {
            if comparison(theirs, ours) != ShadowSeries.equal {
                lines.append("  No reason that we know explains the difference.")
            }
            return lines.joined(separator: "\n")
        }
        lines.append("  What explains the difference best, on average:")
        for reason in reasons {
            lines.append("  \(mean { amount(of: reason, $0.ours) }.signed)  it \(reason.words(in: measure))")
        }
        let rest = mean { unexplained(theirs: $0.theirs, $0.ours) }
        lines.append("  \(rest.signed)  unexplained")
        return lines.joined(separator: "\n")
    }

    /// The means of at most 60 equal periods, as many as a line has room for.
    private func points(_ value: ((theirs: Double, ours: CountedDay)) -> Double) -> [Double] {
        let size = (days.count + 59) / 60
        return stride(from: 0, to: days.count, by: size).map { start in
            let period = days[start..<min(days.count, start + size)]
            return period.reduce(0) { $0 + value($1) } / Double(period.count)
        }
    }

    private static let equal = "; theirs is the same to within 0.5%"

    private func comparison(_ theirs: Double, _ ours: Double) -> String {
        guard ours > 0 else { return "" }
        let share = abs(theirs - ours) / ours
        guard share >= 0.005 else { return ShadowSeries.equal }
        return "; theirs is \(share.asPercentage) \(theirs > ours ? "higher" : "lower")"
    }
}

extension Double {
    /// Without a fraction if it has none.
    fileprivate var shortened: String {
        let tenths = (self * 10).rounded() / 10
        return tenths == tenths.rounded() && abs(tenths) < 1e15 ? "\(Int(tenths))" : "\(tenths)"
    }

    fileprivate var inWords: String { abs(self) < 10 ? shortened : Int(rounded()).grouped }

    /// In a column, with its sign.
    fileprivate var signed: String {
        let text = (self > 0 ? "+" : "") + inWords
        return String(repeating: " ", count: max(0, 8 - text.count)) + text
    }
}
