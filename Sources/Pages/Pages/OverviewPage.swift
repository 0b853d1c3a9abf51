package import CensusCore
package import CensusStore

/// All kinds of an app side by side, and what needs attention first.
package struct OverviewPage: Sendable {
    /// How many kinds stand on one page: more would make it heavy on a phone.
    package static let kindsPerPage = 18

    /// What the address requests.
    package struct Filter: Sendable, Hashable {
        package static let spans = [30, 90, 180, 365]

        package var days = 90
        /// Whether each chart has a scale of its own.
        package var ownScale = false
        package var surface: String?
        /// The first is 1.
        package var page = 1

        package init() {}

        func link(_ place: Link.Place, app: String) -> Link {
            Link(place).with("app", app)
                .with("days", days == 90 ? nil : "\(days)").with("scale", ownScale ? "own" : nil)
                .with("surface", surface).with("page", page == 1 ? nil : "\(page)")
        }
    }

    package var app: String
    package var filter: Filter
    package var attention: Attention
    package var cells: [CountedCell]
    package var closed: Set<Day>
    package var marks: [ConsoleMark]
    package var first: Day
    package var last: Day

    package init(
        app: String, filter: Filter, attention: Attention, cells: [CountedCell], closed: Set<Day>,
        marks: [ConsoleMark], first: Day, last: Day
    ) {
        self.app = app
        self.filter = filter
        self.attention = attention
        self.cells = cells
        self.closed = closed
        self.marks = marks
        self.first = first
        self.last = last
    }

    /// One kind of one surface.
    private struct Kind {
        var name: String
        var surface: Surface
        var cells: [CountedCell]
        /// Devices that possibly held it on its last day.
        var latest: Int
        /// Its largest number, of any line.
        var largest: Int

        init(_ key: Key, _ cells: [CountedCell], last: Day) {
            name = key.kind
            surface = key.surface
            self.cells = cells
            latest = cells.first { $0.day == last }?.possible ?? 0
            largest = cells.map { max($0.possible, $0.reported) }.max() ?? 0
        }
    }

    private struct Key: Hashable {
        @Bytewise var kind: String
        var surface: Surface
    }

    package var page: Page {
        Page(
            title: "Overview of \(app)", place: .overview,
            body: """
                <h1>What needs attention</h1>
                \(attention.html(app: app))
                <h2>Devices by kind</h2>
                \(charts)
                """)
    }

    /// The kinds that most devices hold come first.
    private var kinds: [Kind] {
        var byKind: [Key: [CountedCell]] = [:]
        for cell in cells { byKind[Key(kind: cell.kind, surface: cell.surface), default: []].append(cell) }
        return byKind.map { Kind($0, $1, last: last) }.filter { $0.largest > 0 }.sorted { one, other in
            (other.latest, one.name, one.surface.rawValue) < (one.latest, other.name, other.surface.rawValue)
        }
    }

    private var charts: HTML {
        let kinds = kinds
        guard !kinds.isEmpty else {
            return """
                <p class="soft">No device held a kind on a closed day between \(first.spoken) and \(last.spoken). Phones \
                report to <code>POST /v1/events</code>, and each night closes a day.</p>
                """
        }
        let pages = (kinds.count + OverviewPage.kindsPerPage - 1) / OverviewPage.kindsPerPage
        let number = min(max(1, filter.page), pages)
        let shown = kinds.dropFirst((number - 1) * OverviewPage.kindsPerPage).prefix(OverviewPage.kindsPerPage)
        let largest = kinds.map(\.largest).max() ?? 0
        return """
            \(filters(largest: largest))
            \(ChartKey.html)
            <div class="grid">
            \(shown.html { chart($0, largest: filter.ownScale ? $0.largest : largest) })
            </div>
            \(pager(number, of: pages, kinds: kinds.count))
            \(sources)
            \(releases)
            """
    }

    private func chart(_ kind: Kind, largest: Int) -> HTML {
        let series = CountSeries(kind.cells, closed: closed, from: first, through: last)
        guard let (_, count) = series.latest else { return .empty }
        let link = Link(.kind).with("app", app).with("kind", kind.name).with("surface", kind.surface.rawValue)
            .with("days", filter.days == 90 ? nil : "\(filter.days)")
        let chart = BandChart(
            series: series, kind: kind.name,
            marks: marks.filter { $0.isAbout(kind.name, kind.surface.rawValue) }, largest: largest)
        return """
            <figure><figcaption><h3><a href="\(link)">\
            \(HTML.name(kind.name))</a>\(kind.surface.rawValue.surfaceInBrackets): \(series.finding)</h3></figcaption>\
            \(chart.small)
            <p class="soft">expected \(count.expected.devices) · reported \(count.reported.grouped)</p></figure>

            """
    }

    private func filters(largest: Int) -> HTML {
        let spans = Filter.spans.html { span in
            var other = filter
            (other.days, other.page) = (span, 1)
            return span == filter.days
                ? "<strong aria-current=\"true\">\(span) days</strong> "
                : "<a href=\"\(other.link(.overview, app: app))\">\(span) days</a> "
        }
        var other = filter
        other.ownScale.toggle()
        let scale: HTML =
            filter.ownScale
            ? "Each chart ends at its own maximum · <a href=\"\(other.link(.overview, app: app))\">one scale for all</a>"
            : "Each chart ends at \(largest.counted("device")) · <a href=\"\(other.link(.overview, app: app))\">own scale</a>"
        return
            "<div class=\"filters\"><p>\(spans)</p><p>\(scale)</p><p class=\"soft\">\(first.spoken) to \(last.spoken)</p></div>"
    }

    private func pager(_ number: Int, of pages: Int, kinds: Int) -> HTML {
        guard pages > 1 else { return .empty }
        let links = (1...pages).html { page in
            var other = filter
            other.page = page
            return page == number
                ? "<strong aria-current=\"page\">\(page)</strong> "
                : "<a href=\"\(other.link(.overview, app: app))\" aria-label=\"Page \(page)\">\(page)</a> "
        }
        return
            "<nav class=\"filters\" aria-label=\"Pages of kinds\"><p>\(kinds) kinds, the most common first. Page \(links)</p></nav>"
    }

    private var sources: HTML {
        let query = ReportQuery(report: "live_kinds", app: app, since: first)
        return OldFigure.sources(
            csv: query.csv,
            sql: query.sql(
                "day, surface, kind, devices_certain, devices_possible, devices_expected, widgets_reported",
                order: "kind, surface, day"))
    }

    private var releases: HTML {
        """
        <h2>Releases and decisions</h2>
        \(OldTable(
            "What may explain a change, \(first.spoken) to \(last.spoken)", [("Day", false), ("What", false)],
            whenEmpty: "No version appeared and nothing was decided in these days.",
            marks.reversed().prefix(20).map { [.text($0.day.spoken), .text($0.words)] }
        ).html)
        """
    }
}

