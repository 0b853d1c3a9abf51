import CensusCore
import Foundation
import Testing

@testable import History

/// Records as the tools document them, and the batches that they become.
@Suite struct `History translations` {
    private static let mapping = """
        platform: ios
        app: com.example.weather
        version: "1.0"
        events:
          widget_added: {type: widget_installed, kind: widget_kind, family: size}
          widgets: {type: widgets_reported, list: widgets, item: "{kind}-{family}", error: failure}
          counts: {type: widgets_reported, counts: counts}
          pixel: {type: widgets_reported, flags: {ws: {kind: search, family: systemSmall}, wm: search}}
        kinds: {widget_today_home_small: {kind: today, family: systemSmall}}
        ignore: [first_open]
        """

    private func translate(
        _ file: String, from format: HistoryFormat.Name = .mixpanel, mapping: String = mapping
    ) throws -> HistoryTranslator.Translation {
        let translator = HistoryTranslator(HistoryFormat(format), try HistoryMapping(yaml: mapping))
        var splitter = RecordSplitter(translator.format)
        var records: [ExportedRecord] = []
        for (number, line) in file.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            records += splitter.records(in: Array(line.utf8), number: number + 1)
        }
        return translator.translate(try #require(records.last ?? splitter.end()))
    }

    private func batch(
        _ file: String, from format: HistoryFormat.Name = .mixpanel, mapping: String = mapping
    ) throws -> (batch: Batch, received: Timestamp) {
        let translation = try translate(file, from: format, mapping: mapping)
        guard case .batch(let bytes) = translation.outcome else {
            Issue.record("\(translation)")
            throw CancellationError()
        }
        return try BatchDecoder().decodeArchived(bytes)
    }

