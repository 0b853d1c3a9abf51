import SeededRandom
import Testing

@testable import CensusCore

/// Calls of Segment's clients, translated to bodies of `POST /v1/events`.
@Suite struct `Segment batches` {
    private let received = Body.received

    private func batches(_ text: String, limit: Int = 1_000) throws -> [Batch] {
        let translated = try SegmentBatch(Array(text.utf8))
            .bodies(appID: "com.example.weather", received: received, limit: limit)
        if let fault = translated.faults.first { throw fault.error }
        return try translated.bodies.map { try BatchDecoder().decode($0.bytes, received: received) }
    }

    private func call(
        _ event: String = "Widget Opened", id: String = "1", device: String = "6F1D",
        properties: String = #"{"kind":"weather","family":"systemSmall"}"#
    ) -> String {
        """
        {"type":"track","event":"\(event)","messageId":"\(id)","anonymousId":"A0C2","timestamp":"2026-11-21T09:59:58+00:00",
         "context":{"app":{"version":"20.12.1","name":"Weather"},"device":{"id":"\(device)","type":"ios"},
          "os":{"name":"iOS","version":"26.1"},"installation":{"rebooted":true}},
         "properties":\(properties),"integrations":{}}
        """
    }

    private func own(_ event: String) throws -> Batch {
        var body = Body()
        body.device = #"{"id":"6F1D","platform":"ios","os_version":"26.1"}"#
        body.installation = #"{"id":"A0C2","rebooted":true}"#
        body.events = [event]
        return try body.decoded()
    }

