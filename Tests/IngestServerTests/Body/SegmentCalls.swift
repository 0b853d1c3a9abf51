import CensusStore
import Foundation
import Testing

/// Segment's HTTP API, with the responses that its clients expect.
@Suite(.serialized, .server) struct `Segment calls` {
    private static let paths = [
        "/v1/batch", "/v1/b", "/v1/import", "/v1/track", "/v1/t", "/v1/identify", "/v1/i", "/v1/page", "/v1/p",
        "/v1/screen",
        "/v1/s", "/v1/group", "/v1/g", "/v1/alias", "/v1/a",
    ]

    private func call(_ device: String, event: String = "Widget Opened", id: String = "1") -> String {
        """
        {"event":"\(event)","messageId":"\(id)","anonymousId":"\(device) A","timestamp":"2026-11-21T09:00:00Z",
         "context":{"app":{"version":"1.0"},"device":{"id":"\(device)"},"os":{"name":"iOS","version":"17.1"}},
         "properties":{"kind":"weather"},"sentAt":"2026-11-21T10:00:00Z"}
        """
    }

    private func post(
        _ body: [UInt8], to path: String = "/v1/batch", _ headers: (String, String)...
    ) async throws -> RawResponse {
        try await server().send(RawRequest(path: path, headers: headers, body: body))
    }

    /// `Authorization: Basic` with the key as the user.
    private func basic() throws -> (String, String) {
        ("Authorization", "Basic \(Data("\(try server().key.text):".utf8).base64EncodedString())")
    }

    private func stored(_ device: String) async throws -> Int {
        let server = try server()
        let device = server.secret.device(device, app: IngestTestServer.app)
        return try await server.number("select count(*) from census.observation where device_id = '\(device)'")
    }

    @Test(arguments: paths) func `every path accepts a call of any type`(path: String) async throws {
        let response = try await post(
            Array(call("segment \(path)").utf8), to: path, try basic(), ("Content-Type", "text/plain"))
        #expect(response.status == 200)
        #expect(response.text == #"{"success":true}"#)
        #expect(response.headers["access-control-allow-origin"] == "*")
        #expect(try await stored("segment \(path)") == 1)
    }

    @Test func `the key can be at the end of a compressed body`() async throws {
        let text = #"{"batch":[\#(call("segment in body"))],"writeKey":"\#(try server().key.text)"}"#
        #expect(try await post(Gzip.compress(Array(text.utf8)), ("Content-Encoding", "gzip")).status == 200)
        #expect(try await stored("segment in body") == 1)
    }