/// What the lines of a chart mean.
enum ChartKey {
    static let html: HTML = """
        <ul class="key">\
        <li><svg viewBox="0 0 26 12" aria-hidden="true"><path class="band" d="M0 1h26v10H0z"/><path class="edge" d="M0 1h26M0 11h26"/></svg>\
        between certain and possible</li>\
        <li><svg viewBox="0 0 26 12" aria-hidden="true"><path class="expected" d="M0 6h26"/></svg>expected</li>\
        <li><svg viewBox="0 0 26 12" aria-hidden="true"><path class="reported" d="M0 6h26"/></svg>reported by the OS, the naive number</li>\
        <li><svg viewBox="0 0 26 12" aria-hidden="true"><path class="release" d="M13 12v-8"/></svg>a version appears</li>\
        <li><svg viewBox="0 0 26 12" aria-hidden="true"><path class="act" d="M13 2l4 4-4 4-4-4z"/></svg>a decision on the kind</li>\
        </ul>
        """
}

extension ConsoleMark {
    /// Whether it may explain changes of one kind: releases affect all kinds.
    func isAbout(_ kind: String, _ surface: String) -> Bool {
        switch event {
        case .release: true
        case .act(let itsSurface, let itsKind, _, _): itsSurface == surface && itsKind.utf8.elementsEqual(kind.utf8)
        }
    }
}
