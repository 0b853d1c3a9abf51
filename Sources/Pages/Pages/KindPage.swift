package import CensusCore
package import CensusStore

/// One kind of one surface: who holds it, why that changed, and whether it may be dropped.
package struct KindPage: Sendable {
    package var app: String
    package var kind: String
    package var surface: String
    package var days: Int
    package var series: CountSeries
    /// The marks that may explain this kind's changes.
    package var marks: [ConsoleMark]
    /// As somebody decided.
    package var lifecycle: Lifecycle
    /// Nil while the kind is active.
    package var verdict: KindVerdict?
    package var incidents: [LossIncident]
    package var families: [FamilyCount]
    package var holders: [KindHolders]
    package var changes: [ChangeCount]
    package var ghosts: [GhostDay]
    package var acts: [KindAct]

    package init(
        app: String, kind: String, surface: String, days: Int, series: CountSeries, marks: [ConsoleMark],
        lifecycle: Lifecycle, verdict: KindVerdict?, incidents: [LossIncident], families: [FamilyCount],
        holders: [KindHolders], changes: [ChangeCount], ghosts: [GhostDay], acts: [KindAct]
    ) {
        self.app = app
        self.kind = kind
        self.surface = surface
        self.days = days
        self.series = series
        self.marks = marks.filter { $0.isAbout(kind, surface) }
        self.lifecycle = lifecycle
        self.verdict = verdict
        self.incidents = incidents
        self.families = families
        self.holders = holders
        self.changes = changes
        self.ghosts = ghosts
        self.acts = acts
    }

    package var page: Page {
        Page(
            title: "\(kind) of \(app)",
            body: """
                <h1><span class="name">\(HTML.name(kind))</span>\(surface.surfaceInBrackets)</h1>
                \(standing)
                \(losses)
                \(spans)
                \(ChartKey.html)
                \(count)
                <h2>May it be dropped?</h2>
                \(readiness)
                <h2>Where it lives</h2>
                \(places)
                <h2>What came and went</h2>
                \(flows)
                <h2>Ghosts</h2>
                \(suspects)
                <h2>Decisions</h2>
                \(decisions)
                """)
    }

    private var standing: HTML {
        let state: HTML =
            switch verdict?.readiness.verdict {
            case .ready: "<strong class=\"met\">Ready to be dropped</strong>"
            case .notReady: "<strong class=\"unmet\">Not ready to be dropped</strong>"
            case .unknown: "<strong class=\"unmet\">Unknown whether it may be dropped</strong>"
            case .retired: "<strong>Retired</strong>"
            case nil: "<strong>Active</strong>: it is not marked legacy, so it has no verdict"
            }
        let day: HTML = verdict.map { ", as of \($0.figures.lastEnded.spoken)" } ?? .empty
        return "<p class=\"verdict\">\(state)\(day). \(policy)</p>"
    }

    /// What the gallery is told in general.
    private var policy: HTML {
        guard surface == Surface.widget.rawValue else { return .empty }
        let answer = GalleryAnswer(lifecycle)
        let meaning: HTML =
            switch answer {
            case .show: "it is offered to everybody"
            case .hideUnlessInstalled: "devices that certainly lack it hide it"
            case .hide: "it is offered to nobody who lacks it"
            }
        return "Gallery policy in force: <code>\(answer.rawValue)</code>, \(meaning)."
    }

    private var losses: HTML {
        let open = incidents.filter { $0.state == .open || $0.state == .acknowledged }
        guard !open.isEmpty else { return .empty }
        return
            "<ul class=\"attention\">\(open.html { "<li><p><strong>Loss by an update, \($0.state.rawValue):</strong> \($0.headline). <a href=\"\(Link(.losses).with("app", app))\">Losses</a></p></li>" })</ul>"
    }

    private var spans: HTML {
        let links = OverviewPage.Filter.spans.html { span in
            span == days
                ? "<strong aria-current=\"true\">\(span) days</strong> "
                : "<a href=\"\(link.with("days", "\(span)"))\">\(span) days</a> "
        }
        return "<div class=\"filters\"><p>\(links)</p></div>"
    }

    private var link: Link { Link(.kind).with("app", app).with("kind", kind).with("surface", surface) }

    private func query(_ report: String, since: Day? = nil) -> ReportQuery {
        ReportQuery(report: report, app: app, surface: surface, kind: kind, since: since)
    }

    private var count: HTML {
        let query = query("live_kinds", since: series.first)
        return OldFigure(
            finding: "\(HTML.name(kind)): \(series.finding)",
            chart: BandChart(series: series, kind: kind, marks: marks, largest: series.largest).large,
            table: OldTable(
                "Devices when the day ended, the newest first",
                [("Day", false), ("Certain", true), ("Possible", true), ("Expected", true), ("Reported", true)],
                whenEmpty: "No day is closed yet.",
                series.known.reversed().map { day, count in
                    [
                        .text(day.description), .number(count.certain.grouped), .number(count.possible.grouped),
                        .number(count.expected.devices), .number(count.reported.grouped),
                    ]
                }),
            csv: query.csv,
            // Devices that report it are in no view: analysts have widgets_reported, which counts placements.
            sql: query.sql(
                "day, devices_certain, devices_possible, devices_expected, widgets_reported", order: "day")
        ).html
    }
}

