import PostgresTesting
import Testing

@Suite(.serialized, .server) struct `Request ids` {
    @Test(arguments: ["Request-Id", "X-Request-Id"]) func `a valid request id is returned unchanged`(header: String)
        async throws
    {
        let server = try server()
        for id in ["a", "0193a6c1-77.B_x", String(repeating: "z", count: 64)] {
            #expect(try await server.get("/livez", (header, id)).headers["request-id"] == id)
        }
    }

    @Test(arguments: ["", String(repeating: "z", count: 65), "a b", "a;b", "ä", "a/b", "<script>", "a\u{1}"])
    func `any other request id is replaced`(id: String) async throws {
        let server = try server()
        do {
            let response = try await server.get("/livez", ("Request-Id", id))
            if response.status == 400 { return }
            let given = try #require(response.headers["request-id"])
            #expect(given != id)
            #expect(given.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil)
        } catch RawConnection.Failure.closed {
            // It isn't HTTP, so a closed connection is fine, too.
        }
    }

    @Test func `every response has its own request id`() async throws {
        let server = try server()
        var ids: Set<String> = []
        for path in ["/livez", "/readyz", "/metrics", "/nowhere", "/v1/events", "/v1/gallery-policy"] {
            for method in ["GET", "POST", "HEAD"] {
                let response = try await server.send(RawRequest(method: method, path: path))
                ids.insert(try #require(response.headers["request-id"]))
            }
        }
        let accepted = try await server.post(Sample(Sample.opened()))
        ids.insert(try #require(accepted.headers["request-id"]))
        #expect(ids.count == 19)
    }

    @Test func `only a failed request has a line in the log, with its id, route, status and code`() async throws {
        let server = try server()
        #expect(try await server.post(Array("no JSON".utf8), ("Request-Id", "bad-one")).status == 400)
        #expect(
            try await server.post(Array(Sample(Sample.opened()).json.utf8), ("Request-Id", "good-one")).status == 202)
        #expect(try await server.get("/v1/devices/secret-device", ("Request-Id", "lost-one")).status == 404)
        let lines = server.logs.text.split(separator: "\n")
        let bad = lines.filter { $0.contains("bad-one") }
        #expect(bad.count == 1)
        for word in ["debug a request failed", #""route": events"#, #""status": 400"#, #""code": invalid_json"#] {
            #expect(bad.first?.contains(word) == true, "\(word) in \(bad)")
        }
        #expect(lines.filter { $0.contains("lost-one") }.count == 1)
        #expect(!server.logs.text.contains("good-one"))
        #expect(!server.logs.text.contains("secret-device"))
    }

    @Test func `a request's trace is in its response and in the log, with a new span id`() async throws {
        let server = try server()
        let trace = "0af7651916cd43dd8448eb211c80319c"
        let parent = "00-\(trace)-b7ad6b7169203331-01"
        let response = try await server.post(Array("no JSON".utf8), ("traceparent", parent))
        let sent = try #require(response.headers["traceresponse"])
        let span = try #require(sent.wholeMatch(of: /00-0af7651916cd43dd8448eb211c80319c-([0-9a-f]{16})-01/)?.1)
        #expect(span != "b7ad6b7169203331")
        let line = server.logs.text.split(separator: "\n").first { $0.contains(trace) }
        #expect(line?.contains(#""span_id": \#(span)"#) == true, "\(line ?? "")")
        #expect(
            try await server.get("/livez", ("traceparent", "cc-" + parent.dropFirst(3) + "-more")).headers[
                "traceresponse"] != nil)
    }

    @Test(arguments: [
        "", "00", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
        "00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-010",
    ]) func `an invalid trace is ignored`(parent: String) async throws {
        let response = try await server().get("/livez", ("traceparent", parent))
        #expect(response.status == 200 && response.headers["traceresponse"] == nil)
    }

    @Test func `an internal error is logged as an error`() async throws {
        let server = try server()
        try await server.allowConnections(false)
        let body = Array(Sample(Sample.opened()).json.utf8)
        #expect(try await server.post(body, ("Request-Id", "away-one")).status == 503)
        try await server.allowConnections(true)
        let line = server.logs.text.split(separator: "\n").first { $0.contains("away-one") }
        #expect(line?.hasPrefix("error a request failed") == true)
        #expect(line?.contains("store_away") == true)
    }
}
