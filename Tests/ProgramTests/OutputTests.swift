import CensusStore
import Foundation
import Testing

@testable import widget_census

@Suite struct `Report formats` {
    private let table = ReportTable(
        columns: [.init("kind"), .init("devices", isNumber: true), .init("note")],
        rows: [["weather", "12", "a \"b\", c"], ["=cmd()", "-3", nil], ["<script>\u{1B}[31m", nil, "x\ny"]])

    @Test func `csv quotes, neutralises formulas and keeps numbers`() {
        #expect(
            ReportFormat.csv.text(table, width: nil)
                == "kind,devices,note\r\nweather,12,\"a \"\"b\"\", c\"\r\n'=cmd(),-3,\r\n<script>\u{1B}[31m,,\"x\ny\"\r\n"
        )
    }

    @Test func `json keeps numbers as numbers and escapes the rest`() {
        let json = ReportFormat.json.text(table, width: nil)
        #expect(json.contains(#"{"kind": "weather", "devices": 12, "note": "a \"b\", c"}"#))
        #expect(json.contains(#"{"kind": "=cmd()", "devices": -3, "note": null}"#))
        #expect(json.contains(#""<script>\u001b[31m""#))
    }

    @Test func `a table aligns numbers to the right and shows no control characters`() {
        let lines = ReportFormat.table.text(table, width: nil).split(separator: "\n")
        #expect(lines[0] == "kind           devices  note")
        #expect(lines[2] == "weather             12  a \"b\", c")
        #expect(!lines.joined().unicodeScalars.contains("\u{1B}"))
    }

    @Test func `where the screen is too narrow each row is a block`() {
        let text = ReportFormat.table.text(table, width: 20)
        #expect(text.hasPrefix("kind     weather\ndevices  12\nnote     a \"b\", c\n\nkind     =cmd()\n"))
    }
}

@Suite struct `Settings` {
    @Test func `the environment wins over the file, and an unknown name in it is refused with its line`() async throws {
        let path = "/tmp/widget-census-settings-\(UInt32.random(in: 0 ... .max))"
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

    @Test func `a database is named by a URL or by libpq's variables`() throws {
        #expect(
            try widget_census.Settings(environment: ["DATABASE_URL": "postgresql://x/y"]).database == "postgresql://x/y"
        )
        #expect(try widget_census.Settings(environment: ["PGHOST": "db"]).database == "")
        #expect(try widget_census.Settings(environment: ["PGPASSWORD": "x"]).database == nil)
    }

    @Test(arguments: ["CENSUS_PORT": "70000", "CENSUS_LOG_LEVEL": "loud", "CENSUS_X": "1"])
    func `a value that can't be is refused`(name: String, value: String) {
        #expect(throws: UsageError.self) { try widget_census.Settings(environment: [name: value]) }
    }
}
