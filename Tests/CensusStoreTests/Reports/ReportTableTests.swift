import CensusStore
import Testing

@Suite struct `Tables of reports` {
    private let table = ReportTable(
        columns: [.init("day", isTime: true), .init("kind"), .init("devices", isNumber: true), .init("note")],
        rows: [
            ["2026-11-20", "weather", "12", "a \"b\", c"], [nil, "=cmd()", "-3", nil],
            ["2026-11-21", "<script>\u{1B}[31m", nil, "x\ny"], ["2026-11-22", "18.10", "0.50", ""],
        ])

    @Test func `CSV quotes only texts and neutralises formulas`() {
        let lines = [
            "day,kind,devices,note",
            "2026-11-20,\"weather\",12,\"a \"\"b\"\", c\"",
            ",\"'=cmd()\",-3,",
            "2026-11-21,\"<script>\u{1B}[31m\",,\"x\ny\"",
            "2026-11-22,\"18.10\",0.50,\"\"",
        ]
        #expect(table.csv == lines.map { $0 + "\r\n" }.joined())
    }

    /// A quotation mark, comma or sign and a combining character are one Character, and so are a CR and an LF.
    @Test(arguments: ["\u{301}", "\u{FE0F}", "\u{200D}", "\u{20E3}"]) func `CSV quotes by scalars`(joiner: String) {
        let kinds = ["\"\(joiner)a", "b,\(joiner)c", "\u{600},d", "=\(joiner)1+1", "\r\n=1+1", "e\r\nf", "\u{FF1D}1+1"]
        let table = ReportTable(
            columns: [.init("kind"), .init("devices", isNumber: true)], rows: kinds.map { [$0, "1"] })
        let wanted = [
            "\"\"\"\(joiner)a\"", "\"b,\(joiner)c\"", "\"\u{600},d\"", "\"'=\(joiner)1+1\"", "\"'\r\n=1+1\"",
            "\"e\r\nf\"", "\"'\u{FF1D}1+1\"",
        ]
        #expect(Array(table.csv.utf8) == Array(("kind,devices\r\n" + wanted.map { "\($0),1\r\n" }.joined()).utf8))
    }

    @Test func `JSON keeps numbers as numbers and escapes the rest`() {
        #expect(table.json.contains(#"{"day": "2026-11-20", "kind": "weather", "devices": 12, "note": "a \"b\", c"}"#))
        #expect(table.json.contains(#"{"day": null, "kind": "=cmd()", "devices": -3, "note": null}"#))
        #expect(table.json.contains(#""<script>\u001b[31m""#))
    }
}
