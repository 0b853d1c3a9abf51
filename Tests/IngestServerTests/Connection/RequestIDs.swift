import PostgresTesting
import Testing

@Suite(.serialized, .door) struct `Request ids` {
    @Test(arguments: ["Request-Id", "X-Request-Id"]) func `a sender's plain id comes back`(header: String) async throws
    {
        let door = try door()
        for id in ["a", "0193a6c1-77.B_x", String(repeating: "z", count: 64)] {
            #expect(try await door.get("/livez", (header, id)).headers["request-id"] == id)
        }
    }

    @Test(arguments: ["", String(repeating: "z", count: 65), "a b", "a;b", "ä", "a/b", "<script>", "a\u{1}"])
    func `any other id is replaced`(id: String) async throws {
        let door = try door()
        do {
            let response = try await door.get("/livez", ("Request-Id", id))
            if response.status == 400 { return }
            let given = try #require(response.headers["request-id"])
            #expect(given != id)
            #expect(given.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil)
        } catch RawConnection.Failure.closed {
            // Not HTTP: as good.
        }
    }

    @Test func `every answer has one of its own`() async throws {
        let door = try door()
        var ids: Set<String> = []
        for path in ["/livez", "/readyz", "/metrics", "/nowhere", "/v1/events", "/v1/gallery-policy"] {
            for method in ["GET", "POST", "HEAD"] {
                let response = try await door.send(RawRequest(method: method, path: path))
                ids.insert(try #require(response.headers["request-id"]))
            }
        }
        let accepted = try await door.post(Sample(Sample.opened()))
        ids.insert(try #require(accepted.headers["request-id"]))
        #expect(ids.count == 19)
    }

    @Test func `a failed request is one line with its id, route, status and code; others are none`() async throws {
        let door = try door()
        #expect(try await door.post(Array("no JSON".utf8), ("Request-Id", "bad-one")).status == 400)
        #expect(
            try await door.post(Array(Sample(Sample.opened()).json.utf8), ("Request-Id", "good-one")).status == 202)
        #expect(try await door.get("/v1/devices/secret-device", ("Request-Id", "lost-one")).status == 404)
        let lines = door.logs.text.split(separator: "\n")
        let bad = lines.filter { $0.contains("bad-one") }
        #expect(bad.count == 1)
        for word in ["debug a request failed", #""route": events"#, #""status": 400"#, #""code": invalid_json"#] {
            #expect(bad.first?.contains(word) == true, "\(word) in \(bad)")
        }
        #expect(lines.filter { $0.contains("lost-one") }.count == 1)
        #expect(!door.logs.text.contains("good-one"))
        #expect(!door.logs.text.contains("secret-device"))
    }

    @Test func `a fault of ours is an error in the log`() async throws {
        let door = try door()
        try await door.allowConnections(false)
        let body = Array(Sample(Sample.opened()).json.utf8)
        #expect(try await door.post(body, ("Request-Id", "away-one")).status == 503)
        try await door.allowConnections(true)
        let line = door.logs.text.split(separator: "\n").first { $0.contains("away-one") }
        #expect(line?.hasPrefix("error a request failed") == true)
        #expect(line?.contains("store_away") == true)
    }
}