extension KindPage {
    private var readiness: HTML {
        guard let verdict else {
            let marking: ShellCommand = "widget-census kinds mark \(kind) --legacy --app \(app)"
            return """
                <p>To have it judged: <code>\(marking.description)</code></p>
                """
        }
        let (figures, readiness) = (verdict.figures, verdict.readiness)
        let conditions = OldTable(
            "Each condition, with its figure and its limit",
            [("Condition", false), ("OldFigure", false), ("Limit", false)],
            whenEmpty: "",
            readiness.conditions.map { condition in
                [
                    .markup(
                        condition.isMet
                            ? "<span class=\"met\">met</span>" : "<span class=\"unmet\">not met</span>"),
                    .text(condition.figure),
                    // For the others the limit says what to do.
                    .text(condition.isMet && !condition.isMeasured ? "" : condition.limit),
                ]
            })
        let halfLife: HTML =
            readiness.forecast.halfLife.map { half in
                "<p>Half of the active holders leave or fall silent in \(half.estimate.devices) days (80 % interval: \(half.low.devices) to \(half.high.map(\.devices) ?? "an open end")).</p>"
            } ?? .empty
        let base: HTML = """
            <p>Holders now: \(figures.certain.grouped) certain, \(figures.possible.grouped) possible, \
            \(figures.expected.devices) expected; \(figures.silent.grouped) more fell silent with it.</p>
            """
        return conditions.html + base + halfLife + "<p>\(readiness.forecast.sentence)</p>" + fan(readiness, figures)
            + OldFigure.sources(
                csv: query("retirement").csv,
                sql: query("retirement").sql(
                    "verdict, reason, devices_possible, devices_silent, limit_devices, ready_on, ready_on_earliest, ready_on_latest",
                    order: "surface"))
    }

    private func fan(_ readiness: Readiness, _ figures: ReadinessFigures) -> HTML {
        guard readiness.verdict == .notReady || readiness.verdict == .unknown,
            case .ready(let on) = readiness.forecast.outcome,
            !readiness.forecast.fan.isEmpty
        else { return .empty }
        return """
            <figure><figcaption class="finding">At this rate it is ready on \(on.estimate.spoken), at the earliest on \
            \(on.low.spoken), at the latest \(on.high.map { "on \($0.spoken)" } ?? "at an open end")</figcaption>
            <div class="plot" tabindex="0" role="group" aria-label="Forecast, scrolls sideways">\
            \(ForecastChart(days: figures.days.suffix(90), fan: readiness.forecast.fan, limit: readiness.limit).html)</div></figure>
            """
    }

    private var places: HTML {
        guard let day = holders.first?.day ?? series.latest?.day, !holders.isEmpty || !families.isEmpty else {
            return "<p class=\"soft\">No device held it when the last closed day ended.</p>"
        }
        let query = query("live_installs", since: day)
        return """
            \(shares("By version of the app", "Version", holders.summed { $0.appVersion }))
            \(shares("By system", "System", holders.summed { "\($0.platform) \($0.osVersion)" }))
            \(shares("By family; a device may hold several", "Family", families.map {
                (name: $0.family.isEmpty ? "not sent" : $0.family, certain: $0.certain, possible: $0.possible)
            }))
            \(OldFigure.sources(
                csv: query.csv,
                sql: query.sql(
                    "family, app_version, os_version, platform, devices_certain, devices_possible",
                    order: "devices_possible desc")))
            """
    }

