internal import CensusCore
internal import CensusStore

/// A kind's days, for charts.
struct KindHistory: Sendable {
    /// A kind of one surface.
    struct Place: Sendable {
        var surface: String
        var kind: String

        /// In URLs. No surface contains a slash.
        var text: String { "\(surface)/\(kind)" }
        var name: String { kind + surface.surfaceInBrackets }

        init(surface: String, kind: String) {
            self.surface = surface
            self.kind = kind
        }

        /// Nil if it names no surface.
        init?(_ text: String) {
            let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let surface = Surface(rawValue: String(Substring(parts[0]))) else { return nil }
            self.init(surface: surface.rawValue, kind: String(Substring(parts[1])))
        }
    }

    /// The most kinds that people can choose to compare.
    static let mostOthers = 50

    /// As it was requested; the series can begin later.
    var period: Period
    var series: CountSeries
    /// Releases and decisions that might explain its changes.
    var marks: [ConsoleMark]
    var families: [FamilyCount]
    var changes: [ChangeCount]
    var ghosts: [GhostDay]
    /// Another kind that the chart compares it with.
    var other: (place: Place, series: CountSeries)?
    /// The app's other kinds, most common first.
    var others: [Place] = []

    /// How many devices have it, day by day.
    @Blocks func counts(of page: KindPage) -> [Block] {
        Block.choices(choices(page), label: nil)
        Block.filters(filters(page))
        if let other { Block.comparison(page.kind, other.place.name) } else { Block.key }
        Block.chart(counted(page))
    }

    private func counted(_ page: KindPage) -> Figure {
        var figure = Figure(
            finding: "\(name: page.kind): \(series.finding)",
            drawing: BandChart(series: series, kind: page.kind, marks: marks, largest: series.largest),
            note: series.latest.map { "expected \($0.count.expected.devices) · reported \($0.count.reported)" },
            table: series.table,
            sources: Sources(query("live_kinds", page), of: series.table, order: "day"))
        guard let other else { return figure }
        figure.finding = "\(figure.finding); \(name: other.place.name): \(other.series.finding)"
        figure.drawing = BandChart(
            series: series, kind: page.kind, marks: marks, largest: max(series.largest, other.series.largest),
            other: BandChart.Other(kind: other.place.name, series: other.series))
        let places = [Place(surface: page.surface, kind: page.kind), other.place]
        let table = CountSeries.table(zip(places, [series, other.series]).map { ($0.surface, $0.kind, $1) })
        var query = query("live_kinds", page)
        (query.surface, query.kind) = (nil, nil)
        let pairs = places.map { "(\($0.surface.asSQLLiteral), \($0.kind.asSQLLiteral))" }
        query.condition = "(surface, kind) in (\(pairs.joined(separator: ", ")))"
        figure.table = table
        figure.sources = Sources(query, of: table, order: "day, surface, kind")
        return figure
    }

    /// A query of the days that the charts show.
    private func query(_ report: String, _ page: KindPage) -> ReportQuery {
        var query = page.query(report, since: series.first)
        query.until = series.last
        return query
    }

    /// The page with the same kinds and limits.
    private func link(_ page: KindPage, beside place: Place?) -> Link {
        let link = Link(.kind).with("app", page.app).with("kind", page.kind).with("surface", page.surface)
            .with("beside", place?.text)
        return page.tried.entries.reduce(link) { $0.with($1.name, $1.value) }
    }

    /// The page as it is shown.
    func link(to page: KindPage) -> Link { period.on(link(page, beside: other?.place)) }

    private func choices(_ page: KindPage) -> [Phrase] {
        let choices = period.choices { $0.on(link(page, beside: other?.place)) }
        guard other == nil, let replacement = page.judged?.figures.replacement else { return choices }
        let place = Place(surface: page.surface, kind: replacement)
        return choices + ["\("compare with \(replacement)", to: period.on(link(page, beside: place)))"]
    }

    private func filters(_ page: KindPage) -> Filters {
        var places = others
        if let other, !places.contains(where: { $0.text.hasBytes(of: other.place.text) }) { places.append(other.place) }
        let options = [(value: "", label: "no other kind")] + places.map { (value: $0.text, label: $0.name) }
        return Filters(
            link: link(to: page),
            fields: [
                Filters.Field(
                    name: "beside", label: "Compare with", value: other?.place.text ?? "", control: .choice(options))
            ] + period.fields)
    }

    /// Added, removed and suspect placements.
    @Blocks func changes(of page: KindPage) -> [Block] {
        Block.heading("Added and removed")
        if changes.isEmpty {
            Block.paragraph("No certain widgets were added or removed.", style: .soft)
        } else {
            Block.table(causes)
            Block.chart(flows(page))
        }
        Block.heading("Ghosts")
        if let latest = ghosts.last {
            Block.paragraph(
                "On \(latest.day), the OS reported \(latest.suspect, "widget") that might have been gone already.",
                """
                Of these, \(latest.gone) turned out to be gone and \(latest.stillThere) to be there; \
                \(latest.suspect - latest.gone - latest.stillThere) stay undecided until their devices boot.
                """)
            Block.sources(
                Sources(
                    query("ghosts", page),
                    "day, widgets_suspect, widgets_gone, widgets_still_there", order: "day"))
        } else {
            Block.paragraph("The OS reported no widgets that might have been gone already.", style: .soft)
        }
    }

    private var causes: Table {
        let byCause = Dictionary(grouping: changes, by: \.cause).map { cause, changes in
            (cause: cause, added: changes.reduce(0) { $0 + $1.added }, removed: changes.reduce(0) { $0 + $1.removed })
        }.sorted { ($1.added + $1.removed, $0.cause) < ($0.added + $0.removed, $1.cause) }
        return Table(
            "By cause", byCause,
            [.text("cause", \.cause.causeInWords), .number("added", \.added), .number("removed", \.removed)])
    }

    private func spoken(_ day: Day) -> String { day.spoken(from: series.first, to: series.last) }

    private func flows(_ page: KindPage) -> Figure {
        // Editing a widget ends one placement and begins another, but nobody lost anything.
        let moves = changes.filter { $0.cause != "configured" }
        let added = moves.reduce(0) { $0 + $1.added }
        let removed = moves.reduce(0) { $0 + $1.removed }
        let table = Table(
            "Widgets by day and cause, newest first", moves.reversed(),
            [
                .time("day", \.day).from("day"), .text("cause", \.cause.causeInWords).from("cause"),
                .number("added", \.added).from("sum(widgets_added) as widgets_added"),
                .number("removed", \.removed).from("sum(widgets_removed) as widgets_removed"),
            ],
            most: Figure.mostRows)
        var query = query("changes", page)
        query.condition = "cause <> 'configured'"
        return Figure(
            finding: """
                \(added, "widget") added and \(removed) removed, not counting edits, between \(spoken(series.first)) \
                and \(spoken(series.last))
                """,
            drawing: FlowChart(first: series.first, last: series.last, changes: moves),
            table: table, sources: Sources(query, of: table, groupedBy: "day, cause", order: "day, cause"))
    }
}
