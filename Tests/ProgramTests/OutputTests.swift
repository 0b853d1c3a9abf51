import CensusCore
import CensusStore
import Foundation
import Nightly
import PostgresTesting
import Testing

@testable import widget_census

@Suite struct `Report formats` {
    private let table = ReportTable(
        columns: [.init("kind"), .init("devices", isNumber: true), .init("note")],
        rows: [["weather", "12", "a \"b\", c"], ["=cmd()", "-3", nil], ["<script>\u{1B}[31m", nil, "x\ny"]])

    @Test func `a table aligns numbers to the right and shows no control characters`() {
        let lines = ReportFormat.table.text(table, width: nil).split(separator: "\n")
        #expect(lines[0] == "kind           devices  note")
        #expect(lines[2] == "weather             12  a \"b\", c")
        #expect(!lines.joined().unicodeScalars.contains("\u{1B}"))
    }

    @Test func `what shows nothing, or turns the direction of what follows, is written by its number`() {
        let table = ReportTable(columns: [.init("kind")], rows: [["a\u{202E}b\u{200F}\u{200B}\u{1B}"]])
        #expect(ReportFormat.table.text(table, width: nil).contains("a\\u202eb\\u200f\\u200b\u{FFFD}\n"))
    }

    @Test func `each row becomes a block if the screen is too narrow`() {
        let text = ReportFormat.table.text(table, width: 20)
        #expect(text.hasPrefix("kind     weather\ndevices  12\nnote     a \"b\", c\n\nkind     =cmd()\n"))
    }
}

@Suite struct `Narrow screens` {
    private let table = ReportTable(
        columns: [.init("app_id"), .init("kind"), .init("devices_possible", isNumber: true)],
        rows: [["com.example.weather", "search", "2"], ["com.example.weather", "weather", "12"]])

    private func text(_ width: Int) -> String { ReportFormat.table.text(table, width: width) }

    @Test func `a value common to all rows is printed once above them`() {
        #expect(text(46).hasPrefix("app_id               kind     devices_possible\n"))
        #expect(
            text(45) == """
                app_id  com.example.weather

                kind     devices_possible
                ───────  ────────────────
                search                  2
                weather                12

                """)
    }

    @Test func `column names are then broken at their underscores`() {
        #expect(
            text(20) == """
                app_id  com.example.weather

                         devices_
                kind     possible
                ───────  ────────
                search          2
                weather        12

                """)
    }

    /// A report of one row was once a block above an empty table.
    @Test func `a single row has no common values above it`() {
        let one = ReportTable(columns: table.columns, rows: [table.rows[0]])
        #expect(ReportFormat.table.text(one, width: 46).hasPrefix("app_id               kind    devices_possible\n"))
        #expect(!ReportFormat.table.text(one, width: 30).contains("\n\nkind"))
    }

    @Test func `numbers and verdicts stay in their rows, even if all are the same`() {
        let alike = ReportTable(
            columns: table.columns + [.init("verdict")],
            rows: [
                ["com.example.weather", "search", "0", "unknown"], ["com.example.weather", "weather", "0", "unknown"],
            ])
        #expect(
            ReportFormat.table.text(alike, width: 40) == """
                app_id  com.example.weather

                kind     devices_possible  verdict
                ───────  ────────────────  ───────
                search                  0  unknown
                weather                 0  unknown

                """)
    }

    @Test func `the common start of kinds is then shortened, and explained below`() {
        let kinds = ReportTable(
            columns: [.init("kind"), .init("devices", isNumber: true)],
            rows: [["com.example.weather.current", "2"], ["weather", "3"], ["com.example.weather.radar", "1"]])
        #expect(
            ReportFormat.table.text(kinds, width: 20) == """
                kind      devices
                ────────  ───────
                ~current        2
                weather         3
                ~radar          1

                ~ stands for
                com.example.weather.

                """)
    }

    @Test func `columns are then left out, the report's spare ones first, and listed below`() {
        let wide = ReportTable(
            columns: [.init("kind"), .init("lost", isNumber: true), .init("state"), .init("seen", isNumber: true)],
            rows: [["weather", "1", "open", "5"], ["search", "2", "closed", "6"]], spare: ["state"])
        #expect(
            ReportFormat.table.text(wide, width: 20) == """
                kind     lost  seen
                ───────  ────  ────
                weather     1     5
                search      2     6

                not shown: state;
                --wide shows all

                """)
        #expect(ReportFormat.table.text(wide, width: nil).hasPrefix("kind     lost  state   seen\n"))
    }

    @Test func `long texts are then cut, except times`() {
        let refused = ReportTable(
            columns: [.init("code"), .init("received_at"), .init("example")],
            rows: [["too_old", "2026-11-21T10:00:00Z", String(repeating: "it is so ", count: 9)]])
        let text = ReportFormat.table.text(refused, width: 60)
        #expect(text.contains("too_old  2026-11-21T10:00:00Z  it is so it is so it is so i…\n"))
        #expect(text.hasSuffix("\n… marks cut text: example; --wide shows all\n"))
        #expect(!text.split(separator: "\n").contains { $0.count > 60 })
    }

    @Test func `kinds are cut at their start, where they are alike`() {
        let losses = ReportTable(
            columns: [.init("kind"), .init("lost", isNumber: true)], rows: [["com.example.weather.radar", "36"]])
        #expect(
            ReportFormat.table.text(losses, width: 22) == """
                kind              lost
                ────────────────  ────
                …e.weather.radar    36

                … marks cut text:
                kind; --wide shows all

                """)
    }

    /// Checks random reports.
    @Test(arguments: 40...200) func `no line is wider than the screen`(width: Int) {
        var random = Seeded(UInt64(width))
        for _ in 0..<20 {
            let columns = (0..<Int.random(in: 2...12, using: &random)).map { index in
                ReportTable.Column("column_\(index)", isNumber: Bool.random(using: &random))
            }
            let rows = (0..<5).map { _ in
                columns.map { column -> String? in
                    let length = Int.random(in: 1...(column.isNumber ? 8 : 40), using: &random)
                    return String(repeating: column.isNumber ? "7" : "x", count: length)
                }
            }
            let text = ReportFormat.table.text(ReportTable(columns: columns, rows: rows), width: width)
            // Blocks, the last resort, can be wider.
            guard text.contains("─") else { continue }
            #expect(!text.split(separator: "\n").contains { $0.count > width && !$0.hasPrefix("column_") }, "\(text)")
        }
    }
}

