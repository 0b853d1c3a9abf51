internal import CensusCore
package import CensusStore

/// An app's headline numbers, what needs attention, and a small chart for each kind.
package struct OverviewPage: Sendable {
    /// How many kinds one page shows; more would make it heavy on a phone.
    static let kindsPerPage = 18

    var app: String
    var filter: Filter
    /// Nil if the last day is not closed.
    var headline: AppHeadline?
    var concerns: [Concern]
    /// Only open ones.
    var incidents: [LossIncident]
    var cells: [CountedCell]
    var closed: Set<Day>
    var marks: [ConsoleMark]
    /// The kinds that are not active.
    var decided: [DecidedKind]
    /// Begins with the first closed day.
    var period: Period

    /// - Parameter isAlone: whether the reader may see only this app.
    package static func read(
        _ app: App, _ filter: Filter, isAlone: Bool, in store: Store
    ) async throws(StoreError) -> OverviewPage {
        let (first, last) = (filter.period.first, filter.period.last)
        let status = try await store.status.read(only: isAlone ? app : nil)
        let closed = try await store.console.closedDays(appNumber: app.number, since: first, until: last)
        return OverviewPage(
            app: app.id, filter: filter,
            headline: closed.contains(last) ? try await store.console.headline(app: app, on: last) : nil,
            concerns: status.concerns.filter { $0.appID?.hasBytes(of: app.id) ?? true },
            incidents: try await store.losses.incidents(of: app, in: [.open]),
            cells: try await store.reports.cells(app: app.id, since: first, until: last, surface: filter.surface),
            closed: closed,
            marks: try await store.console.marks(appNumber: app.number, since: first).filter {
                filter.period.shows($0.day)
            },
            decided: try await store.console.decided(appNumber: app.number),
            period: filter.period.beginning(with: closed))
    }

    package var page: Page {
        Page("Overview", of: app, at: .overview) {
            if let headline { Block.numbers(headline.numbers) }
            Block.heading("What needs attention")
            Block.attention(concerns.map { Matter($0, on: app, incidents: incidents) })
            Block.heading("Devices by kind")
            charts
        }
    }

    @Blocks private var charts: [Block] {
        let all = grouped
        let kinds = sorted(all)
        if all.isEmpty {
            Block.paragraph(
                "No device had a widget on a closed day between \(filter.period.first) and \(period.last).",
                "Devices report to \(code: "POST /v1/events"), and each night closes a day.", style: .soft)
            Block.choices(days, label: nil)
        } else {
            let largest = kinds.map(\.largest).max() ?? 0
            Block.choices(choices(largest: largest), label: nil)
            Block.filters(filters)
            if kinds.isEmpty {
                Block.paragraph(
                    "No kind's name contains \(code: filter.search ?? "").",
                    "\("Show all \(all.count.counted("kind"))", to: filter.with(search: nil).link(app: app))",
                    style: .soft)
            } else {
                gallery(kinds, largest: largest)
            }
            Block.heading("Releases and decisions")
            Block.table(
                Table(
                    "Events that might explain a change, newest first", marks.reversed().prefix(20),
                    [.time("day", \.day), .text("what", \.words)],
                    whenEmpty: "No releases or decisions in these days."))
        }
    }

    @Blocks private func gallery(_ kinds: [Kind], largest: Int) -> [Block] {
        let (number, pages) = filter.place(of: kinds.count)
        let shown = kinds.dropFirst((number - 1) * OverviewPage.kindsPerPage).prefix(OverviewPage.kindsPerPage)
        Block.key
        Block.gallery(shown.compactMap { tile($0, largest: filter.ownScale ? $0.largest : largest) })
        if pages > 1 {
            Block.choices([pager(number, of: pages, kinds: kinds.count)], label: "Pages of kinds")
        }
        Block.sources(
            Sources(
                ReportQuery(report: "live_kinds", app: app, since: period.first, until: period.last),
                of: CountSeries([], closed: [], from: period.first, through: period.last).table,
                and: ["surface", "kind"], order: "kind, surface, day"))
    }

    private func tile(_ kind: Kind, largest: Int) -> Tile? {
        let series = CountSeries(kind.cells, closed: closed, from: period.first, through: period.last)
        guard let (_, count) = series.latest else { return nil }
        let surface = kind.surface.rawValue
        let link = Link(.kind).with("app", app).with("kind", kind.name).with("surface", surface)
        return Tile(
            finding: "\(kind.name, to: filter.period.on(link))\(surface.surfaceInBrackets): \(series.finding)",
            badge: kind.lifecycle == .active ? nil : kind.lifecycle.rawValue,
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
        return days + [scale]
    }

    /// Links to the same view of other days.
    private var days: [Phrase] {
        period.choices { period in
            var other = filter
            (other.period, other.page) = (period, 1)
            return other.link(app: app)
        }
    }

    private var filters: Filters {
        Filters(
            link: filter.link(app: app).with("page", nil),
            fields: [
                Filters.Field(name: "q", label: "Kind", value: filter.search ?? "", control: .text),
                Filters.Field(
                    name: "sort", label: "Sort by", value: filter.order.rawValue,
                    control: .choice(Order.allCases.map { ($0.rawValue, $0.name) })),
            ] + period.fields)
    }

    private func pager(_ number: Int, of pages: Int, kinds: Int) -> Phrase {
        (1...pages).reduce("\(kinds) kinds, \(filter.order.name). Page") { phrase, page in
            var other = filter
            other.page = page
            return page == number
                ? "\(phrase) \(current: "\(page)")" : "\(phrase) \("\(page)", to: other.link(app: app))"
        }
    }
}

extension AppHeadline {
    /// The share of the active devices that have a widget, from certain to possible.
    var shareWithWidget: String {
        let (low, high) = (share(withWidget), share(withWidgetPossible))
        return low == high ? low : "\(low) to \(high)"
    }

    private func share(_ devices: Int) -> String { (Double(devices) / Double(max(1, active))).asPercentage }

    /// How many devices are active, how many of them have a widget, and how many are active within a week.
    fileprivate var numbers: [Headline] {
        [
            Headline(label: "Active devices", figure: active.grouped, note: "at the end of \(day)"),
            Headline(
                label: "Have a widget", figure: shareWithWidget,
                note: "\(withWidget) to \(withWidgetPossible, "device"), certain to possible"),
            Headline(
                label: "Active within a week", figure: weekly.grouped, note: "\(share(weekly)) of the active devices"),
        ]
    }
}

// The kinds, sorted.
extension OverviewPage {
    /// One kind of one surface.
    fileprivate struct Kind {
        var name: String
        var surface: Surface
        var lifecycle: Lifecycle
        var cells: [CountedCell]
        /// Devices that possibly had it on the last day.
        var latest: Int
        /// By how many these are more than on the first day.
        var change: Int
        /// The largest number of any of its lines.
        var largest: Int

        init(_ key: Key, _ cells: [CountedCell], _ lifecycle: Lifecycle, in period: Period) {
            name = key.kind
            surface = key.surface
            self.lifecycle = lifecycle
            self.cells = cells
            latest = cells.first { $0.day == period.last }?.possible ?? 0
            change = latest - (cells.first { $0.day == period.first }?.possible ?? 0)
            largest = cells.map { max($0.possible, $0.reported) }.max() ?? 0
        }
    }

    fileprivate struct Key: Hashable {
        @Bytewise var kind: String
        var surface: Surface
    }

    /// Every kind with a device.
    private var grouped: [Kind] {
        var byKind: [Key: [CountedCell]] = [:]
        for cell in cells { byKind[Key(kind: cell.kind, surface: cell.surface), default: []].append(cell) }
        let lifecycles = Dictionary(decided.map { (Key(kind: $0.kind, surface: $0.surface), $0.lifecycle) }) { $1 }
        return byKind.map { Kind($0, $1, lifecycles[$0] ?? .active, in: period) }.filter { $0.largest > 0 }
    }

    /// The kinds that match the search, in their order.
    private func sorted(_ kinds: [Kind]) -> [Kind] {
        let wanted = filter.search?.lowercased()
        func rank(_ kind: Kind) -> (Int, String, String) {
            (filter.order.rank(kind), kind.name, kind.surface.rawValue)
        }
        return kinds.filter { kind in wanted.map { kind.name.lowercased().contains($0) } ?? true }
            .sorted { rank($0) < rank($1) }
    }

    /// How kinds are sorted; equals by name.
    package enum Order: String, Sendable, CaseIterable {
        case common, name, fall, rise, decided

        var name: String {
            switch self {
            case .common: "most common first"
            case .name: "name"
            case .fall: "largest fall first"
            case .rise: "largest rise first"
            case .decided: "legacy first"
            }
        }

        /// The least comes first.
        fileprivate func rank(_ kind: Kind) -> Int {
            switch self {
            case .common: -kind.latest
            case .name: 0
            case .fall: kind.change
            case .rise: -kind.change
            case .decided: kind.lifecycle == .active ? 1 : 0
            }
        }
    }

    /// The view that the URL requests.
    package struct Filter: Sendable, Hashable {
        package var period: Period
        /// Whether each chart has its own scale.
        package var ownScale = false
        package var surface: String?
        /// A part of the kinds' names; nil: all kinds.
        package var search: String?
        package var order = Order.common
        /// The first is 1.
        package var page = 1

        package init(_ period: Period) { self.period = period }

        func with(search: String?) -> Filter {
            var other = self
            other.search = search
            return other
        }

        func link(app: String) -> Link {
            period.on(Link(.overview).with("app", app)).with("scale", ownScale ? "own" : nil)
                .with("surface", surface).with("q", search).with("sort", order == .common ? nil : order.rawValue)
                .with("page", page == 1 ? nil : "\(page)")
        }

        /// The number of the page, and how many pages there are.
        func place(of kinds: Int) -> (number: Int, pages: Int) {
            let pages = (kinds + OverviewPage.kindsPerPage - 1) / OverviewPage.kindsPerPage
            return (min(max(1, page), pages), pages)
        }
    }
}
