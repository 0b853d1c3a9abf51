internal import CensusCore
internal import CensusStore

/// A kind's last days, as charts show them.
struct KindHistory: Sendable {
    var days: Int
    var series: CountSeries
    /// What may explain its changes.
    var marks: [ConsoleMark]
    var families: [FamilyCount]
    var changes: [ChangeCount]
    var ghosts: [GhostDay]

    /// How many devices hold it, day by day.
    @Blocks func counts(of page: KindPage) -> [Block] {
        Block.choices([choices(page)], label: nil)
        Block.key
        Block.chart(
            Figure(
                finding: "\(name: page.kind): \(series.finding)",
                drawing: BandChart(series: series, kind: page.kind, marks: marks, largest: series.largest),
                table: series.table,
                sources: Sources(page.query("live_kinds", since: series.first), of: series.table, order: "day")))
    }

    private func choices(_ page: KindPage) -> Phrase {
        let link = Link(.kind).with("app", page.app).with("kind", page.kind).with("surface", page.surface)
        return OverviewPage.Filter.choices(days) { link.with("days", "\($0)") }
    }

    /// What came and went, and what was suspect.
    @Blocks func changes(of page: KindPage) -> [Block] {
        Block.heading("What came and went")
        if changes.isEmpty {
            Block.paragraph("Nothing certain came or went in these days.", style: .soft)
        } else {
            Block.table(causes)
            Block.chart(flows(page))
        }
        Block.heading("Ghosts")
        if let latest = ghosts.last {
            Block.paragraph(
                "On \(latest.day) \(latest.suspect, "reported widget") might have been stale.",
                """
                Of these \(latest.gone) proved to be gone, \(latest.stillThere) to be there; \
                \(latest.suspect - latest.gone - latest.stillThere) without an outcome until their devices boot.
                """)
            Block.sources(
                Sources(
                    page.query("ghosts", since: series.first),
                    "day, widgets_suspect, widgets_gone, widgets_still_there", order: "day"))
        } else {
            Block.paragraph("The OS reported no widget that might have been stale in these days.", style: .soft)
        }
    }

    private var causes: Table {
        let byCause = Dictionary(grouping: changes, by: \.cause).map { cause, changes in
            (cause: cause, added: changes.reduce(0) { $0 + $1.added }, removed: changes.reduce(0) { $0 + $1.removed })
        }.sorted { ($1.added + $1.removed, $0.cause) < ($0.added + $0.removed, $1.cause) }
        return Table(
            "By cause", byCause, [.text("cause", \.cause), .number("came", \.added), .number("went", \.removed)])
    }

    private func spoken(_ day: Day) -> String { day.spoken(from: series.first, to: series.last) }

    private func flows(_ page: KindPage) -> Figure {
        // Editing a widget ends one placement and begins another; nobody lost it.
        let moves = changes.filter { $0.cause != "configured" }
        let added = moves.reduce(0) { $0 + $1.added }
        let removed = moves.reduce(0) { $0 + $1.removed }
        let table = Table(
            "Widgets by day and cause, the newest first", moves.reversed(),
            [
                .time("day", \.day).from("day"), .text("cause", \.cause).from("cause"),
                .number("came", \.added).from("sum(widgets_added) as widgets_added"),
                .number("went", \.removed).from("sum(widgets_removed) as widgets_removed"),
            ],
            most: Figure.mostRows)
        var query = page.query("changes", since: series.first)
        query.condition = "cause <> 'configured'"
        return Figure(
            finding: """
                \(added, "widget") came and \(removed) went, not counting edits, between \(spoken(series.first)) and \
                \(spoken(series.last))
                """,
            drawing: FlowChart(first: series.first, last: series.last, changes: moves),
            table: table, sources: Sources(query, of: table, groupedBy: "day, cause", order: "day, cause"))
    }
}
