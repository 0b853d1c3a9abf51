import CensusCore
import Testing

@testable import History

/// One event in the files that tools, warehouses and converters write.
@Suite struct `Exported files` {
    /// - Returns: each record's first line and its outcome.
    private func read(
        _ file: String, from format: HistoryFormat.Name, _ mapping: String = ""
    ) throws -> [(line: Int, outcome: HistoryTranslator.Outcome)] {
        let yaml = mapping + "\nevents:\n  widget_added: {type: widget_installed, kind: widget_kind, family: size}\n"
        let translator = HistoryTranslator(HistoryFormat(format), try HistoryMapping(yaml: yaml))
        var splitter = RecordSplitter(translator.format)
        var records: [ExportedRecord] = []
        for (number, line) in file.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            records += splitter.records(in: Array(line), number: number + 1)
        }
        if let last = splitter.end() { records.append(last) }
        return records.map { ($0.line, translator.translate($0).outcome) }
    }

    private func expectWidget(
        _ outcome: HistoryTranslator.Outcome?, device: String = "A1", at time: String = "2026-03-02T10:00:00Z",
        location: SourceLocation = #_sourceLocation
    ) throws {
        guard case .batch(let bytes) = outcome else {
            Issue.record("\(outcome as Any)", sourceLocation: location)
            return
        }
        let batch = try BatchDecoder().decodeArchived(bytes).batch
        let event = try #require(batch.events.first).get()
        #expect(batch.deviceID == device && batch.appID == "com.example.weather", sourceLocation: location)
        #expect(event.at == Timestamp(rfc3339: time), sourceLocation: location)
        let widget = Placement(kind: "weather", family: "systemSmall")
        #expect(try event.event.decoded() == .installed(widget), sourceLocation: location)
    }

    private static let ga4 = """
        {"event_timestamp": "1772445600000000", "event_name": "widget_added", "event_params": [
          {"key": "widget_kind", "value": {"string_value": "weather", "int_value": null, "float_value": null, "double_value": null}},
          {"key": "size", "value": {"string_value": "systemSmall", "int_value": null, "float_value": null, "double_value": null}}
        ], "user_pseudo_id": "A1", "app_info": {"id": "com.example.weather", "version": "20.1"}, "platform": "IOS",
        "device": {"operating_system": "IOS", "operating_system_version": "iOS 18.1"}}
        """

    /// As the console and `bq query` write it, with `--format=json` or `prettyjson`.
    @Test func `an array yields its elements, on one line or many`() throws {
        let line = Self.ga4.replacing("\n", with: " ")
        let screen = #"{"event_name": "screen_view", "text": "}]\"{"}"#
        for file in ["[\(line),\(screen)]", "[\(line),\n\(screen)]", "[\n  \(Self.ga4),\r\n  \(screen)\n]\n"] {
            let records = try read(file, from: .ga4)
            #expect(records.count == 2)
            try expectWidget(records.first?.outcome)
            #expect(records.last?.outcome == .ignored(.notInMapping))
        }
        #expect(try read("[\n\n \(Self.ga4)\n]", from: .ga4).map(\.line) == [3])
        #expect(try read("{\n\(Self.ga4.dropFirst())\n{\n\"event_name\": \"a\"\n}", from: .ga4).map(\.line) == [1, 7])
    }

    @Test func `an unterminated array yields its records and then an error`() throws {
        let line = Self.ga4.replacing("\n", with: " ")
        for file in ["[\(line)", "[\(line),\n", "[\n\(line),\n\(line)\n"] {
            let records = try read(file, from: .ga4)
            try expectWidget(records.first?.outcome)
            #expect(records.last?.outcome == .failed("the file ends within an array: the export was cut short"))
        }
        #expect(try read("[[[[", from: .ga4).count == 1)
    }

    @Test func `a truncated line fails without affecting others`() throws {
        let line = Self.ga4.replacing("\n", with: " ")
        let records = try read("\(line.prefix(90))\n\(line)\n\n\(line.prefix(50))", from: .ga4)
        try #require(records.map(\.line) == [1, 2, 4])
        #expect(records[0].outcome == .failed("the line is not JSON") && records[2].outcome == records[0].outcome)
        try expectWidget(records[1].outcome)
    }

    /// A GA4 property can have both apps and a web site.
    @Test func `events of the web are ignored`() throws {
        let web = Self.ga4.replacing(#""IOS""#, with: #""WEB""#).replacing("\n", with: " ")
        #expect(try read(web, from: .ga4).first?.outcome == .ignored(.platform("WEB")))
    }

    /// A day's table repeats the events of its intraday tables, with other columns.
    @Test func `a GA4 event has the same id in every table`() throws {
        func id(_ record: String) throws -> String? {
            guard case .batch(let bytes)? = try read(record.replacing("\n", with: " "), from: .ga4).first?.outcome
            else {
                return nil
            }
            return try BatchDecoder().decodeArchived(bytes).batch.events.first?.get().id
        }
        let ours = try id(Self.ga4)
        #expect(
            try ours != nil
                && ours == id(Self.ga4.replacing(#""platform""#, with: #""is_active_user": true, "platform""#)))
        #expect(try ours != id(Self.ga4.replacing("weather", with: "search")))
        #expect(try ours != id(Self.ga4.replacing("0000\"", with: "0001\"")))
        let flat = """
            {"event_timestamp": "1772445600000000", "event_name": "widget_added", "widget_kind": "weather", "user_pseudo_id": "A1", \
            "app_info": {"id": "com.example.weather", "version": "20.1"}, "platform": "IOS"}
            """
        #expect(try id(flat) == id(flat.replacing(#""IOS""#, with: #""iOS", "row": 1"#)))
    }

    private static let properties =
        #"{"$app_namespace": "com.example.weather", "$app_version": "20.1", "$os_name": "iOS", "$os_version": "18.1", "#
        + #""widget_kind": "weather", "size": "systemSmall"}"#

    /// Parquet converted to JSON lines has the properties as a string.
    @Test func `PostHog's properties can be a string`() throws {
        let text = Self.properties.replacing("\"", with: "\\\"")
        let record =
            #"{"uuid": "e1", "event": "widget_added", "distinct_id": "A1", "timestamp": 1772445600000000, "properties": "\#(text)"}"#
        try expectWidget(try read(record, from: .posthog).first?.outcome)
    }

    @Test func `a field in PostHog's tables can contain line ends and quotes`() throws {
        let lines = Self.properties.replacing(", ", with: ",\r\n ").replacing("\"", with: "\"\"")
        let sql = """
            uuid,event,properties,timestamp,distinct_id\r
            e0,$pageview,"{""a"": ""5\\"" wide""}",2026-03-02 10:00:00+00:00,A1\r
            e1,widget_added,"\(lines)",2026-03-02 10:00:00.000000+00:00,A1\r

            """
        let records = try read(sql, from: .posthog)
        #expect(records.map(\.line) == [2, 3])
        try expectWidget(records.last?.outcome)
        let activity = """
            *.event;*.timestamp;*.distinct_id;*.properties.$app_namespace;*.properties.$app_version;*.properties.$os_name;\
            *.properties.widget_kind;*.properties.size
            widget_added;2026-03-02T10:00:00Z;A1;com.example.weather;20.1;iOS;weather;systemSmall
            """
        try expectWidget(try read(activity, from: .posthog).first?.outcome)
    }

    @Test func `a row with an unclosed quote fails`() throws {
        let records = try read("event,time\nwidget_added,\"2026", from: .csv)
        #expect(records.map(\.outcome) == [.failed("the row has a quote that is not closed")])
        #expect(try read("event,time\nother,5\" wide", from: .csv).map(\.outcome) == [.ignored(.notInMapping)])
        #expect(
            try read("Error: too many requests, try again", from: .posthog).map(\.outcome) == [
                .failed("the line is not JSON")
            ])
    }

    @Test func `Segment's fields are read under the flat names of warehouses`() throws {
        let row = """
            {"event": "widget_added", "id": "e1", "anonymous_id": "x", "context_device_id": "A1", "context_device_type": "ios", \
            "context_app_namespace": "com.example.weather", "context_app_version": "20.1", "context_os_name": "", \
            "timestamp": "2026-03-02 10:00:00.000 Z", "received_at": "2026-03-02 10:00:05 UTC", "widget_kind": "weather", \
            "size": "systemSmall"}
            """
        try expectWidget(try read(row, from: .segment).first?.outcome)
        let snowflake = """
            EVENT,ID,ANONYMOUS_ID,CONTEXT_APP_NAMESPACE,CONTEXT_APP_VERSION,CONTEXT_OS_NAME,TIMESTAMP,widget_kind,size
            widget_added,e1,A1,com.example.weather,20.1,iOS,2026-03-02 10:00:00.000,weather,systemSmall
            """
        try expectWidget(try read(snowflake, from: .segment).first?.outcome)
        let identify = #"{"type": "identify", "messageId": "m", "traits": {}}"#
        #expect(try read(identify, from: .segment).first?.outcome == .ignored(.notInMapping))
    }

    @Test func `a TelemetryDeck query result is read as its events`() throws {
        let event = """
            {"__time": 1772445600000, "type": "widget_added", "clientUser": "A1", "isTestMode": "false", \
            "TelemetryDeck.AppInfo.version": "20.1", "TelemetryDeck.Device.platform": "iOS", "widget_kind": "weather", \
            "size": "systemSmall"}
            """
        let pairs = """
            {"__time": 1772445600000, "type": "widget_added", "clientUser": "A1", "appVersion": "20.1", "platform": "iOS", \
            "payload": ["widget_kind:weather", "size:systemSmall"]}
            """
        let app = "app: com.example.weather"
        let answer =
            #"{"calculationDuration": 0.2, "result": {"type": "scanResult", "rows": [{"columns": ["type"], "events": "#
            + "[\(event), \(pairs)]}]}}"
        for file in [answer, "\(event)\n\(pairs)", #"[{"events": [\#(event), \#(pairs)]}]"#] {
            let records = try read(file, from: .telemetrydeck, app)
            #expect(records.count == 2)
            for record in records { try expectWidget(record.outcome) }
        }
        let test = event.replacing(#""false""#, with: #""true""#)
        #expect(try read(test, from: .telemetrydeck, app).first?.outcome == .ignored(.test))
    }

    /// Mixpanel projects from before 2023 count seconds in their own zone.
    @Test func `the mapping's zone applies to times without one`() throws {
        let zone = "zone: America/New_York\napp: com.example.weather"
        let mixpanel = """
            {"event": "widget_added", "properties": {"time": 1772427600, "mp_processing_time_ms": 1772445700000, "$device_id": "A1", \
            "$os": "iOS", "$app_version_string": "20.1", "widget_kind": "weather", "size": "systemSmall"}}
            """
        try expectWidget(try read(mixpanel, from: .mixpanel, zone).first?.outcome)
        let row =
            "event,time,device,version,platform,widget_kind,size\nwidget_added,2026-07-02 06:00:00,A1,1,ios,weather,systemSmall"
        try expectWidget(try read(row, from: .csv, zone).first?.outcome, at: "2026-07-02T10:00:00Z")
        #expect(throws: HistoryMappingError.self) { try read(row, from: .csv, "zone: EST") }
    }

    /// A truncated list looks as if the user had removed widgets.
    @Test func `a list that might be truncated fails its record`() throws {
        let yaml = "app: a\nplatform: ios\nversion: '1'\nevents: {opened: {type: widgets_reported, list: widgets}}"
        let translator = HistoryTranslator(HistoryFormat(.mixpanel), try HistoryMapping(yaml: yaml))
        func outcome(_ list: String) -> HistoryTranslator.Outcome {
            let record =
                #"{"event": "opened", "properties": {"time": 1772445600, "distinct_id": "A1", "widgets": \#(list)}}"#
            return translator.translate(ExportedRecord(line: 1, bytes: Array(record.utf8))).outcome
        }
        let long = Array(repeating: "weather", count: 40).joined(separator: ",")
        guard case .failed(let reason) = outcome("\"\(long.prefix(255))\"") else {
            Issue.record("a list of 255 characters was read")
            return
        }
        #expect(reason.contains("might be cut off"))
        guard case .batch = outcome("\"\(long.prefix(254))\""), case .batch = outcome(#""[\"weather\"]""#) else {
            Issue.record("a shorter list was not read")
            return
        }
    }
}
