import Testing

@testable import CensusCore

/// Every bad event is rejected under its code, and its neighbours are accepted (`Body.verdict` checks them).
@Suite struct `Refusals` {
    static let refused: [(String, String)] = [
        // Not an event at all.
        ("null", "unknown_type"), ("1", "unknown_type"), (#""event""#, "unknown_type"), ("[]", "unknown_type"),
        ("{}", "invalid_id"),
        // Ids.
        (#"{"id":7,"type":"widget_opened","at":"2026-11-21T09:00:00Z","widget":{"kind":"k"}}"#, "invalid_id"),
        (Body.event(id: #"a\u0000b"#), "invalid_id"),
        // Times.
        (Body.event(at: "yesterday"), "invalid_time"), (Body.event(at: "2026-11-21T09:00:00"), "invalid_time"),
        (#"{"id":"1","type":"widget_opened","widget":{"kind":"k"}}"#, "invalid_time"),
        (#"{"id":"1","type":"widget_opened","at":1795255200,"widget":{"kind":"k"}}"#, "invalid_time"),
        // Types.
        (Body.event(type: "widget_uninstalled"), "unknown_type"),
        (Body.event(type: "Widget_Installed"), "unknown_type"),
        (#"{"id":"1","at":"2026-11-21T09:00:00Z","widget":{"kind":"k"}}"#, "unknown_type"),
        // Widgets.
        (Body.event(#""widgets":[]"#), "invalid_widget"), (Body.event(#""widget":null"#), "invalid_widget"),
        (Body.event(#""widget":"weather""#), "invalid_widget"), (Body.event(#""widget":{}"#), "invalid_widget"),
        (Body.event(#""widget":{"kind":""}"#), "invalid_widget"),
        (Body.event(#""widget":{"kind":7}"#), "invalid_widget"),
        (Body.event(#""widget":{"kind":"k","family":1}"#), "invalid_widget"),
        (Body.event(#""widget":{"kind":"k\u0000"}"#), "invalid_widget"),
        (Body.event(#""widget":{"kind":"k"},"surface":"home""#), "invalid_widget"),
        (Body.event(#""widget":{"kind":"k"},"source":1"#), "invalid_widget"),
        (Body.event(type: "widgets_restored", #""widget":{"kind":"k"}"#), "invalid_widget"),
        (Body.event(type: "widgets_restored", #""instances":["1"]"#), "invalid_widget"),
        (Body.event(type: "widgets_restored", #""instances":{"1":true}"#), "invalid_widget"),
        (Body.event(type: "widgets_restored", #""instances":{"1":"\u0000"}"#), "invalid_widget"),
        // Reports.
        (Body.event(type: "widgets_reported", #""widget":{"kind":"k"}"#), "invalid_report"),
        (Body.event(type: "widgets_reported", #""widgets":null"#), "invalid_report"),
        (Body.event(type: "widgets_reported", #""widgets":{"k":1}"#), "invalid_report"),
        (Body.event(type: "widgets_reported", #""widgets":[],"error":{"domain":"d","code":1}"#), "invalid_report"),
        (Body.event(type: "widgets_reported", #""error":true"#), "invalid_report"),
        (Body.event(type: "widgets_reported", #""error":{"domain":"d"}"#), "invalid_report"),
        (Body.event(type: "widgets_reported", #""error":{"code":1}"#), "invalid_report"),
        (Body.event(type: "widgets_reported", #""error":{"domain":"d","code":1e400}"#), "invalid_report"),
        (Body.event(type: "widgets_reported", #""error":{"domain":"d","code":"1101"}"#), "invalid_report"),
        (Body.event(type: "widgets_reported", #""widgets":[],"surface":"lock_screen""#), "invalid_report"),
        (Body.report("null"), "invalid_report"), (Body.report(#""weather""#), "invalid_report"),
        (Body.report("{}"), "invalid_report"), (Body.report(#"{"kind":"k"},{"kind":null}"#), "invalid_report"),
        (Body.report(#"{"kind":"k","intent":false}"#), "invalid_report"),
    ]

    @Test(arguments: refused) func `only the bad event is rejected, under its code`(event: String, code: String) throws
    {
        #expect(try Body.verdict(on: event).code == code)
    }

    @Test func `a rejected event keeps its place, its id and its bytes`() throws {
        let bad = #"{ "id" : "b\u0061d", "at":"never" }"#
        let batch = try Body(events: [Body.event(), bad, #"{"id":7}"#]).decoded()
        let refused = batch.events.compactMap { event -> RefusedEvent? in
            if case .failure(let refused) = event { refused } else { nil }
        }
        #expect(refused.map(\.index) == [1, 2] && refused.map(\.id) == ["bad", nil])
        #expect(String(decoding: refused[0].source, as: UTF8.self) == bad)
    }

    /// Android's ids are integers, and many JSON libraries write them so.
    @Test func `an integer instance is read as its digits`() throws {
        func event(_ type: String, _ members: String) throws -> Event? {
            guard case .success(let observation) = try Body.verdict(on: Body.event(type: type, members)) else {
                return nil
            }
            return try observation.event.decoded()
        }
        for number in ["5", "5.0", "50e-1"] {
            #expect(
                try event("widget_installed", #""widget":{"kind":"k","instance":\#(number)}"#)
                    == .installed(Placement(kind: "k", instance: "5")))
        }
        #expect(try event("widgets_restored", #""instances":{"1":2,"3":"4"}"#) == .restored(["1": "2", "3": "4"]))
        for other in ["5.5", "true", "[5]", "{}", "1e400"] {
            #expect(try event("widget_installed", #""widget":{"kind":"k","instance":\#(other)}"#) == nil, "\(other)")
        }
    }

    /// Android supplies two arrays. A client that sent them was told to send a string.
    @Test(arguments: [
        #""instances":{"old":[1,2],"new":[2,3]}"#, #""instances":[["1","2"],["2","3"]]"#, #""instances":{"1":true}"#,
        #""instances":"1""#, #""widget":{"kind":"k"}"#,
    ]) func `instances of another shape are rejected with an example of the right one`(members: String) throws {
        guard case .failure(let refused) = try Body.verdict(on: Body.event(type: "widgets_restored", members)) else {
            Issue.record("taken")
            return
        }
        #expect(
            refused.refusal.message
                == #"`instances` must be an object that maps old ids to new ones, such as {"1": "2", "2": "3"}"#
        )
    }

    @Test func `a message says what to send and repeats no data`() throws {
        for (event, _) in Refusals.refused {
            guard case .failure(let refused) = try Body.verdict(on: event) else { continue }
            #expect(!refused.refusal.message.isEmpty)
            for datum in ["yesterday", "weather", "uninstalled", "lock_screen"] {
                #expect(!refused.refusal.message.contains(datum), "\(refused.refusal.message)")
            }
        }
    }

    @Test(arguments: [
        ("2026-08-23T10:00:00Z", "accepted"), ("2026-08-23T09:59:59.999999Z", "too_old"),
        ("1970-01-01T00:00:00Z", "too_old"),
        ("2026-11-21T11:00:00Z", "accepted"), ("2026-11-21T11:00:00.000001Z", "in_future"),
        ("2030-11-21T11:00:00Z", "in_future"), ("9999-12-31T23:59:59Z", "in_future"),
        ("0000-01-01T00:00:00Z", "too_old"),
    ]) func `an event is at most 90 days old and an hour ahead`(at: String, code: String) throws {
        #expect(try Body.verdict(on: Body.event(at: at)).code == code)
    }

    @Test func `if every event of a batch is rejected, the envelope is still valid`() throws {
        let batch = try Body(events: ["1", "{}", Body.event(at: "x")]).decoded()
        #expect(batch.events.map(\.code) == ["unknown_type", "invalid_id", "invalid_time"])
    }

    @Test func `every code matches the contract`() {
        let refusals: [Refusal] = [
            .invalidID(""), .invalidTime(""), .tooOld(by: .seconds(1)), .inFuture(by: .seconds(1)), .unknownType(""),
            .invalidWidget(""), .invalidReport(""), .tooLong(field: "", limit: ""), .tooManyKinds(""),
        ]
        #expect(
            refusals.map(\.code) == [
                "invalid_id", "invalid_time", "too_old", "in_future", "unknown_type", "invalid_widget",
                "invalid_report",
                "too_long", "too_many_kinds",
            ])
    }
}
