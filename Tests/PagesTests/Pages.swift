import CensusCore
import Testing

@testable import CensusStore
@testable import Pages

/// How pages show the numbers that they get.
@Suite struct `Pages` {
    private let today = Day(daysSince1970: 20_779)

    @Test func `each concern shows its figures and links its page or its command`() {
        let app = "com.example.weather"
        func html(_ concerns: [Concern]) -> String {
            Block.attention(concerns.map { Matter($0, on: app) }).html.description
        }
        #expect(html([]) == "<p class=\"calm\">Nothing needs attention.</p>")
        let night = Concern(.night, app: app, "no night has come", command: "widget-census nightly")
        let reads = Concern(.reads, app: "com.example.<b>", "6 of 20 reads failed", command: "widget-census report x")
        let text = html([night, reads])
        #expect(text.contains("<strong>No night has come.</strong>"))
        #expect(text.contains("<code>widget-census nightly</code>"))
        #expect(text.contains("<strong>com.example.&lt;b&gt;: 6 of 20 reads failed.</strong>"))
        #expect(text.contains("<a href=\"/console/coverage?app=com.example.%3Cb%3E\">"))
    }

    /// A kind that loses 2% of its devices a day.
    private var melting: ReadinessFigures {
        var figures = ReadinessFigures(
            lifecycle: .legacy, lastEnded: today - 1, limits: ReadinessLimits(devices: 500, share: 1))
        var holders = 20_000.0
        for back in stride(from: 80, through: 1, by: -1) {
            let removed = Int(holders * 0.02)
            holders -= Double(removed)
            figures.days.append(
                BaseDay(day: today - back, certain: Int(holders), possible: Int(holders), removed: removed))
        }
        figures.markedOn = today - 100
        figures.active = 30_000
        figures.reporting = 30_000
        figures.possible = Int(holders)
        return figures
    }

    @Test func `the forecast's fan starts at the latest level and widens around the estimate`() throws {
        let figures = melting
        let fan = Readiness(figures).forecast.fan
        let first = try #require(fan.first)
        #expect(first.day == today - 1)
        #expect([first.low, first.estimate, first.high].allSatisfy { $0 == Double(figures.holders) })
        #expect(fan.allSatisfy { $0.low <= $0.estimate && $0.estimate <= $0.high })
        #expect(fan.dropFirst().allSatisfy { $0.low < $0.high })
        #expect(fan.map(\.day) == fan.map(\.day).sorted())
        #expect(try #require(fan.last).estimate < 500)
    }