    /// Rows with a bar each: filled up to what is certain, outlined up to what is possible.
    private func shares(
        _ caption: String, _ column: String, _ rows: [(name: String, certain: Int, possible: Int)]
    ) -> HTML {
        let largest = Double(max(1, rows.map(\.possible).max() ?? 1))
        return OldTable(
            caption, [(column, false), ("Certain", true), ("Possible", true), ("Devices", false)], whenEmpty: "",
            rows.prefix(12).map { row in
                let (certain, possible) = (Double(row.certain) / largest * 140, Double(row.possible) / largest * 140)
                return [
                    .text(row.name), .number(row.certain.grouped), .number(row.possible.grouped),
                    .markup(
                        """
                        <span class="meter"><svg viewBox="0 0 144 14" width="144" height="14" aria-hidden="true">\
                        <path class="added" d="M1 3h\(certain.pixels)v8H1z"/>\
                        <path class="edge" d="M1 3h\(possible.pixels)v8H1z"/></svg></span>
                        """),
                ]
            }
        ).html + (rows.count > 12 ? "<p class=\"soft\">and \(rows.count - 12) more, in the CSV</p>" : .empty)
    }

    private var flows: HTML {
        let query = query("changes", since: series.first)
        // Editing a widget ends one placement and begins another; nobody lost it.
        let moves = changes.filter { $0.cause != "configured" }
        let added = moves.reduce(0) { $0 + $1.added }
        let removed = moves.reduce(0) { $0 + $1.removed }
        guard !changes.isEmpty else { return "<p class=\"soft\">Nothing certain came or went in these days.</p>" }
        let byCause = Dictionary(grouping: changes, by: \.cause).map { cause, changes in
            (cause: cause, added: changes.reduce(0) { $0 + $1.added }, removed: changes.reduce(0) { $0 + $1.removed })
        }.sorted { ($1.added + $1.removed, $0.cause) < ($0.added + $0.removed, $1.cause) }
        let chart = FlowChart(first: series.first, last: series.last, changes: moves)
        let causes = OldTable(
            "By cause", [("Cause", false), ("Came", true), ("Went", true)], whenEmpty: "",
            byCause.map { [.text($0.cause), .number($0.added.grouped), .number($0.removed.grouped)] }
        ).html
        return causes
            + OldFigure(
                finding:
                    "\(added.counted("widget")) came and \(removed.grouped) went, not counting edits, between \(series.first.spokenShortly) and \(series.last.spokenShortly)",
                chart: chart.html, table: chart.table, csv: query.csv,
                sql: query.sql("day, family, cause, widgets_added, widgets_removed", order: "day, cause")
            ).html
    }

    private var suspects: HTML {
        guard let latest = ghosts.last else {
            return "<p class=\"soft\">The OS reported no widget that might have been stale in these days.</p>"
        }
        let query = query("ghosts", since: series.first)
        let open = latest.suspect - latest.gone - latest.stillThere
        return """
            <p>On \(latest.day.spoken) \(latest.suspect.counted("reported widget")) might have been stale. Of these \
            \(latest.gone.grouped) proved to be gone, \(latest.stillThere.grouped) to be there; \
            \(open.grouped) without an outcome until their devices boot.</p>
            \(OldFigure.sources(
                csv: query.csv,
                sql: query.sql("day, widgets_suspect, widgets_gone, widgets_still_there", order: "day")))
            """
    }

    private var decisions: HTML {
        OldTable(
            "Every act on the kind, the newest first",
            [("Day", false), ("Act", false), ("Who", false), ("Devices then", true), ("Why", false)],
            whenEmpty: "Nothing was decided about it.",
            acts.reversed().map { act in
                [
                    .text(act.day?.spoken ?? "just now"),
                    .text(
                        act.decision.lifecycle.rawValue
                            + (act.decision.replacedBy.map { ", replaced by \($0)" } ?? "")
                            + (act.verdict.map { "; the verdict was \($0.rawValue)" } ?? "")),
                    .text(act.decision.actor),
                    .number(
                        act.devicesCertain == act.devicesPossible
                            ? act.devicesPossible.grouped
                            : "\(act.devicesCertain.grouped) to \(act.devicesPossible.grouped)"),
                    .text(act.decision.reason ?? "-"),
                ]
            }
        ).html
    }
}