    /// One record per tool: a widget installed on an iPhone, received an hour later if the tool records that.
    private static let records: [(HistoryFormat.Name, String, isReceivedLater: Bool)] = [
        (
            .ga4,
            #"""
            {"event_date": "20260302", "event_timestamp": "1772445600000000", "event_name": "widget_added",
             "event_params": [{"key": "widget_kind", "value": {"string_value": "weather"}},
                {"key": "ga_session_id", "value": {"int_value": "7"}}, {"key": "size", "value": {"string_value": "systemSmall"}}],
             "user_pseudo_id": "A1", "device": {"operating_system": "IOS", "operating_system_version": "iOS 18.1"},
             "app_info": {"id": "com.example.weather", "version": "20.1"}, "platform": "IOS"}
            """#, false
        ),
        (
            .amplitude,
            #"""
            {"event_type": "widget_added", "event_time": "2026-03-02 10:00:00.000000", "server_received_time":
             "2026-03-02 11:00:00.000000", "device_id": "A1", "$insert_id": "e1", "version_name": "20.1", "platform": "iOS",
             "os_name": "ios", "os_version": "18.1", "event_properties": {"widget_kind": "weather", "size": "systemSmall"}}
            """#, true
        ),
        (
            .mixpanel,
            #"""
            {"event": "widget_added", "properties": {"time": 1772445600, "mp_processing_time_ms": 1772449200000,
             "distinct_id": "A1", "$insert_id": "e1", "$os": "iOS", "$os_version": "18.1", "$app_version_string": "20.1",
             "widget_kind": "weather", "size": "systemSmall"}}
            """#, true
        ),
        (
            .posthog,
            #"""
            {"uuid": "e1", "event": "widget_added", "distinct_id": "A1", "timestamp": "2026-03-02T10:00:00.000Z",
             "created_at": "2026-03-02T11:00:00Z", "properties": {"$app_namespace": "com.example.weather", "$app_version": "20.1",
             "$os_name": "iOS", "$os_version": "18.1", "widget_kind": "weather", "size": "systemSmall"}}
            """#, true
        ),
        (
            .segment,
            #"""
            {"type": "track", "event": "widget_added", "messageId": "e1", "anonymousId": "x", "timestamp":
             "2026-03-02T10:00:00.000Z", "receivedAt": "2026-03-02T11:00:00.000Z", "context": {"app": {"namespace":
             "com.example.weather", "version": "20.1"}, "device": {"id": "A1"}, "os": {"name": "iOS", "version": "18.1"}},
             "properties": {"widget_kind": "weather", "size": "systemSmall"}}
            """#, true
        ),
        (
            .telemetrydeck,
            #"""
            {"type": "widget_added", "receivedAt": "2026-03-02T10:00:00Z", "clientUser": "A1", "payload": {"appVersion": "20.1",
             "platform": "iOS", "systemVersion": "iOS 18.1", "widget_kind": "weather", "size": "systemSmall"}}
            """#, false
        ),
    ]

    @Test(arguments: records) func `a record becomes the same event in each format`(
        format: HistoryFormat.Name, record: String, isReceivedLater: Bool
    ) throws {
        let (batch, received) = try batch(record.replacing("\n", with: " "), from: format)
        let at = try #require(Timestamp(rfc3339: "2026-03-02T10:00:00Z"))
        #expect(received == (isReceivedLater ? at + .seconds(3_600) : at))
        #expect(batch.appID == "com.example.weather" && batch.deviceID == "A1")
        let event = try #require(batch.events.first).get()
        #expect(event.at == at)
        #expect(try event.event.decoded() == .installed(Placement(kind: "weather", family: "systemSmall")))
    }

    @Test func `a CSV row is read by its header`() throws {
        let header = "time,event,device,app,version,platform,widget_kind,size"
        let row =
            #"2026-03-02 10:00:00 UTC,widget_added,A1,com.example.weather,20.1,iOS,"weather, ""daily""",systemSmall"#
        let event = try #require(batch("\(header)\n\(row)", from: .csv).batch.events.first).get()
        #expect(try event.event.decoded() == .installed(Placement(kind: #"weather, "daily""#, family: "systemSmall")))
        let short = try translate("\(header)\n2026-03-02 10:00:00,widget_added", from: .csv)
        #expect(short.outcome == .failed("the row has 2 fields, and the header 8"))
    }

    private func reported(_ event: String, _ properties: String) throws -> Event {
        let record = #"{"event": "\#(event)", "properties": {"time": 1772445600, "distinct_id": "A1", \#(properties)}}"#
        return try #require(batch(record).batch.events.first).get().event.decoded()
    }

    @Test func `lists, counts and flags become a report`() throws {
        let (search, store) = (
            Placement(kind: "search", family: "systemSmall"), Placement(kind: "store-info", family: "systemMedium")
        )
        #expect(
            try reported("widgets", #""widgets": "search-systemSmall, store-info-systemMedium,search-systemSmall""#)
                == .reported([search: 2, store: 1]))
        #expect(try reported("widgets", #""widgets": ["search-systemSmall"]"#) == .reported([search: 1]))
        #expect(try reported("widgets", #""widgets": """#) == .reported([:]))
        #expect(
            try reported("counts", #""counts": {"widget_today_home_small": 2, "radar": 0, "other": "1"}"#)
                == .reported([Placement(kind: "today", family: "systemSmall"): 2, Placement(kind: "other"): 1]))
        #expect(
            try reported("pixel", #""ws": 1, "wm": "0""#) == .reported([search: 1]))
        #expect(try reported("pixel", #""other": 1"#) == .reported([:]))
    }

    /// The records in the comments of examples/mappings.
    @Test(arguments: [
        (
            "comma-list", "application_opened", #""widgets": "store-info-systemSmall,orders-systemMedium""#,
            Event.reported([
                Placement(kind: "store-info", family: "systemSmall"): 1,
                Placement(kind: "orders", family: "systemMedium"): 1,
            ])
        ),
        ("comma-list", "application_opened", #""widgets_error": "1101""#, .readFailed(domain: "1101", code: 0)),
        (
            "counts", "widget_counts", #""counts": {"widget_today_small": 1, "widget_week_medium": 2}"#,
            .reported([
                Placement(kind: "today", family: "systemSmall"): 1, Placement(kind: "week", family: "systemMedium"): 2,
            ])
        ),
        (
            "events", "widget_installed", #""kind": "weather", "family": "systemSmall""#,
            .installed(Placement(kind: "weather", family: "systemSmall"))
        ),
        ("events", "session_start", #""kind": null"#, .appOpened),
        (
            "flags", "launch", #""ws": 1, "wl": 1"#,
            .reported([
                Placement(kind: "search", family: "systemSmall"): 1,
                Placement(kind: "search", family: "systemLarge"): 1,
            ])
        ),
        ("flags", "launch", #""we": 1, "ec": 1101"#, .readFailed(domain: "1", code: 0)),
        ("heartbeat", "today_viewed", #""kind": null"#, .opened(Placement(kind: "today"))),
    ])
    func `each example translates a record as its comment says`(
        name: String, event: String, properties: String, expected: Event
    )
        throws
    {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../examples/mappings/\(name).yaml")
        let record = """
            {"event": "\(event)", "properties": {"time": 1772445600, "distinct_id": "A1", "$os": "iOS", \
            "$app_version_string": "20.1", \(properties)}}
            """
        let batch = try batch(record, mapping: String(contentsOf: file, encoding: .utf8)).batch
        #expect(try #require(batch.events.first).get().event.decoded() == expected)
    }

    /// Regression: a failed read looked like an empty list and removed every widget.
    @Test func `a failed read is not an empty list`() throws {
        #expect(
            try reported("widgets", #""widgets": "", "failure": "CHSErrorDomain""#)
                == .readFailed(domain: "CHSErrorDomain", code: 0))
        let missing = #"{"event": "widgets", "properties": {"time": 1772445600, "distinct_id": "A1"}}"#
        #expect(try translate(missing).outcome == .failed("the event has no list `widgets`"))
    }

    @Test(arguments: [
        ("nonsense", "the line is not JSON"), ("{}", "the record has no event name (event, event_name)"),
        (
            #"{"event": "widget_added", "properties": {"distinct_id": "A1"}}"#,
            "the record has no time (properties.time, time)"
        ),
        (
            #"{"event": "widget_added", "properties": {"time": "yesterday at ten o'clock", "distinct_id": "A1"}}"#,
            "`properties.time` can't be read; write it as 2026-11-01T10:00:00Z, or as seconds, milliseconds or microseconds since 1970"
        ),
        (
            #"{"event": "widget_added", "properties": {"time": 1772445600}}"#,
            "the record has no device id (properties.$device_id, properties.distinct_id, distinct_id)"
        ),
        (
            #"{"event": "widget_added", "properties": {"time": 1772445600, "distinct_id": "A1"}}"#,
            "the event has no kind (widget_kind)"
        ),
        (
            #"{"event": "widgets", "properties": {"time": 1772445600, "distinct_id": "A1", "widgets": "search"}}"#,
            "the name search is not made as `item` says"
        ),
        (
            #"{"event": "widget_added", "properties": {"time": 1, "distinct_id": "A1", "$os": "BeOS"}}"#,
            "the platform BeOS is none of ios, ipados, macos, watchos, visionos, android"
        ),
    ])
    func `a record that can't be counted fails with a reason`(record: String, reason: String) throws {
        #expect(try translate(record).outcome == .failed(reason))
    }

    @Test func `unmapped events are distinguished from those that the mapping ignores`() throws {
        #expect(try translate(#"{"event": "first_open"}"#).outcome == .ignored(.listed))
        #expect(try translate(#"{"event": "screen_view"}"#).outcome == .ignored(.notInMapping))
    }

    @Test func `translating a record twice gives the same event id`() throws {
        let record = Self.records[0].1.replacing("\n", with: " ")
        let ids = try (0..<2).map { _ in try batch(record, from: .ga4).batch.events.first?.get().id }
        #expect(ids[0] == ids[1] && ids[0]?.count == 32)
    }

    @Test(arguments: [
        ("1772445600", "2026-03-02T10:00:00Z"), ("1772445600250", "2026-03-02T10:00:00.25Z"),
        ("1772445600250000", "2026-03-02T10:00:00.25Z"), ("2026-03-02 10:00:00.250000", "2026-03-02T10:00:00.25Z"),
        ("2026-03-02 10:00:00 UTC", "2026-03-02T10:00:00Z"), ("2026-03-02T11:00:00+01:00", "2026-03-02T10:00:00Z"),
        ("2026-03-02T10:00:00+0000", "2026-03-02T10:00:00Z"), ("2026-03-02 11:00:00.25+01", "2026-03-02T10:00:00.25Z"),
        ("2026-03-02 02:00:00.250 -0800", "2026-03-02T10:00:00.25Z"),
        ("2026-03-02T10:00:00.250", "2026-03-02T10:00:00.25Z"),
        ("1.7724456E9", "2026-03-02T10:00:00Z"),
    ])
    func `times are read in every format that the tools write`(text: String, time: String) {
        #expect(Timestamp(exported: .text(text)) == Timestamp(rfc3339: time))
    }
}
