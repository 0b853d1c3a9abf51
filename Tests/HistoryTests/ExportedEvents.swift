import CensusCore
import Testing

@testable import History

/// Tables of events without ids: which rows are the same event, and which are rejected.
@Suite struct `Exported events` {
    private static let mapping = """
        app: com.example.weather
        version: "1.0"
        events:
          added: {type: widget_installed, kind: kind, family: family}
          opened: {type: widgets_reported, list: widgets}
          seen: app_opened
        """

    private func outcomes(
        _ file: [UInt8], from format: HistoryFormat.Name = .csv
    ) throws -> [HistoryTranslator.Outcome] {
        let translator = HistoryTranslator(HistoryFormat(format), try HistoryMapping(yaml: Self.mapping))
        var splitter = RecordSplitter(translator.format)
        let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.enumerated().flatMap { splitter.records(in: Array($1), number: $0 + 1) }
            .map { translator.translate($0).outcome }
    }

    private func reasons(_ file: String, from format: HistoryFormat.Name = .csv) throws -> [String] {
        try outcomes(Array(file.utf8), from: format).map {
            guard case .failed(let reason) = $0 else { return "\($0)" }
            return reason
        }
    }

    private func ids(_ file: String) throws -> [String] {
        try outcomes(Array(file.utf8)).map {
            guard case .batch(let bytes) = $0 else { return "\($0)" }
            return try #require(BatchDecoder().decodeArchived(bytes).batch.events.first).get().id
        }
    }

    private static let table = """
        event,time,device,platform,kind,family,widgets
        added,2026-03-02 10:00:00,A1,ios,weather,systemSmall,
        added,2026-03-02 10:00:00,A1,ios,weather,,
        added,2026-03-02 10:00:01,A1,ios,weather,,
        added,2026-03-02 10:00:00,A2,ios,weather,,
        opened,2026-03-02 10:00:00,A1,ios,,,"weather,search"
        opened,2026-03-02 10:00:00,A1,ios,,,weather
        seen,2026-03-02 10:00:00,A1,ios,,,

        """

    /// Regression: their events were counted again.
    @Test(arguments: [
        table.replacing("\n", with: "\r\n"), table.replacing("weather,systemSmall", with: #""weather","systemSmall""#),
        table.replacing(":00,A", with: ":00Z,A").replacing(":01,A", with: ":01.000Z,A"),
        table.replacing(",ios,", with: ",iOS,"), table.replacing("weather,search", with: "search, weather"),
        table.split(separator: "\n").map { $0 + ($0.hasPrefix("event") ? ",note" : ",again") }.joined(separator: "\n"),
    ])
    func `a table that another tool saved again has the same event ids`(again: String) throws {
        let ids = try ids(Self.table)
        #expect(Set(ids).count == 7 && ids.allSatisfy { $0.count == 32 })
        #expect(try self.ids(again).prefix(7) == ids[...])
    }

    @Test func `the order of columns doesn't change event ids`() throws {
        let (one, other) = (
            "event,time,device,platform,kind\nadded,2026-03-02 10:00:00,A1,ios,weather",
            "kind,platform,device,time,event\nweather,ios,A1,2026-03-02 10:00:00,added"
        )
        #expect(try ids(one) == ids(other))
    }

    @Test func `an id column distinguishes equal events`() throws {
        let row = "added,2026-03-02 10:00:00,A1,ios,weather"
        #expect(try ids("event,time,device,platform,kind,id\n\(row),e1\n\(row),e2") == ["e1", "e2"])
    }

    /// Regression: three kinds became one.
    @Test func `a line that is not UTF-8 fails`() throws {
        let header = "event,time,device,platform,kind"
        let row = Array("added,2026-03-02 10:00:00,A1,ios,caf".utf8)
        let latin = Array((header + "\n").utf8) + row + [0xE9, 0x0A] + row
        let outcomes = try outcomes(latin)
        let reason = "the line is not UTF-8; convert the file, for example with iconv -f ISO-8859-1 -t UTF-8"
        #expect(outcomes.first == .failed(reason))
        guard case .batch? = outcomes.last else {
            Issue.record("\(outcomes)")
            return
        }
        let json = Array(#"{"event": "caf"#.utf8) + [0xE9] + Array(#""}"#.utf8)
        #expect(try self.outcomes(json, from: .posthog) == [.failed(reason)])
        let named = Array(header.utf8) + [0x2C, 0xE9, 0x0A] + row + [0x2C]
        #expect(try self.outcomes(named) == [.failed("in the header, " + reason)])
    }

    @Test func `a repeated column name fails the rows`() throws {
        let table = "event,time,device,platform,kind,kind\nadded,2026-03-02 10:00:00,A1,ios,weather,search"
        #expect(try reasons(table) == ["two columns are named kind"])
        let nameless = "event,time,device,platform,kind,,\nadded,2026-03-02 10:00:00,A1,ios,weather,,"
        #expect(try ids(nameless).first?.count == 32)
    }

    @Test(arguments: [
        ("20261101", "`time` is before 2009, when phones had no widgets yet"),
        ("2026-11-01", "`time` can't be read"), ("4102444800", "`time` is in the future"),
    ])
    func `an error about a time uses the export's field name`(time: String, fault: String) throws {
        let reasons = try reasons("event,time,device,platform,kind\nadded,\(time),A1,ios,weather")
        let form = "; write it as 2026-11-01T10:00:00Z, or as seconds, milliseconds or microseconds since 1970"
        #expect(reasons == [fault + (fault.hasSuffix("future") ? "" : form)])
    }

    @Test func `an error about a server's time uses the export's field name`() throws {
        let record = """
            {"event_type": "seen", "event_time": "2026-03-02 10:00:00", "server_upload_time": "2100-01-01 00:00:00", \
            "device_id": "A1", "platform": "iOS"}
            """
        #expect(try reasons(record, from: .amplitude) == ["`server_upload_time` is in the future"])
    }

    @Test func `an error about a device id uses the export's field name`() throws {
        let record = """
            {"event_type": "seen", "event_time": "2026-03-02 10:00:00", "device_id": " A1", "platform": "iOS"}
            """
        #expect(try reasons(record, from: .amplitude) == ["`device_id` begins or ends with white space"])
        let long = record.replacing(" A1", with: String(repeating: "a", count: 600))
        #expect(
            try reasons(long, from: .amplitude) == ["`device_id` is longer than 200 characters or 500 bytes of UTF-8"])
    }
}
