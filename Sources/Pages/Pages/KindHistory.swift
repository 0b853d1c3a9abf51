internal import CensusCore
internal import CensusStore

/// A kind's last days, for charts.
struct KindHistory: Sendable {
    var days: Int
    var series: CountSeries
    /// Releases and decisions that might explain its changes.
    var marks: [ConsoleMark]
    var families: [FamilyCount]
    var changes: [ChangeCount]
    var ghosts: [GhostDay]

    /// How many devices have it, day by day.
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
                    page.query("ghosts", since: series.first),
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
        var query = page.query("changes", since: series.first)
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
