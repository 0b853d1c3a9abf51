import Testing

@testable import CensusCore

/// Errors about missing fields, which name what the integration sent instead.
@Suite struct `Missing fields` {
    static let envelopes: [(sent: String, instead: String, message: String)] = [
        (#""sent_at""#, #""sentAt""#, "`sent_at` is missing (`sentAt` was sent)"),
        (#""sent_at""#, #""timestamp""#, "`sent_at` is missing (`timestamp` was sent)"),
        (#""sent_at""#, #""SENT-AT""#, "`sent_at` is missing (`SENT-AT` was sent)"),
        (#""sent_at":"#, #""sent_at":null,"x":"#, "`sent_at` is missing"),
        (#""app""#, #""application""#, "`app` is missing (`application` was sent)"),
        (#""id":"6F1D""#, #""deviceId":"6F1D""#, "`id` is missing (`deviceId` was sent)"),
        (#""version""#, #""appVersion""#, "`version` is missing (`appVersion` was sent)"),
        (#""platform""#, #""os""#, "`platform` is missing (`os` was sent)"),
        (#""events""#, #""batch""#, "`events` is missing (`batch` was sent)"),
        (#""installation""#, #""session""#, "`installation` is missing"),
    ]

    @Test(arguments: envelopes)
    func `an error about a missing envelope field names what was sent instead`(
        _ one: (sent: String, instead: String, message: String)
    ) throws {
        let text = Body().text.replacing(one.sent, with: one.instead)
        let error = try #require(throws: EnvelopeError.self) {
            try BatchDecoder().decode(Array(text.utf8), received: Body.received)
        }
        #expect(error.message == one.message)
    }

    static let events: [(sent: String, instead: String, beginning: String)] = [
        (#""at""#, #""timestamp""#, "`at` is missing (`timestamp` was sent); send an RFC 3339 time"),
        (#""type""#, #""event""#, "`type` is missing (`event` was sent); send one of"),
        (#""id""#, #""eventID""#, "`id` is missing (`eventID` was sent)"),
        (#""widget":{"kind""#, #""widget":{"Kind""#, "`kind` is missing (`Kind` was sent); every widget needs one"),
        (
            #""widget":{"#, #""widgets":{"#,
            "`widget` is missing (`widgets` was sent); send an object with at least `kind`"
        ),
    ]

    @Test(arguments: events)
    func `an error about a missing event field names what was sent instead`(
        _ one: (sent: String, instead: String, beginning: String)
    ) throws {
        let verdict = try Body.verdict(on: Body.event().replacing(one.sent, with: one.instead))
        guard case .failure(let refused) = verdict else {
            Issue.record("it was accepted")
            return
        }
        #expect(refused.refusal.message.hasPrefix(one.beginning), "\(refused.refusal.message)")
    }

    /// With a thousand widgets in a list, "every widget needs a kind" was no help.
    @Test(arguments: [
        (#"{"kind":"a"},{"family":"b"}"#, "`widgets[1]`: `kind` is missing; every widget needs one"),
        (#"{"kind":"a"},{"kind":"b"},7"#, "`widgets[2]`: a widget must be an object"),
        (#"{"kind":"a"},{"kind":"b","count":0}"#, "`widgets[1]`: `count` must be an integer from 1 to 1000"),
        (#"{"family":"b"}"#, "`kind` is missing; every widget needs one"),
    ])
    func `an error names the position of an invalid widget among several`(widgets: String, message: String) throws {
        let event =
            #"{"id":"e1","type":"widgets_reported","at":"2026-11-21T09:59:58Z","widgets":["# + widgets + "]}"
        guard case .failure(let refused) = try Body.verdict(on: event) else {
            Issue.record("it was accepted")
            return
        }
        #expect(refused.refusal == .invalidReport(message))
    }

    /// Other names might be data.
    @Test(arguments: [
        "anna@example.com", "sent_\u{301}at", "s e n t at of anna", String(repeating: "sent_at", count: 9),
    ])
    func `an error never quotes an unrelated name`(name: String) throws {
        let text = Body().text.replacing("sent_at", with: name)
        let error = try #require(throws: EnvelopeError.self) {
            try BatchDecoder().decode(Array(text.utf8), received: Body.received)
        }
        #expect(error.message == "`sent_at` is missing")
    }

    @Test func `a bare event gets an error about the missing envelope`() throws {
        let error = try #require(throws: EnvelopeError.self) {
            try BatchDecoder().decode(Array(Body.event().utf8), received: Body.received)
        }
        #expect(error.message.hasPrefix("the body is a single event; wrap it in an object with `sent_at`"))
        let list = try #require(throws: EnvelopeError.self) {
            try BatchDecoder().decode(Array("[\(Body.event())]".utf8), received: Body.received)
        }
        #expect(list.message.hasPrefix("the body must be an object with `sent_at`"))
    }
}
