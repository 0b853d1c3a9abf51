import Testing

@testable import CensusCore

/// Each limit of the contract at the limit and one past it.
@Suite struct `Wire limits` {
    private func letters(_ count: Int, _ letter: String = "x") -> String { String(repeating: letter, count: count) }

    @Test(arguments: [1, 999, 1_000]) func `a batch holds up to 1,000 events`(count: Int) throws {
        let body = Body(events: (0..<count).map { Body.event(id: "\($0)") })
        #expect(try body.decoded().events.count == count)
    }

    @Test func `1,001 events are too many`() throws {
        let body = Body(events: (0..<1_001).map { Body.event(id: "\($0)") })
        let error = try #require(throws: EnvelopeError.self) { try body.decoded() }
        #expect(error.verdict == .tooLarge && error.code == "too_many_events" && error.pointer == "/events")
    }

    @Test func `a batch without events is unusable`() throws {
        let error = try #require(throws: EnvelopeError.self) { try Body(events: []).decoded() }
        #expect(error.verdict == .unusable && error.code == "no_events" && error.pointer == "/events")
    }

    @Test(arguments: [(0, "accepted"), (999, "accepted"), (1_000, "accepted"), (1_001, "invalid_report")])
    func `a report holds up to 1,000 widgets`(count: Int, code: String) throws {
        let widgets = (0..<count).map { #"{"kind":"k\#($0)"}"# }.joined(separator: ",")
        #expect(try Body.verdict(on: Body.report(widgets)).code == code)
    }

    @Test(arguments: [(1, "accepted"), (999, "accepted"), (1_000, "accepted"), (1_001, "invalid_widget")])
    func `a restoration holds up to 1,000 instances`(count: Int, code: String) throws {
        let pairs = (0..<count).map { #""\#($0)":"\#($0 + 1)""# }.joined(separator: ",")
        let event = Body.event(type: "widgets_restored", #""instances":{\#(pairs)}"#)
        #expect(try Body.verdict(on: event).code == code)
    }

    @Test(arguments: [
        ("1", "accepted"), ("999", "accepted"), ("1000", "accepted"), ("1e3", "accepted"), ("2.0", "accepted"),
        ("0", "invalid_report"), ("1001", "invalid_report"), ("-1", "invalid_report"), ("1.5", "invalid_report"),
        ("1e400", "invalid_report"), ("1000.00000000000000000001", "invalid_report"), (#""2""#, "invalid_report"),
        ("true", "invalid_report"), ("[1]", "invalid_report"), ("99999999999999999999", "invalid_report"),
    ]) func `a count is a whole number from 1 to 1,000`(count: String, code: String) throws {
        #expect(try Body.verdict(on: Body.report(#"{"kind":"k","count":\#(count)}"#)).code == code)
    }

    @Test(arguments: ["kind", "family", "intent", "configuration", "instance"])
    func `a field of a widget holds up to 200 characters`(field: String) throws {
        for (length, code) in [(199, "accepted"), (200, "accepted"), (201, "too_long")] {
            // Characters as PostgreSQL counts them.
            for letter in ["x", "é", #"\u00e9"#] { try expect(field, letters(length, letter), code) }
        }
    }

    @Test(arguments: ["kind", "family", "intent", "configuration", "instance"])
    func `a field of a widget holds up to 500 bytes of UTF-8`(field: String) throws {
        for letter in ["𝔁", #"\ud83d\ude00"#] {
            try expect(field, letters(125, letter), "accepted")
            try expect(field, letters(125, letter) + "x", "too_long")
            try expect(field, letters(126, letter), "too_long")
        }
        try expect(field, letters(166, "日") + "é", "accepted")
        try expect(field, letters(167, "日"), "too_long")
    }

    private func expect(_ field: String, _ value: String, _ code: String) throws {
        let rest = field == "kind" ? "" : #""kind":"k","#
        let widget = #"{\#(rest)"\#(field)":"\#(value)"}"#
        #expect(try Body.verdict(on: Body.event(#""widget":\#(widget)"#)).code == code, "\(value)")
        #expect(try Body.verdict(on: Body.report(widget)).code == code, "\(value)")
    }

    @Test func `every Unicode scalar counts as a character`() throws {
        let family = "👨‍👩‍👧‍👦"
        // One visible emoji is seven characters and 25 bytes.
        let widgets = [20, 21].map { #""widget":{"kind":"\#(letters($0, family))"}"# }
        #expect(try widgets.map { try Body.verdict(on: Body.event($0)).code } == ["accepted", "too_long"])
        let flag = "e\u{301}"
        let accents = [100, 101].map { #""widget":{"kind":"\#(letters($0, flag))"}"# }
        #expect(try accents.map { try Body.verdict(on: Body.event($0)).code } == ["accepted", "too_long"])
    }

    @Test func `other strings of an event hold up to 200 characters`() throws {
        for (length, code) in [(200, "accepted"), (201, "too_long")] {
            let text = letters(length)
            let events = [
                Body.event(#""widget":{"kind":"k"},"source":"\#(text)""#),
                Body.event(type: "widgets_reported", #""error":{"domain":"\#(text)","code":1}"#),
                Body.event(type: "widgets_restored", #""instances":{"\#(text)":"1"}"#),
                Body.event(type: "widgets_restored", #""instances":{"1":"\#(text)"}"#),
            ]
            for event in events { #expect(try Body.verdict(on: event).code == code, "\(event)") }
        }
    }

    @Test(arguments: [(1, "accepted"), (99, "accepted"), (100, "accepted"), (101, "invalid_id"), (0, "invalid_id")])
    func `an id holds 1 to 100 characters`(length: Int, code: String) throws {
        #expect(try Body.verdict(on: Body.event(id: letters(length))).code == code)
        #expect(try Body.verdict(on: Body.event(id: letters(length, "é"))).code == code)
    }

    @Test(arguments: [("app", "version"), ("device", "os_version"), ("device", "id"), ("installation", "id")])
    func `a string of the envelope holds up to 200 characters`(part: String, field: String) throws {
        for (text, isAccepted) in [
            (letters(200), true), (letters(201), false), (letters(125, "𝔁"), true), (letters(126, "𝔁"), false),
        ] {
            var values = ["id": "i", "version": "1", "platform": "ios"]
            values[field] = text
            let json = "{" + values.map { #""\#($0)":"\#($1)""# }.joined(separator: ",") + "}"
            var body = Body()
            switch part {
            case "app": body.app = json
            case "device": body.device = json
            default: body.installation = json
            }
            #expect(((try? body.decoded()) != nil) == isAccepted, "\(part) \(field) \(text)")
        }
    }

    @Test(
        arguments: ["device", "installation"],
        [
            " 6F1D", "6F1D ", "\u{00A0}6F1D", "6F1D\u{3000}", #"\t6F1D"#, #"6F\n1D"#, #"6F\r\n1D"#, #"6F\u00011D"#,
            #"6F\u007f1D"#,
            #"6F\u00851D"#, " ", #"6F1D\u2028"#,
        ]) func `an id that no header can carry rejects its batch, with the place`(part: String, id: String) throws
    {
        var body = Body()
        if part == "device" {
            body.device = #"{"id":"\#(id)","platform":"ios"}"#
        } else {
            body.installation = #"{"id":"\#(id)"}"#
        }
        let error = try #require(throws: EnvelopeError.self) { try body.decoded() }
        #expect(error.verdict == .malformed && error.code == "invalid_envelope" && error.pointer == "/\(part)/id")
        #expect(!error.message.contains("1D"))
    }

    @Test(arguments: ["6F 1D", "Gerät 7", "日本", "🦜", "a\u{00A0}b", "<b>"])
    func `any other id is accepted`(id: String) throws {
        var body = Body()
        body.device = #"{"id":"\#(id)","platform":"ios"}"#
        body.installation = #"{"id":"\#(id)"}"#
        let batch = try body.decoded()
        #expect(batch.deviceID == id && batch.installationID == id)
    }

    @Test func `the default limits match the contract`() {
        let limits = Limits()
        #expect(limits.bodyBytes == 1_048_576 && limits.inflatedBytes == 8_388_608 && limits.jsonDepth == 16)
        #expect(limits.stringLength == 200 && limits.stringBytes == 500)
        #expect(limits.requestDeadline == .seconds(10))
    }
}
