import CensusCore
import Testing

@testable import CensusStore
@testable import Pages

/// The kinds on an app's first page, and two kinds on one chart.
@Suite struct `Overview` {
    private let app = "com.example.weather"
    private let last = Day(daysSince1970: 20_778)

    private func cell(_ kind: String, _ day: Day, _ certain: Int, _ possible: Int) -> CountedCell {
        CountedCell(
            day: day, surface: .widget, kind: kind, certain: certain, possible: possible, expected: Double(certain),
            reported: possible)
    }

    /// An app with twelve days of data.
    private func overview(_ change: (inout OverviewPage.Filter) -> Void = { _ in }) throws -> OverviewPage {
        var filter = OverviewPage.Filter(try Period(days: nil, from: nil, to: nil, through: last))
        change(&filter)
        let closed = Set((0..<12).map { last - $0 })
        let cells = closed.sorted().enumerated().flatMap { number, day in
            [
                cell("Radar", day, 30 + number, 40 + number), cell("weather", day, 50 - number, 50 - number),
                cell("news", day, 45, 45),
            ]
        }
        return OverviewPage(
            app: app, filter: filter,
            headline: AppHeadline(
                appID: app, day: last, active: 1_200, weekly: 900, withWidget: 600, withWidgetPossible: 660),
            concerns: [],
            incidents: [], cells: cells, closed: closed, marks: [],
            decided: [DecidedKind(surface: .widget, kind: "weather", lifecycle: .legacy)],
            period: filter.period.beginning(with: closed))
    }

    private func html(_ change: (inout OverviewPage.Filter) -> Void = { _ in }) throws -> String {
        try overview(change).page.document(in: Frame(apps: [])).description
    }

    private func kinds(_ html: String) -> [String] {
        html.matches(of: /<h3><a [^>]*>([^<]*)</).map { String($0.1) }
    }

    @Test func `the headline has three numbers, and the share has bounds`() throws {
        let html = try html()
        #expect(html.contains("<dd class=\"figure\">1,200</dd>"))
        #expect(html.contains("<dd class=\"figure\">50% to 55%</dd><dd class=\"soft\">600 to 660 devices"))
        #expect(html.contains("<dd class=\"figure\">900</dd><dd class=\"soft\">75% of the active devices"))
    }

    @Test func `a visitor with several apps gets a table of their numbers`() throws {
        let one = AppHeadline(
            appID: "com.example.one", day: last, active: 1_200, weekly: 900, withWidget: 600, withWidgetPossible: 660,
            legacyKinds: 2)
        let night = Concern(.night, app: "com.example.one", "no night has come", command: "widget-census nightly")
        let page = AppsPage(apps: ["com.example.one", "com.example.two"], headlines: [one], concerns: [night]).page
        let html = page.document(in: Frame(apps: [])).description
        let rows = html.matches(of: /<tr>.*?<\/tr>/).map { String($0.output) }
        #expect(rows.count == 3)
        #expect(rows[1].contains("<a href=\"/console?app=com.example.one\">com.<wbr>example.<wbr>one</a>"))
        let cells = rows.map { $0.matches(of: /<td[^>]*>(.*?)<\/td>/).map { String($0.1) } }
        #expect(cells[1] == ["1", "1,200", "50% to 55%", "900", "2", "2026-11-21"])
        #expect(cells[2] == ["0", "-", "", "-", "-", "-"])
    }

    @Test func `charts begin with the first closed day`() throws {
        let html = try html()
        #expect(html.contains("viewBox=\"0 0 12 96\""))
        #expect(!html.contains("viewBox=\"0 0 90"))
    }

    @Test(
        arguments: [
            (.common, ["Radar", "news", "weather"]), (.name, ["Radar", "news", "weather"]),
            (.fall, ["weather", "news", "Radar"]), (.rise, ["Radar", "news", "weather"]),
            (.decided, ["weather", "Radar", "news"]),
        ] as [(OverviewPage.Order, [String])])
    func `kinds are sorted as the URL says`(order: OverviewPage.Order, names: [String]) throws {
        #expect(try kinds(html { $0.order = order }) == names)
    }

    @Test func `a search matches parts of names and ignores case`() throws {
        #expect(try kinds(html { $0.search = "RA" }) == ["Radar"])
        let nothing = try html { $0.search = "<x>" }
        #expect(kinds(nothing).isEmpty)
        #expect(nothing.contains("contains <code>&lt;x&gt;</code>"))
        #expect(nothing.contains("<a href=\"/console?app=com.example.weather\">Show all 3 kinds</a>"))
    }

    @Test func `only a legacy kind has a badge`() throws {
        let html = try html()
        let headings = html.matches(of: /<h3>.*?<\/h3>/).map { String($0.output) }
        #expect(headings.count == 3)
        for heading in headings {
            #expect(heading.contains("<span class=\"badge\">legacy</span>") == heading.contains(">weather<"))
        }
    }

    @Test func `every link on the page keeps the view`() throws {
        let html = try html { filter in
            (filter.search, filter.order, filter.ownScale) = ("a", .fall, true)
            filter.period = Period(last - 9, last - 2)
        }
        let links = html.matches(of: /href="(\/console\?[^"]*)"/).map { String($0.1) }.filter { $0.contains("days=") }
        #expect(links.count == 3)
        for link in links { #expect(link.contains("&amp;q=a&amp;sort=fall") && link.contains("scale=own")) }
        #expect(html.contains("from=2026-11-12&amp;to=2026-11-19"))
        #expect(html.contains("name=\"from\" value=\"2026-11-12\""))
        #expect(html.contains("<option value=\"fall\" selected>"))
        #expect(html.contains("<input type=\"hidden\" name=\"scale\" value=\"own\">"))
    }

    @Test func `two kinds on one chart share its days and its scale`() throws {
        let page = try overview()
        func series(_ kind: String) -> CountSeries {
            CountSeries(page.cells.filter { $0.kind == kind }, closed: page.closed, from: last - 11, through: last)
        }
        var history = KindHistory(
            period: page.period, series: series("weather"), marks: [], families: [], changes: [], ghosts: [])
        history.other = (KindHistory.Place(surface: "widget", kind: "Radar"), series("Radar"))
        let kind = KindPage(
            app: app,
            listed: ListedKind(
                kind: "weather", lifecycle: .active, surface: "widget", devicesCertain: 1, devicesPossible: 2),
            history: history)
        let figures = kind.page.blocks.flatMap(\.flat).compactMap { block -> Figure? in
            guard case .chart(let figure) = block else { return nil }
            return figure
        }
        let figure = try #require(figures.first)
        #expect(figure.finding.text == "weather: 39 devices on 21 Nov; Radar: between 41 and 51 devices on 21 Nov")
        let drawing = figure.drawing.html.description
        #expect(drawing.contains("class=\"band other\"") && drawing.contains("class=\"expected other\""))
        #expect(!drawing.contains("class=\"reported\""))
        #expect(drawing.contains("data-names=\"weather, certain\nweather, possible\nweather, expected\nRadar, certain"))
        #expect(drawing.contains(";39 39 39 41 51 41\""))
        let (table, sources) = (try #require(figure.table), try #require(figure.sources))
        #expect(table.rows.count == 24)
        #expect(sources.sql.contains("and (surface, kind) in (('widget', 'weather'), ('widget', 'Radar'))"))
        #expect(KindHistory.Place("widget/a/b")?.kind == "a/b")
        #expect(KindHistory.Place("nowhere/a") == nil)
    }
}
