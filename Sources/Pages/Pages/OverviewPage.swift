package import CensusCore
package import CensusStore

/// What needs attention, and a small chart for each kind of an app.
package struct OverviewPage: Sendable {
    /// How many kinds one page shows; more would make it heavy on a phone.
    static let kindsPerPage = 18

    var app: String
    var filter: Filter
    var concerns: [Concern]
    /// Only open ones.
    var incidents: [LossIncident]
    var cells: [CountedCell]
    var closed: Set<Day>
    var marks: [ConsoleMark]
    var first: Day
    var last: Day

    /// - Parameter isAlone: whether the reader may see only this app.
    package static func read(
        _ app: App, _ filter: Filter, through last: Day, isAlone: Bool, in store: Store
    ) async throws(StoreError) -> OverviewPage {
        let first = last - (filter.days - 1)
        let status = try await store.status.read(only: isAlone ? app : nil)
        return OverviewPage(
            app: app.id, filter: filter,
            concerns: status.concerns.filter { $0.appID?.hasBytes(of: app.id) ?? true },
            incidents: try await store.losses.incidents(of: app, in: [.open]),
            cells: try await store.reports.cells(app: app.id, since: first, surface: filter.surface),
            closed: try await store.console.closedDays(appNumber: app.number, since: first),
            marks: try await store.console.marks(appNumber: app.number, since: first), first: first, last: last)
    }

    package var page: Page {
        Page("What needs attention", of: app, at: .overview) {
            Block.attention(concerns.map { Matter($0, on: app, incidents: incidents) })
            Block.heading("Devices by kind")
            charts
        }
    }

    @Blocks private var charts: [Block] {
        let kinds = kinds
        if kinds.isEmpty {
            Block.paragraph(
                "No device had a widget on a closed day between \(first) and \(last).",
                "Devices report to \(code: "POST /v1/events"), and each night closes a day.", style: .soft)
        } else {
            let (number, pages) = filter.place(of: kinds.count)
            let largest = kinds.map(\.largest).max() ?? 0
            let shown = kinds.dropFirst((number - 1) * OverviewPage.kindsPerPage).prefix(OverviewPage.kindsPerPage)
            Block.choices(choices(largest: largest), label: nil)
            Block.key
            Block.gallery(shown.compactMap { tile($0, largest: filter.ownScale ? $0.largest : largest) })
            if pages > 1 {
                Block.choices([pager(number, of: pages, kinds: kinds.count)], label: "Pages of kinds")
            }
            Block.sources(
                Sources(
                    ReportQuery(report: "live_kinds", app: app, since: first),
                    of: CountSeries([], closed: [], from: first, through: last).table, and: ["surface", "kind"],
                    order: "kind, surface, day"))
            Block.heading("Releases and decisions")
            Block.table(
                Table(
                    "Events that might explain a change, newest first", marks.reversed().prefix(20),
                    [.time("day", \.day), .text("what", \.words)],
                    whenEmpty: "No releases or decisions in these days."))
        }
    }

    private func tile(_ kind: Kind, largest: Int) -> Tile? {
        let series = CountSeries(kind.cells, closed: closed, from: first, through: last)
        guard let (_, count) = series.latest else { return nil }
        let surface = kind.surface.rawValue
        let link = Link(.kind).with("app", app).with("kind", kind.name).with("surface", surface)
            .with("days", filter.days == 90 ? nil : "\(filter.days)")
        return Tile(
            finding: "\(kind.name, to: link)\(surface.surfaceInBrackets): \(series.finding)",
            drawing: BandChart(
                series: series, kind: kind.name, marks: marks.filter { $0.isAbout(kind.name, surface) },
                largest: largest, isSmall: true),
            note: "expected \(count.expected.devices) · reported \(count.reported)")
    }

    private func choices(largest: Int) -> [Phrase] {
        var other = filter
        other.ownScale.toggle()
        let scale: Phrase =
            filter.ownScale
            ? "Each chart has its own scale · \("use one scale for all", to: other.link(app: app))"
            : "All charts end at \(largest, "device") · \("scale each separately", to: other.link(app: app))"
        let spans = Filter.choices(filter.days) { span in
            var other = filter
            (other.days, other.page) = (span, 1)
            return other.link(app: app)
        }
        return [spans, scale, "\(first) to \(last)"]
    }

    private func pager(_ number: Int, of pages: Int, kinds: Int) -> Phrase {
        (1...pages).reduce("\(kinds) kinds, most common first. Page") { phrase, page in
            var other = filter
            other.page = page
            return page == number
                ? "\(phrase) \(current: "\(page)")" : "\(phrase) \("\(page)", to: other.link(app: app))"
        }
    }
}

// The kinds, sorted.
extension OverviewPage {
    /// One kind of one surface.
    private struct Kind {
        var name: String
        var surface: Surface
        var cells: [CountedCell]
        /// Devices that possibly had it on the last day.
        var latest: Int
        /// The largest number of any of its lines.
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

    /// The kinds that most devices have come first.
    private var kinds: [Kind] {
        var byKind: [Key: [CountedCell]] = [:]
        for cell in cells { byKind[Key(kind: cell.kind, surface: cell.surface), default: []].append(cell) }
        return byKind.map { Kind($0, $1, last: last) }.filter { $0.largest > 0 }.sorted { one, other in
            (other.latest, one.name, one.surface.rawValue) < (one.latest, other.name, other.surface.rawValue)
        }
    }

    /// The view that the URL requests.
    package struct Filter: Sendable, Hashable {
        package static let spans = [30, 90, 180, 365]

        package var days = 90
        /// Whether each chart has its own scale.
        package var ownScale = false
        package var surface: String?
        /// The first is 1.
        package var page = 1

        package init() {}

        func link(app: String) -> Link {
            Link(.overview).with("app", app)
                .with("days", days == 90 ? nil : "\(days)").with("scale", ownScale ? "own" : nil)
                .with("surface", surface).with("page", page == 1 ? nil : "\(page)")
        }

        /// The number of the page, and how many pages there are.
        func place(of kinds: Int) -> (number: Int, pages: Int) {
            let pages = (kinds + OverviewPage.kindsPerPage - 1) / OverviewPage.kindsPerPage
            return (min(max(1, page), pages), pages)
        }

        /// - Parameter link: the link to the same view with another span.
        static func choices(_ days: Int, _ link: (Int) -> Link) -> Phrase {
            spans.reduce("") { phrase, span in
                span == days ? "\(phrase) \(current: "\(span) days")" : "\(phrase) \("\(span) days", to: link(span))"
            }
        }
    }
}
