import CensusStore
import Testing

/// The server rejects a bad event alone, and stores it with its reason.
@Suite(.serialized, .server) struct `Bad events` {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var event: String
        var code: String
        var testDescription: String { name }

        init(_ name: String, _ code: String, _ event: String) {
            (self.name, self.code, self.event) = (name, code, event)
        }
    }

    private static func count(_ number: String, id: String = "bad") -> String {
        #"{"id":"\#(id)","type":"widgets_reported","at":"2026-11-21T09:00:00Z","widgets":[{"kind":"a","count":\#(number)}]}"#
    }

    static let all: [Case] = [
        Case("a NUL in the kind", "invalid_widget", Sample.opened(#"wea\u0000ther"#, id: "bad")),
        Case("a NUL in the id", "invalid_id", Sample.opened(id: #"b\u0000ad"#)),
        Case("a NUL in a report", "invalid_report", Sample.reported(#"a\u0000"#, id: "bad")),
        Case("a number for a kind", "invalid_widget", Sample.opened(id: "bad").replacing(#""weather""#, with: "7")),
        Case("an empty kind", "invalid_widget", Sample.opened("", id: "bad")),
        Case("201 characters", "too_long", Sample.opened(String(repeating: "日", count: 201), id: "bad")),
        Case("an id of 101 characters", "invalid_id", Sample.opened(id: String(repeating: "x", count: 101))),
        Case("1e400 for a count", "invalid_report", count("1e400")),
        Case("-0.5 for a count", "invalid_report", count("-0.5")),
        Case("0 for a count", "invalid_report", count("0")),
        Case("1001 for a count", "invalid_report", count("1001")),
        Case("2^63 for a count", "invalid_report", count("9223372036854775808")),
        Case("1e-400 for a count", "invalid_report", count("1e-400")),
        Case("an exponent of many digits for a count", "invalid_report", count("1e99999999999999999999999999")),
        Case("a million digits for a count", "invalid_report", count(String(repeating: "9", count: 999_000))),
        Case(
            "1e400 for an error's code", "invalid_report", Sample.readFailed(id: "bad").replacing("1101", with: "1e400")
        ),
        Case(
            "an unknown type", "unknown_type", Sample.opened(id: "bad").replacing("widget_opened", with: "widget_eaten")
        ),
        Case("an unknown surface", "invalid_report", Sample.reported("a", id: "bad", surface: "fridge")),
        Case("no object", "unknown_type", "17"),
        Case("null", "unknown_type", "null"),
        Case("a time without a zone", "invalid_time", Sample.opened(id: "bad", at: "2026-11-21T09:00:00")),
        Case(
            "a time as a number", "invalid_time",
            Sample.opened(id: "bad").replacing(#""2026-11-21T09:00:00Z""#, with: "1")),
        Case("1970", "too_old", Sample.opened(id: "bad", at: "1970-01-01T00:00:00Z")),
        Case("the year 0", "too_old", Sample.opened(id: "bad", at: "0000-01-01T00:00:00Z")),
        Case("the year 9999", "in_future", Sample.opened(id: "bad", at: "9999-12-31T23:59:60Z")),
        Case("an hour and a second ahead", "in_future", Sample.opened(id: "bad", at: "2026-11-21T11:00:01Z")),
        Case("90 days and a second back", "too_old", Sample.opened(id: "bad", at: "2026-08-23T09:59:59Z")),
        Case(
            "widgets and an error", "invalid_report",
            Sample.readFailed(id: "bad").replacing(#""error""#, with: #""widgets":[],"error""#)),
        Case(
            "a report of neither", "invalid_report",
            Sample.readFailed(id: "bad").replacing(#""error""#, with: #""mistake""#)),
        Case(
            "an error without a domain", "invalid_report",
            Sample.readFailed(id: "bad").replacing(#""domain""#, with: #""d""#)),
    ]

    @Test(arguments: all) func `a bad event is rejected and kept, and the others are stored`(
        example: Case
    ) async throws {
        let server = try server()
        let sample = Sample(Sample.opened(id: "one"), example.event, Sample.opened(id: "two"))
        let response = try await server.post(sample)
        #expect(response.status == 202)
        let answer = try response.answer
        #expect(answer.accepted == 2)
        #expect(answer.rejected?.map(\.index) == [1])
        #expect(answer.rejected?.map(\.code) == [example.code])
        #expect(answer.rejected?.first?.message?.isEmpty == false)
        #expect(try await server.rows(of: sample) == 2)
        #expect(try await server.refusals(of: sample) == [example.code])
    }

    @Test(arguments: all) func `a batch of only bad events gets 422, and they are kept`(example: Case) async throws {
        let server = try server()
        let sample = Sample(example.event)
        let response = try await server.post(sample)
        #expect(response.status == 422)
        let answer = try response.answer
        #expect(answer.code == "all_refused")
        #expect(answer.pointer == "/events")
        #expect(answer.rejected?.map(\.code) == [example.code])
        #expect(try await server.refusals(of: sample) == [example.code])
    }

    @Test func `events at the limits of time, length and count are accepted`() async throws {
        let server = try server()
        let sample = Sample(
            Sample.opened(id: "a", at: "2026-11-21T11:00:00Z"), Sample.opened(id: "b", at: "2026-08-23T10:00:00Z"),
            Sample.opened(String(repeating: "é", count: 200), id: String(repeating: "🦜", count: 100)),
            Self.count("1000", id: "c"), Self.count("1.0e3", id: "d"))
        let response = try await server.post(sample)
        #expect(try response.answer == Answer(accepted: 5, rejected: []))
        #expect(try await server.rows(of: sample) == 5)
    }

    @Test func `a rejected event is kept as it was sent, up to 64 KiB`() async throws {
        let server = try server()
        let event = Sample.opened("", id: "bad", more: #","x":""# + String(repeating: "é", count: 50_000) + #"""#)
        let sample = Sample(event)
        #expect(try await server.post(sample).status == 422)
        let device = server.secret.device(sample.device, app: sample.app)
        let kept = "from census.refused where device_id = '\(device)'"
        #expect(try await server.number("select length(event) \(kept)") == 65_536)
        let start = try await server.sql("select convert_from(substr(event, 1, 60), 'UTF8') \(kept)")
        #expect(start == String(event.prefix(60)))
    }

    @Test func `a batch without events gets 422, and no event is rejected`() async throws {
        let response = try await server().post(Sample())
        #expect(response.status == 422)
        #expect(try response.answer.code == "no_events")
        #expect(try response.answer.pointer == "/events")
    }
}