    @Test func `a batch of 2,500 events is stored, from one device or many`() async throws {
        let calls = (0..<2_500).map { call("segment \($0 < 1_500 ? 0 : $0)", id: "\($0)") }
        let body = Array(#"{"batch":[\#(calls.joined(separator: ","))]}"#.utf8)
        #expect(try await post(Gzip.compress(body), try basic(), ("Content-Encoding", "gzip")).status == 200)
        #expect(try await stored("segment 0") == 1_500)
        #expect(try await stored("segment 2499") == 1)
    }

    static let broken: [(body: String, code: String)] = [
        ("{", "invalid_json"), ("[]", "invalid_envelope"), (#"{"batch":7}"#, "invalid_envelope"),
        (#"{"event":"Widget Opened","anonymousId":"A"}"#, "invalid_envelope"),
    ]

    /// Clients drop a batch only on a 400 with `code` and `message`. Otherwise they send it forever.
    @Test(arguments: broken) func `a request that can never succeed gets 400 with code and message`(
        body: String, code: String
    )
        async throws
    {
        let response = try await post(Array(body.utf8), try basic())
        #expect(response.status == 400)
        #expect(try response.answer.code == code)
        #expect(try response.answer.message?.isEmpty == false)
    }

    @Test func `a body that is too large gets 400`() async throws {
        let large = Array(#"{"batch":[],"x":"\#(String(repeating: "x", count: 2 << 20))"}"#.utf8)
        #expect(try await post(large, try basic()).status == 400)
        #expect(
            try await post(
                Gzip.compress(Array(repeating: 32, count: 9 << 20)), try basic(), ("Content-Encoding", "gzip")
            ).status == 400)
        // Without a key the limit is lower.
        let middling = Array(#"{"batch":[],"x":"\#(String(repeating: "x", count: 600 << 10))"}"#.utf8)
        #expect(try await post(middling, try basic()).status == 200)
        #expect(try await post(middling).status == 400)
    }

    @Test func `without a valid key nothing is stored`() async throws {
        #expect(try await post(Array(call("segment nobody").utf8)).status == 401)
        let guess = Array(#"{"batch":[\#(call("segment nobody"))],"writeKey":"wc_write_0"}"#.utf8)
        #expect(try await post(guess).status == 403)
        #expect(
            try await post(Array(call("segment nobody").utf8), ("Authorization", "Basic d2Nfd3JpdGVfMDo=")).status
                == 403)
        let reader = try await server().store.keys.add(app: IngestTestServer.app, role: .read)
        #expect(
            try await post(Array(call("segment nobody").utf8), ("Authorization", "Bearer \(reader.text)")).status == 403
        )
        #expect(try await stored("segment nobody") == 0)
    }

    @Test func `a rejected event does not affect the others, and is kept`() async throws {
        let old = call("segment refusals", id: "old").replacing("2026-11-21T09:00:00Z", with: "1990-01-01T00:00:00Z")
        let body = #"{"batch":[\#(old),\#(call("segment refusals"))]}"#
        #expect(try await post(Array(body.utf8), try basic()).status == 200)
        #expect(try await stored("segment refusals") == 1)
        let server = try server()
        let device = server.secret.device("segment refusals", app: IngestTestServer.app)
        #expect(
            try await server.number(
                "select count(*) from census.refused where device_id = '\(device)' and code = 'too_old'") == 1)
    }

    @Test(arguments: [
        (#""name":"iOS""#, #""name":"tvOS""#, "context/os/name"),
        (#""id":"segment sunk 2""#, #""id":7"#, "context/device/id"),
        (#""anonymousId""#, #""anonymous""#, "anonymousId"),
        (#""sentAt":"2026-11-21T10:00:00Z""#, #""sentAt":"nope""#, "sentAt"),
        (#""kind":"weather""#, #""kind":"\ud83d""#, "properties"),
    ]) func `an unreadable call does not affect the others, and is reported`(
        part: String, spoiled: String, field: String
    ) async throws {
        let good = "segment beside \(spoiled.utf8.count)"
        let broken = call("segment sunk 2").replacing(part, with: spoiled)
        let both = Array(#"{"batch":[{"type":"identify","traits":{"a":"\ud800"}},\#(call(good)),\#(broken)]}"#.utf8)
        let refused = "select count(*) from census.refused where convert_from(event, 'UTF8') like '%segment sunk%'"
        let before = try await server().number(refused)
        let answer = try await post(both, to: "/v1/batch", try basic())
        #expect(answer.status == 200 && answer.text == #"{"success":true}"#)
        #expect(answer.headers["census-refused"] == "1")
        #expect(answer.headers["census-refused-first"]?.hasSuffix(", at /batch/2/\(field)") == true)
        #expect(try await stored(good) == 1)
        #expect(try await server().number(refused) == before + 1)
        let alone = try await post(Array(#"{"batch":[{},\#(broken)]}"#.utf8), to: "/v1/batch", try basic())
        #expect(alone.status == 400)
        #expect(try alone.answer.pointer == "/batch/1/\(field)")
    }

    /// Two kilobytes that inflate to two megabytes of `~` once took minutes, and the error's pointer repeated them.
    @Test(arguments: ["~", "/", "K", "\\u007e"])
    func `a field's name of megabytes is not repeated and takes little time`(
        letter: String
    ) async throws {
        let name = String(repeating: letter, count: 1_900_000 / letter.utf8.count)
        let began = ContinuousClock.now
        for path in ["/v1/track", "/v1/events"] {
            var headers = [("Content-Encoding", "gzip"), ("Content-Type", "application/json")]
            if path == "/v1/events" { headers.append(("Authorization", "Bearer \(try server().key.text)")) }
            let body = #"{"batch":[{"type":"track","event":"x"}],"\#(name)":[tru]}"#
            let request = RawRequest(path: path, headers: headers, body: Gzip.compress(Array(body.utf8)))
            let response = try await server().send(request)
            #expect(response.status == 400)
            #expect(response.body.count < 500)
        }
        // It once took minutes.
        #expect(ContinuousClock.now - began < .seconds(20))
    }

    @Test func `a CORS preflight from any site gets 204`() async throws {
        for path in Self.paths {
            let response = try await server().send(RawRequest(method: "OPTIONS", path: path))
            #expect(response.status == 204)
            #expect(response.headers["access-control-allow-headers"] == "authorization, content-type, x-retry-count")
            #expect(response.headers["access-control-max-age"] == "7200")
            #expect(response.headers["access-control-allow-credentials"] == nil)
        }
    }

    @Test func `settings are served for every well-formed write key`() async throws {
        let server = try server()
        for key in [server.key.text, "wc_write_" + String(repeating: "0", count: 64)] {
            let response = try await server.send(
                RawRequest(method: "GET", path: "/v1/projects/\(key)/settings", host: "census.example.com:8443"))
            #expect(response.status == 200)
            #expect(response.text.contains(#""apiKey":"\#(key)","apiHost":"census.example.com:8443/v1""#))
        }
        for key in ["wc_read_" + String(repeating: "0", count: 64), "wc_write_", "x"] {
            #expect(try await server.get("/v1/projects/\(key)/settings").status == 404)
        }
    }
}
