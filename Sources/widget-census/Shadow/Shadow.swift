internal import CensusCore
internal import CensusStore

/// Another tool's numbers beside ours, kind by kind.
struct Shadow {
    private let app: String
    /// By measure.
    private(set) var parts: [Part] = []
    /// What of their file could not be compared, and what of ours they lack, in sentences.
    private(set) var remarks: [String] = []

    /// - Parameters:
    ///   - ours: every kind on every closed day of theirs.
    ///   - facts: about all days and kinds of the app.
    init(_ theirs: [TheirNumbers.Row], _ ours: [CountedDay], _ facts: ReportFacts, app: String) {
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
        let series = pairs.sorted { $0.key < $1.key }.compactMap { ShadowSeries($0.key.measure, $0.value) }
        parts = TheirMeasure.allCases.compactMap { measure in
            Part(measure, series.filter { $0.measure == measure })
        }
        remarks = Shadow.gaps(in: parts, closed.intersection(theirs.map(\.day)).count)
        for kind in unknown.union(theirs.map(\.kind).filter { !facts.kinds.contains($0) }).sorted() {
            let meant = kind.nearest(among: facts.kinds).map { "; did you mean \($0)?" } ?? "."
            remarks.append("\(app) has no kind \(kind.brief)\(meant)")
        }
        if let first = open.min(), let last = open.max() {
            let closed = facts.firstDay.flatMap { first in facts.lastDay.map { "our closed days are \(first) to \($0)" }
            }
            remarks.append(
                "\(open.count.counted("day", "of theirs is", "of theirs are")) left out, \(first) to \(last): "
                    + "\(closed ?? "no day is closed here").")
        }
        let missing = Set(ours.filter { $0.devicesPossible > 0 }.map(\.kind)).subtracting(theirs.map(\.kind))
        if !missing.isEmpty {
            remarks.append("Theirs lacks \(missing.sorted().map(\.brief).joined(separator: ", ")).")
        }
    }

    /// The kinds of one measure, with what explains them all.
    struct Part {
        let measure: TheirMeasure
        /// By kind and surface; never empty.
        let series: [ShadowSeries]
        let explanation: ShadowExplanation

        init?(_ measure: TheirMeasure, _ series: [ShadowSeries]) {
            guard !series.isEmpty else { return nil }
            self.measure = measure
            self.series = series
            explanation = ShadowExplanation(measure, series.flatMap(\.days))
        }
    }

    /// Days that theirs has for some kinds only, as when a query groups events and writes no zeros.
    private static func gaps(in parts: [Part], _ days: Int) -> [String] {
        let gaps = parts.flatMap(\.series).filter { $0.days.count < days }
        guard !gaps.isEmpty else { return [] }
        let each = gaps.map { "\($0.kind.brief)\($0.surface.onSurface) has \($0.measure.rawValue) on \($0.days.count)" }
        return [
            "Of the \(days.counted("day")) in theirs, \(each.joined(separator: ", ")). Other days are not compared: if no row means 0, add rows with 0."
        ]
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
            (left.kind, left.surface, left.measure.rawValue) < (right.kind, right.surface, right.measure.rawValue)
        }
    }
}

extension Shadow {
    private typealias Row = (series: ShadowSeries, explanation: ShadowExplanation, theirs: Double, ours: CountedDay)

    /// A row for each day, kind and measure. A reason that doesn't explain the difference is null.
    var table: ReportTable {
        let rows: [Row] = parts.flatMap { part in
            part.series.flatMap { series in series.days.map { (series, part.explanation, $0.theirs, $0.ours) } }
        }
        let reasons: [ReportTable.RecordColumn<Row>] = Discrepancy.allCases.map { reason in
            .number(reason.rawValue) { row in
                row.explanation.reasons.contains(reason) ? row.explanation.amount(of: reason, row.ours).shortened : nil
            }
        }
        let changes: [ReportTable.RecordColumn<Row>] = OtherChange.allCases.map { change in
            .number("\(change.rawValue)_widgets") { change.amount(in: $0.series.measure, on: $0.ours) }
        }
        let events = ReportTable.RecordColumn<Row>.number("events") { $0.series.measure.events(on: $0.ours) }
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
                .number("lost_share") { $0.explanation.share == nil ? nil : $0.explanation.lost($0.ours).shortened },
                .number("unexplained") { $0.explanation.unexplained(theirs: $0.theirs, $0.ours).shortened },
            ] + [events] + changes, spare: ["app_id", "surface"])
    }

    /// What the table says, for people: for each measure a verdict, and each kind beside ours.
    var summary: String {
        (parts.map(\.text) + (remarks.isEmpty ? [] : [remarks.joined(separator: "\n")])).joined(separator: "\n\n")
    }
}

extension Shadow.Part {
    fileprivate var text: String {
        ([heading, verdict] + series.map(paragraph)).joined(separator: "\n\n")
    }