@Suite struct `Colours` {
    @Test func `only verdicts and states have colours`() {
        let table = ReportTable(columns: [.init("kind"), .init("verdict")], rows: [["ready", "not ready"]])
        #expect(
            ReportFormat.table.text(table, width: 80, colours: true).contains("ready  \u{1B}[31mnot ready\u{1B}[0m\n"))
        #expect(!ReportFormat.csv.text(table, width: 80, colours: true).contains("\u{1B}"))
        #expect(!ReportFormat.table.text(table, width: 80).contains("\u{1B}"))
    }
}

@Suite struct `Sparklines` {
    @Test func `a sparkline is as high as the largest number, and blank for unknown values`() {
        #expect(Sparkline.text([0, 4, nil, 8]) == "▁▅ █")
        #expect(Sparkline.text([0, 0]) == "▁▁")
        #expect(Sparkline.text([]) == "")
    }
}

@Suite struct `Empty reports` {
    private func reason(
        _ filter: ReportFilter = ReportFilter(app: "com.example.a"), of name: String = "live_kinds",
        isDaily: Bool = true, _ change: (inout ReportFacts) -> Void
    ) -> String? {
        var facts = ReportFacts()
        facts.apps = 1
        facts.hasDevices = true
        (facts.firstDay, facts.lastDay) = (Day("2026-11-01"), Day("2026-11-20"))
        facts.kinds = ["search", "weather"]
        change(&facts)
        return EmptyReport(name: name, isDaily: isDaily, filter: filter, facts: facts).reason
    }

    @Test func `an empty report says that nothing was wrong, if the app has sent anything`() throws {
        #expect(reason(of: "refused") { _ in } == "no event was rejected")
        #expect(reason(of: "warned") { _ in }?.hasPrefix("no accepted event had a warning; ") == true)
        #expect(reason(of: "warned") { $0.hasDevices = false }?.contains("has never sent anything") == true)
        let november = ReportFilter(app: nil, since: Day("2026-11-02"), until: Day("2026-11-01"))
        #expect(reason(november, of: "warned") { _ in } == "--since 2026-11-02 is after --until 2026-11-01")
    }

