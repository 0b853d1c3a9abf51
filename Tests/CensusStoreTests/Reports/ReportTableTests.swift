import CensusStore
import Testing

@Suite struct `Tables of reports` {
    private let table = ReportTable(
        columns: [.init("kind"), .init("devices", isNumber: true), .init("note")],
        rows: [["weather", "12", "a \"b\", c"], ["=cmd()", "-3", nil], ["<script>\u{1B}[31m", nil, "x\ny"]])

    @Test func `csv quotes, neutralises formulas and keeps numbers`() {
        #expect(
            table.csv
                == "kind,devices,note\r\nweather,12,\"a \"\"b\"\", c\"\r\n'=cmd(),-3,\r\n<script>\u{1B}[31m,,\"x\ny\"\r\n"
        )
    }

    @Test func `json keeps numbers as numbers and escapes the rest`() {
        #expect(table.json.contains(#"{"kind": "weather", "devices": 12, "note": "a \"b\", c"}"#))
        #expect(table.json.contains(#"{"kind": "=cmd()", "devices": -3, "note": null}"#))
        #expect(table.json.contains(#""<script>\u001b[31m""#))
    }
}