    private var days: Int { Set(series.flatMap { $0.days.map(\.ours.day) }).count }

    private var heading: String {
        "\(measure.rawValue): \(series.count.counted("kind")), \(days.counted("day"))"
    }

    /// One for all kinds.
    private var verdict: String {
        let names = { (reasons: [Discrepancy]) in reasons.map(\.words).joined(separator: ", and ") }
        guard days >= ShadowExplanation.fewestDays else {
            return "\(days.counted("day", "is", "are")) too few to say what explains a difference."
        }
        if let share = explanation.share {
            let reason =
                share < 1
                ? "as if it lost the rest, such as people who objected"
                : "look for what it counts twice, or for longer than the activity window"
            return "Their tool counts \(share.asPercentage) of ours, every day alike: \(reason)."
        }
        guard !explanation.reasons.isEmpty else {
            return series.allSatisfy { $0.days.allSatisfy { $0.theirs == 0 } }
                ? "Theirs is 0 every day."
                : isSame
                    ? "Their tool counts as we do."
                    : "No reason that we know explains most of the difference.\(otherChanges)"
        }
        let other = explanation.alternative.map { "\nOr, nearly as well: it \(names($0))." } ?? ""
        return "What explains the difference best: their tool \(names(explanation.reasons)).\(other)"
    }

    private var otherChanges: String {
        measure == .devices || measure == .widgets
            ? "" : " We count what people placed or removed; their tool may also count the changes below."
    }

    private var isSame: Bool {
        series.allSatisfy {
            $0.mean { abs($0.theirs - measure.ours(on: $0.ours)) }
                <= $0.mean { ShadowExplanation.same * measure.ours(on: $0.ours) }
        }
    }

    private func paragraph(_ series: ShadowSeries) -> String {
        let (theirs, ours) = (series.mean(\.theirs), series.mean { series.ours($0.ours) })
        let (their, our) = (series.points(\.theirs), series.points { series.ours($0.ours) })
        let highest = (their + our).max()
        var lines = ["\(series.kind.brief)\(series.surface.onSurface)"]
        lines.append("  theirs  \(Sparkline.text(their, highest: highest))  \(theirs.inWords) on average")
        lines.append(
            "  ours    \(Sparkline.text(our, highest: highest))  \(ours.inWords)\(ShadowSeries.comparison(theirs, ours))"
        )
        if let outside = series.outside {
            let inside = series.days.count - outside.below - outside.above
            lines.append(
                inside == series.days.count
                    ? "  Theirs is within our bounds every day."
                    : "  Theirs is above our upper bound on \(outside.above.counted("day")), below our lower bound on \(outside.below)."
            )
        }
        for reason in explanation.reasons {
            lines.append("  \(series.mean { explanation.amount(of: reason, $0.ours) }.signed)  \(reason.rawValue)")
        }
        if explanation.share != nil {
            lines.append("  \(series.mean { explanation.lost($0.ours) }.signed)  lost_share")
        }
        if !explanation.isEmpty {
            let rest = series.mean { abs(explanation.unexplained(theirs: $0.theirs, $0.ours)) }
            lines.append("  \(("±" + rest.inWords).aligned)  unexplained on a typical day")
        }
        let events = series.mean { Double(measure.events(on: $0.ours) ?? 0) }
        if events > 0 { lines.append("  \(events.inWords.aligned)  a day: events that we got") }
        for change in OtherChange.allCases {
            let amount = series.mean { Double(change.amount(in: measure, on: $0.ours) ?? 0) }
            if amount > 0 { lines.append("  \(amount.inWords.aligned)  a day: \(change.words)") }
        }
        return lines.joined(separator: "\n")
    }
}

extension ShadowSeries {
    /// The means of at most 60 equal periods, as many as a line has room for.
    fileprivate func points(_ value: ((theirs: Double, ours: CountedDay)) -> Double) -> [Double] {
        let size = (days.count + 59) / 60
        return stride(from: 0, to: days.count, by: size).map { start in
            let period = days[start..<min(days.count, start + size)]
            return period.reduce(0) { $0 + value($1) } / Double(period.count)
        }
    }

    fileprivate static func comparison(_ theirs: Double, _ ours: Double) -> String {
        guard ours > 0 else { return "" }
        let ratio = theirs / ours
        guard abs(ratio - 1) >= ShadowExplanation.same else { return "; theirs is the same to within 0.5%" }
        guard ratio < 10 else { return "; theirs is more than ten times as high. Do both have the same unit?" }
        return "; theirs is \(abs(ratio - 1).asPercentage) \(ratio > 1 ? "higher" : "lower")"
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
    fileprivate var signed: String { ((self > 0 ? "+" : "") + inWords).aligned }
}

extension String {
    fileprivate var aligned: String { String(repeating: " ", count: max(0, 8 - count)) + self }
}