    @Test func `an empty report says when there is no app, or when it never sent anything`() throws {
        #expect(reason { $0.apps = 0 }?.contains("apps add") == true)
        #expect(reason { $0.hasDevices = false }?.hasPrefix("com.example.a has never sent anything") == true)
        let refused = reason {
            $0.hasDevices = false
            $0.refused = 1_200
        }
        #expect(refused?.contains("1,200 events were refused") == true)
        let debug = reason {
            $0.hasDevices = false
            $0.hasNames = true
        }
        #expect(debug?.contains("their `channel` is not production") == true)
    }

    @Test func `an empty report says when nothing is reconciled, or when no day is closed`() {
        let pending = reason {
            $0.hasDevices = false
            $0.hasPending = true
        }
        #expect(pending?.hasPrefix("nothing is reconciled yet") == true)
        let open = { (facts: inout ReportFacts) in (facts.firstDay, facts.lastDay) = (nil, nil) }
        #expect(reason(ReportFilter(), isDaily: true, open)?.hasPrefix("no day is closed yet") == true)
        #expect(reason(ReportFilter(), isDaily: false, open) == nil)
    }

    @Test func `an empty report names the nearest kind, and the days that are closed`() {
        #expect(reason(ReportFilter(kind: "wether")) { _ in }?.contains("did you mean weather?") == true)
        #expect(reason(ReportFilter(kind: "weather")) { _ in } == nil)
        let late = ReportFilter(since: Day("2026-11-21"))
        #expect(reason(late) { _ in } == "the closed days run from 2026-11-01 to 2026-11-20")
        let crossed = ReportFilter(since: Day("2026-11-09"), until: Day("2026-11-08"))
        #expect(reason(crossed) { _ in }?.contains("is after --until") == true)
    }
}

@Suite struct `Progress` {
    @Test(arguments: [
        (0, 1.0, "reconciling 0 of 1,000,000 devices"), (120_000, 1.9, "reconciling 120,000 of 1,000,000 devices"),
        (120_000, 5.0, "reconciling 120,000 of 1,000,000 devices, about 37 s left"),
        (1_000, 10.0, "reconciling 1,000 of 1,000,000 devices, about 2 h 46 min left"),
        (500_000, 400.0, "reconciling 500,000 of 1,000,000 devices, about 7 min left"),
        (1_000_000, 60.0, "reconciling 1,000,000 of 1,000,000 devices"),
    ]) func `progress has the time left once its rate is known`(done: Int, seconds: Double, line: String) {
        #expect(NightProgress(.reconciling, done: done, of: 1_000_000).line(after: seconds) == line)
    }

    @Test func `progress names the app whose days are being closed`() {
        let progress = NightProgress(.closing, done: 1, of: 3, app: "com.example.a")
        #expect(progress.line(after: 0) == "closing com.example.a, 1 of 3 apps")
    }
}

@Suite struct `Settings` {
    @Test func `the environment overrides the file, and an error has the line of an unknown name`() async throws {
        let path = "/tmp/widget-census-settings-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "# ours\nCENSUS_PORT = 9000\nCENSUS_HOST=0.0.0.0\n".write(toFile: path, atomically: true, encoding: .utf8)
        let settings = try widget_census.Settings(environment: ["CENSUS_PORT": "9001"], configurationFile: path)
        #expect(settings.port == 9_001)
        #expect(settings.host == "0.0.0.0")
        #expect(settings.database == nil)

        try "CENSUS_PORT=1\nCENSUS_PROT=2\n".write(toFile: path, atomically: true, encoding: .utf8)
        let refusal = #expect(throws: UsageError.self) {
            try widget_census.Settings(environment: [:], configurationFile: path)
        }
        #expect(refusal?.description.hasPrefix("\(path):2: ") == true)
    }

    @Test func `a URL or libpq's variables name the database`() throws {
        #expect(
            try widget_census.Settings(environment: ["DATABASE_URL": "postgresql://x/y"]).database == "postgresql://x/y"
        )
        #expect(try widget_census.Settings(environment: ["PGHOST": "db"]).database == "")
        #expect(try widget_census.Settings(environment: ["PGPASSWORD": "x"]).database == nil)
    }

    @Test(arguments: ["CENSUS_PORT": "70000", "CENSUS_LOG_LEVEL": "loud", "CENSUS_X": "1"])
    func `an invalid value is rejected`(name: String, value: String) {
        #expect(throws: UsageError.self) { try widget_census.Settings(environment: [name: value]) }
    }
}