    static let pairs: [(event: String, properties: String, own: String)] = [
        (
            "Widget Opened", #"{"kind":"a","family":"b"}"#,
            Body.event(type: "widget_opened", #""widget":{"kind":"a","family":"b"}"#)
        ),
        (
            "Widget Installed", #"{"kind":"\u00e9","instance":"7","surface":"control","source":"x"}"#,
            Body.event(#""surface":"control","source":"x","widget":{"kind":"é","instance":"7"}"#)
        ),
        (
            "Widget Removed", #"{"kind":"a","intent":"I"}"#,
            Body.event(type: "widget_removed", #""widget":{"kind":"a","intent":"I"}"#)
        ),
        (
            "Widget Configured", #"{"kind":"a","configuration":"c"}"#,
            Body.event(type: "widget_configured", #""widget":{"kind":"a","configuration":"c"}"#)
        ),
        ("Widget Rendered", #"{"kind":"a"}"#, Body.event(type: "widget_rendered", #""widget":{"kind":"a"}"#)),
        ("Widgets Reported", #"{"widgets":[{"kind":"a","count":2}]}"#, Body.report(#"{"kind":"a","count":2}"#)),
        ("Widgets Reported", #"{"widgets":[]}"#, Body.report("")),
        (
            "Widgets Reported", #"{"error":{"domain":"d","code":1}}"#,
            Body.event(type: "widgets_reported", #""error":{"domain":"d","code":1}"#)
        ),
        // Mistakes are rejected with the same messages.
        ("Widget Opened", #"{"family":"b"}"#, Body.event(type: "widget_opened", #""widget":{"family":"b"}"#)),
        ("Widgets Reported", #"{"widgets":7}"#, Body.event(type: "widgets_reported", #""widgets":7"#)),
        ("Widgets Reported", "{}", #"{"id":"1","type":"widgets_reported","at":"2026-11-21T09:59:58Z"}"#),
    ]

    @Test(arguments: pairs) func `a call becomes the corresponding event of the ingest API`(
        event: String, properties: String, own: String
    ) throws {
        let sent = try #require(
            try batches(#"{"batch":[\#(call(event, properties: properties))],"sentAt":"2026-11-21T10:00:00Z"}"#).first)
        let expected = try self.own(own)
        #expect(sent.deviceID == expected.deviceID && sent.installationID == expected.installationID)
        #expect(sent.circumstances == expected.circumstances)
        #expect(sent.events.map { $0.mapError(\.refusal) } == expected.events.map { $0.mapError(\.refusal) })
    }

    @Test(arguments: ["widget_opened", "WidgetOpened", "widget-opened", "WIDGET OPENED"])
    func `an event's name matches by its letters alone`(name: String) throws {
        let sent = try [name, "Widget Opened"].map { try batches(call($0)).map { try $0.events.map { try $0.get() } } }
        #expect(sent[0] == sent[1] && sent[0].count == 1)
    }

    @Test func `a single call without a batch is accepted, too`() throws {
        #expect(try batches(call()).map(\.events.count) == [1])
        #expect(try SegmentBatch(Array(#"{"writeKey":"k"}"#.utf8)).writeKey == "k")
    }

    @Test(arguments: [
        #"{"type":"identify","userId":"u"}"#, #"{"type":"screen","event":"Widget Opened"}"#,
        #"{"type":"track","event":"widget"}"#, #"{"type":"track","event":"widgets opened"}"#,
        #"{"type":"track","event":7}"#, "7", "null", "[]",
        #"{"type":"track","event":"Cut","properties":{"emoji":"\ud83d"}}"#,
    ]) func `calls that are not about widgets are ignored`(other: String) throws {
        #expect(try batches(#"{"batch":[\#(other),\#(call()),\#(other)]}"#).map(\.events.count) == [1])
    }

    @Test(arguments: [
        (#""name":"iOS","#, #""name":"Windows","#, "context.os.name"), (#""anonymousId":"A0C2","#, "", "anonymousId"),
    ]) func `a call without a device is rejected with its place`(part: String, spoiled: String, words: String) throws {
        let text = #"{"batch":[{},\#(call().replacing(part, with: spoiled).replacing(#","type":"ios""#, with: ""))]}"#
        let error = #expect(throws: EnvelopeError.self) { try batches(text) }
        #expect(error?.message.contains(words) == true)
        #expect(error?.pointer == "/batch/1/" + words.replacing(".", with: "/"))
    }

    private static let fields = [
        (#""device":{"id":"6F1D","#, #""device":{"id":"","#, #""device":{"#),
        (#""version":"20.12.1","#, #""version":"","#, ""), (#""version":"26.1""#, #""version":"""#, #""x":1"#),
        (#""name":"iOS""#, #""name":"""#, #""x":1"#), (#""rebooted":true"#, #""first_launched_at":"""#, ""),
        (#""family":"systemSmall""#, #""family":"""#, #""x":1"#), (#""kind":"weather""#, #""kind":"""#, #""x":1"#),
        (#""messageId":"1""#, #""messageId":"""#, #""x":1"#),
        (#""timestamp":"2026-11-21T09:59:58+00:00""#, #""timestamp":"""#, #""x":1"#),
        (#""anonymousId":"A0C2""#, #""anonymousId":"""#, #""x":1"#),
    ]

    /// analytics-swift writes "" for an unknown value.
    @Test(arguments: fields) func `an empty value counts as absent`(field: String, empty: String, absent: String) throws
    {
        func outcome(_ text: String) throws -> String {
            let text = text.replacing(",,", with: ",").replacing("{,", with: "{").replacing(",}", with: "}")
            let sent = try SegmentBatch(Array(text.utf8)).bodies(appID: "a", received: received, limit: 9)
            let batches = try sent.bodies.map { body in
                var batch = try BatchDecoder().decode(body.bytes, received: received)
                body.translate(&batch)
                return
                    "\(batch.deviceID) \(batch.installationID) \(batch.circumstances) \(batch.events.map { $0.mapError(\.refusal) })"
            }
            return "\(batches) \(sent.faults)"
        }
        #expect(call().contains(field))
        let found = try outcome(call().replacing(field, with: empty))
        #expect(found == (try outcome(call().replacing(field, with: absent))))
        #expect(!found.contains("non-empty"))
    }

    @Test func `an empty value in a list of widgets, and an empty sentAt, count as absent`() throws {
        let list = #"{"widgets":[{"kind":"a","family":"","intent":"I"},{"kind":"b","configuration":"","family":""}]}"#
        let bare = #"{"widgets":[{"kind":"a","intent":"I"},{"kind":"b"}]}"#
        let sent = try [list, bare].map { list in
            try batches(#"{"sentAt":"","batch":[\#(call("Widgets Reported", properties: list))]}"#)
                .map { try $0.events.map { try $0.get() } }
        }
        #expect(sent[0] == sent[1] && sent[0].count == 1)
    }

    @Test(arguments: [
        (#""messageId""#, #""sentAt":"2026-11-21T10:00:00.957:Z","messageId""#, "sentAt", "/batch/0/sentAt"),
        (#""id":"6F1D""#, #""id":7"#, "context.device.id", "/batch/0/context/device/id"),
        (#""id":"6F1D""#, #""id":" x""#, "context.device.id", "/batch/0/context/device/id"),
        (#""anonymousId":"A0C2""#, #""anonymousId":7"#, "anonymousId", "/batch/0/anonymousId"),
        (#""version":"20.12.1""#, #""version":7"#, "context.app.version", "/batch/0/context/app/version"),
        (#""version":"26.1""#, #""version":{}"#, "context.os.version", "/batch/0/context/os/version"),
        (
            #""rebooted":true"#, #""rebooted":"x""#, "context.installation.rebooted",
            "/batch/0/context/installation/rebooted"
        ),
    ]) func `an error names the sender's own field and its place`(
        part: String, spoiled: String, name: String, pointer: String
    ) throws {
        for (text, pointer) in [
            (#"{"batch":[\#(call())]}"#, pointer), (call(), String(pointer.dropFirst("/batch/0".count))),
        ] {
            let body = try #require(
                try SegmentBatch(Array(text.replacing(part, with: spoiled).utf8))
                    .bodies(appID: "a", received: received, limit: 9).bodies.first)
            let error = #expect(throws: EnvelopeError.self) {
                try BatchDecoder().decode(body.bytes, received: received)
            }
            let fault = try #require(error.map { body.fault($0.message, code: $0.code, at: $0.pointer).error })
            #expect(fault.message.hasPrefix("`\(name)` "))
            #expect(fault.pointer == pointer)
        }
    }

    @Test(arguments: [
        (#""messageId":"1","#, "", "`messageId` is missing"),
        (#"2026-11-21T09:59:58+00:00"#, "nope", "`timestamp` must"),
        (
            #""timestamp":"2026-11-21T09:59:58+00:00""#, #""originalTimestamp":"1990-01-01T00:00:00Z""#,
            "`originalTimestamp` is"
        ),
        (#""kind":"weather","#, "", "`properties.kind` is missing"),
    ]) func `a rejected event is described with the sender's own names`(part: String, spoiled: String, words: String)
        throws
    {
        let text = call().replacing(part, with: spoiled)
        let body = try #require(
            try SegmentBatch(Array(text.utf8)).bodies(appID: "a", received: received, limit: 9).bodies.first)
        var batch = try BatchDecoder().decode(body.bytes, received: received)
        let code = batch.events.map(\.code)
        body.translate(&batch)
        guard case .failure(let refused) = batch.events.first else { throw Missing() }
        #expect(refused.refusal.message.contains(words), "\(refused.refusal.message)")
        #expect([refused.refusal.code] == code)
    }

    private struct Missing: Error {}

    /// A call as a webhook, a replay or an archive forwards it.
    private func forwarded(_ original: String, sent: String, first: String, corrected: String?) -> String {
        call().replacing(
            #""timestamp":"2026-11-21T09:59:58+00:00""#,
            with: #""originalTimestamp":"\#(original)","sentAt":"\#(sent)","receivedAt":"\#(first)""#
                + (corrected.map { #","timestamp":"\#($0)""# } ?? ""))
    }

    @Test func `a forwarded call keeps the time at which it happened`() throws {
        let (then, later) = ("2026-11-01T10:00:00Z", "2026-11-01T10:00:03Z")
        // The phone's clock is right, or two years behind. The forwarder sends the corrected time, or leaves it to us.
        for (original, sent, corrected) in [
            (then, later, then), ("2024-11-01T10:00:00Z", "2024-11-01T10:00:03Z", then),
            (then, later, nil), ("2024-11-01T10:00:00Z", "2024-11-01T10:00:03Z", nil),
        ] {
            let text = forwarded(original, sent: sent, first: later, corrected: corrected)
            for text in [text, #"{"batch":[\#(text)]}"#, text.replacing("receivedAt", with: "received_at")] {
                let event = try #require(try batches(text).first?.events.first).get()
                #expect(event.at == Timestamp(rfc3339: then), "\(original) \(sent)")
                // The same as for a direct call.
                #expect(event.occurredAt == Timestamp(rfc3339: original))
            }
        }
    }

    @Test func `an unreadable or future time of receipt is ignored`() throws {
        for first in ["2026-11-22T10:00:00Z", "soon", ""] {
            let text = forwarded(
                "2026-11-21T08:00:00Z", sent: "2026-11-21T09:00:00Z", first: first, corrected: "2026-11-01T10:00:00Z")
            let event = try #require(try batches(text).first?.events.first).get()
            #expect(event.at == Timestamp(rfc3339: "2026-11-21T09:00:00Z"))
        }
    }

    @Test func `a call forwarded after its day was dropped is too old`() throws {
        let old = forwarded(
            "2026-01-01T10:00:00Z", sent: "2026-01-01T10:00:00Z", first: "2026-01-01T10:00:01Z",
            corrected: "2026-01-01T10:00:00Z")
        #expect(try batches(old).first?.events.first?.code == "too_old")
    }

    @Test func `the sending time of a call or its batch corrects the clock`() throws {
        let late = #""sentAt":"2026-11-21T09:00:00Z""#
        for text in [
            #"{"batch":[\#(call())],\#(late)}"#,
            #"{"batch":[\#(call().replacing(#""type":"track""#, with: #""type":"track",\#(late)"#))]}"#,
        ] {
            let event = try #require(try batches(text).first?.events.first).get()
            #expect(event.at - event.occurredAt == .seconds(3_600))
        }
        let event = try #require(try batches(call()).first?.events.first).get()
        #expect(event.at == event.occurredAt)
    }

    /// Every call is in exactly one body, with its own context and in order, and no body is too large.
    @Test(arguments: 0..<40) func `calls are batched by context, and large batches are split`(seed: UInt64) throws {
        var random = Seeded(seed)
        let limit = 1 + random.below(7)
        let calls = (0..<random.below(60)).map { (id: "\($0)", device: "\(random.below(4))") }
        let text = calls.map { call(id: $0.id, device: $0.device) }.joined(separator: ",")
        let found = try batches(#"{"batch":[\#(text)]}"#, limit: limit)
        #expect(found.allSatisfy { 1...limit ~= $0.events.count })
        for device in 0..<4 {
            let ids = found.filter { $0.deviceID == "\(device)" }.flatMap { $0.events.compactMap { try? $0.get().id } }
            #expect(ids == calls.filter { $0.device == "\(device)" }.map(\.id))
        }
    }
}