    @Test func `a legacy kind's page shows each condition's figure and limit, and the forecast's fan`() {
        let figures = melting
        let readiness = Readiness(figures)
        let series = CountSeries([], closed: [today - 1], from: today - 90, through: today - 1)
        let page = KindPage(
            app: "com.example.weather",
            listed: ListedKind(
                kind: "weather", lifecycle: .legacy, surface: "widget", devicesCertain: 1, devicesPossible: 2),
            judged: KindVerdict(surface: "widget", kind: "weather", figures: figures, readiness: readiness),
            history: KindHistory(
                period: Period(today - 90, today - 1), series: series, marks: [], families: [], changes: [], ghosts: [])
        )
        let text = page.page.document(in: Frame(apps: [])).description
        #expect(readiness.conditions.count > 4)
        for condition in readiness.conditions {
            #expect(text.contains(("\(condition.figure)" as HTML).description))
            #expect(
                text.contains(("\(condition.limit)" as HTML).description) == (condition.isMeasured || !condition.isMet))
        }
        #expect(text.contains("class=\"fan\""))
        #expect(text.contains("hidden unless installed"))
    }

    /// Regression: some SQL had other columns than its chart, and one CSV had widgets for its chart's devices.
    @Test func `a chart's table, SQL and CSV have the columns that it shows`() throws {
        let series = CountSeries(
            [
                CountedCell(
                    day: today - 1, surface: .widget, kind: "weather", certain: 1, possible: 2, expected: 1.5,
                    reported: 3)
            ], closed: [today - 1], from: today - 400, through: today - 1)
        let history = KindHistory(
            period: Period(today - 400, today - 1), series: series, marks: [], families: [],
            changes: [ChangeCount(day: today - 2, cause: "removed", added: 0, removed: 4)], ghosts: [])
        let kind = KindPage(
            app: "com.example.weather",
            listed: ListedKind(
                kind: "weather", lifecycle: .active, surface: "widget", devicesCertain: 1, devicesPossible: 2),
            history: history)
        let day = CoverageDay(
            day: today - 1, active: 9, reporting: 8, reads: 7, readsFailed: 1, cloned: 0, policyApplied: 5)
        let coverage = CoveragePage(
            app: "com.example.weather", days: [day], refusals: [], period: Period(today - 90, today - 1), limit: 0.9)
        var charts = 0
        for block in (kind.page.blocks + coverage.page.blocks).flatMap(\.flat) {
            guard case .chart(let figure) = block else { continue }
            let (table, sources) = (try #require(figure.table), try #require(figure.sources))
            let report = try #require(ReportDescription.all.first { $0.name == sources.query.report })
            #expect(sources.columns == table.columns.map { $0.source ?? "?" }.joined(separator: ", "))
            for column in table.columns {
                // Names of columns; the rest of the SQL is functions and keywords.
                let words = (column.source ?? "?").matches(of: /[a-z_]+/).map { String($0.output) }
                let made = Set(words).subtracting(["sum", "round", "numeric", "nullif", "as", "share_failed"])
                #expect(!made.isEmpty && made.isSubset(of: report.columns.map(\.name)), "\(column.name): \(made)")
            }
            charts += 1
        }
        #expect(charts == 4)
        #expect(
            kind.page.blocks.flatMap(\.flat).contains { block in
                guard case .chart(let figure) = block else { return false }
                return figure.finding.text.contains("between 18 Oct 2025 and 21 Nov 2026")
            })
    }

    @Test func `versions are sorted numerically, newest first, a release above its pre-releases`() throws {
        let versions = ["58.9": 10, "58.10": 3, "59.0b3": 40, "59.0": 5]
        let page = KindPage(
            app: "com.example.weather",
            listed: ListedKind(
                kind: "weather", lifecycle: .active, surface: "widget", devicesCertain: 1, devicesPossible: 2),
            holders: versions.map { version, devices in
                KindHolders(
                    day: today, appVersion: version, osVersion: version == "58.9" ? "9.3" : "18.1", platform: "ios",
                    certain: devices, possible: devices)
            })
        let text = page.page.text()
        let places = try ["59.0 ", "59.0b3 ", "58.10 ", "58.9 "].map {
            try #require(text.firstRange(of: $0)).lowerBound
        }
        #expect(places == places.sorted())
        let systems = try ["ios 18.1", "ios 9.3"].map { try #require(text.firstRange(of: $0)).lowerBound }
        #expect(systems == systems.sorted())
    }

    @Test func `losses beyond the list's limit are counted below it, as markup`() throws {
        let incidents = (0..<70).map { number in
            LossIncident(
                surface: "widget", kind: "kind\(number)", toVersion: number < 35 ? "58.9" : "58.10", fromVersions: [],
                state: .watched, openedOn: nil, judgedOn: nil, figures: LossFigures(), chance: 0.001, devicesAtRisk: 0)
        }
        let html = LossesPage(app: "com.example.weather", incidents: incidents).page.document(in: Frame(apps: []))
            .description
        #expect(html.contains("<p class=\"soft\">and 30 more, in the CSV</p>"))
        #expect(!html.contains("&lt;"))
        let newest = try #require(html.firstRange(of: ">58.10</td>"))
        let older = try #require(html.firstRange(of: ">58.9</td>"))
        #expect(newest.lowerBound < older.lowerBound)
    }

    @Test func `an error page marks up the commands in its message`() {
        func html(_ message: String) -> String {
            Page.trouble("Not found", message).document(in: Frame(apps: [])).description
        }
        #expect(
            html("no app <a>: `widget-census apps list`").contains(
                "no app &lt;a&gt;: <code>widget-census apps list</code></p>"))
        #expect(html("a ` alone").contains("a ` alone"))
        #expect(Phrase(withCode: "a `b` c").text == "a `b` c")
    }

    @Test func `a time ahead of the server's clock has no negative age`() {
        let ages: [Duration] = [.seconds(-3_093), .seconds(-30), .milliseconds(-400), .zero, .seconds(3_093)]
        #expect(ages.map(\.asAge) == ["52 min ahead", "30 s ahead", "0 s ago", "0 s ago", "52 min ago"])
    }

    /// People search piped output by line.
    @Test func `lines wrap only on a screen`() {
        let sentence = String(repeating: "word ", count: 40) + "end"
        let page = Page("Status") {
            Block.attention([Matter(sentence: sentence, command: "widget-census status")])
            Block.facts([("version", Phrase(sentence))])
        }
        #expect(page.text().split(separator: "\n").filter { $0.hasSuffix(sentence) }.count == 2)
        #expect(page.text(on: Screen(width: 60)).split(separator: "\n").allSatisfy { $0.count <= 60 })
    }

    @Test func `a count of one takes the singular`() {
        let spool = SpoolStatus(folder: "/s", batches: 1, bytes: 4_096, limit: 1 << 30, filesPutAside: 1)
        #expect(spool.words == "1 batch, 1 MiB of 1024 MiB in /s; 1 damaged file put aside")
        #expect(
            spool.concerns.map { $0.sentence.prefix(30) } == [
                "1 batch is in the spool and no", "1 damaged spool file was put a",
            ])
        let empty = SpoolStatus(folder: "/s", batches: 0, bytes: 0, limit: 1 << 30, filesPutAside: 0)
        #expect(empty.concerns.isEmpty)
    }

    @Test func `SQL and commands quote names so that they can be pasted`() {
        let query = ReportQuery(report: "live_kinds", app: "a", kind: "it's", since: today)
        let condition = "kind = 'it''s'\n    and day >= '2026-11-22'"
        #expect(query.sql("day", order: "day").contains(condition))
        let (quoted, accented) = (#"'it'\''s'"#, "'\"\u{301}'")
        #expect(ShellCommand("\("it's")").description == quoted)
        #expect(ShellCommand("\("20.13.0")").description == "20.13.0")
        let (kind, app) = ("-old", "a")
        #expect(ShellCommand("losses show \(kind) --app \(app)").description == "losses show --app a -- -old")
        #expect(ShellCommand("report changes --kind \(kind)").description == "report changes --kind=-old")
        #expect(ShellCommand("psql -c \(kind)").description == "psql -c -old")
        let part: ShellCommand = "\(kind) --to \("2.0")"
        let closing = "losses close --to 2.0 --because x -- -old"
        #expect(ShellCommand("losses close \(part) --because x").description == closing)
        #expect("\"\u{301}".asSQLLiteral == accented)
        // A quotation mark and a combining character are one Character, which is no quotation mark.
        let (prepended, joined) = (#"U&'\+000600''; drop'"#, "'''\u{301} or true'")
        #expect(Array("\u{600}'; drop".asSQLLiteral.utf8) == Array(prepended.utf8))
        #expect(Array("'\u{301} or true".asSQLLiteral.utf8) == Array(joined.utf8))
        let (hidden, command) = (#"U&'a\\\+00000d\+00000a\+00202eb'"#, #"''\''"# + "\u{301};rm'")
        #expect("a\\\r\n\u{202E}b".asSQLLiteral == hidden)
        #expect(Array(ShellCommand("\("'\u{301};rm")").description.utf8) == Array(command.utf8))
        let escaped = #""$(printf %b 'a\\\0342\0200\0256b'\''\0012;rm')""#
        #expect(ShellCommand("\("a\\\u{202E}b'\n;rm")").description == escaped)
    }
}

/// A device with more history than fits a page. Regression: rendering it delayed responses to phones.
@Suite struct `Pages of heavy devices` {
    @Test func `a page stays small and says what it leaves out`() {
        let circumstances = Observation.Circumstances(
            platform: .ios, osVersion: "18.1", appVersion: "1")
        let observations = (0..<60).map { number in
            let widgets = (0..<400).map {
                Placement(kind: "k\(number).\($0)", configuration: String(repeating: "é", count: 200))
            }
            return Observation(
                id: "\(number)", occurredAt: Timestamp(seconds: Int64(number) * 3_600),
                at: Timestamp(seconds: Int64(number) * 3_600),
                installation: Pseudonym(high: 0, low: 1), surface: .widget, circumstances: circumstances,
                event: .reported(Dictionary(uniqueKeysWithValues: widgets.map { ($0, 1) })))
        }
        let explanation = DeviceFold().explain(observations)
        let page = DevicePage(app: "com.example.weather", answer: .explanation(explanation)).page
        let html = page.document(in: Frame(apps: [])).description
        #expect(html.utf8.count < 500_000, "\(html.utf8.count)")
        #expect(html.contains("left out"))
        #expect(html.contains("more changes</td>"))
        #expect(html.contains("<p class=\"soft\">"))
        #expect(!html.contains("&lt;"), "no name has a <, so escaped ones are markup")
    }
}
