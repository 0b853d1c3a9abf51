import CensusCore
import CensusStore
import Testing

/// `GET /v1/gallery-policy` without a device, and how it may be cached.
@Suite(.serialized, .server) struct `Gallery policies` {
    struct Policy: Decodable, Equatable {
        struct Report: Decodable, Equatable {
            var id: String
            var at: String
        }

        var version: Int
        var kinds: [String: String]
        /// Only for a device.
        var reasons: [String: String]?
        var report: Report?
        var valid_until: String?
        /// Only while the store is away.
        var stale: Bool?
        var read_at: String?
    }

    @Test func `without a device each kind gets the decision for its state`() async throws {
        let server = try await server(for: "com.example.lifecycles")
        #expect(try await policy(server) == Policy(version: 0, kinds: ["a": "show", "b": "show", "c": "show"]))
        try await server.mark("b", as: .legacy)
        try await server.mark("c", as: .retired)
        let marked = try await policy(server)
        #expect(marked.kinds == ["a": "show", "b": "hide_unless_installed", "c": "hide"])
        #expect(marked.version > 0)
        #expect(marked.report == nil)
        try await server.mark("b", as: .active)
        let back = try await policy(server)
        #expect(back.kinds["b"] == "show")
        #expect(back.version > marked.version)
    }

    @Test func `an app without events has no kinds`() async throws {
        var server = try IngestServerTests.server()
        server.key = try await IngestTestServer.addApp("com.example.silent", to: server.store)
        let response = try await server.policy()
        #expect(response.status == 200)
        #expect(response.text == #"{"version":0,"kinds":{}}"#)
    }

    @Test func `a gallery policy has only the app's own kinds`() async throws {
        let (one, two) = (try await server(for: "com.example.one"), try await server(for: "com.example.two"))
        try await one.mark("a", as: .retired)
        #expect(try await policy(two).kinds["a"] == "show")
    }

    @Test func `the response says how it may be cached`() async throws {
        let server = try await server(for: "com.example.cache")
        for device in [nil, "some-device"] {
            let headers = try await server.policy(device: device).headers
            let control = try #require(headers["cache-control"])
            let age = control.firstMatch(of: /max-age=([0-9]+)/).flatMap { Int($0.1) }
            #expect(try #require(age) > 0)
            #expect(control.contains(device == nil ? "public" : "private"))
            #expect(headers["vary"]?.lowercased().contains("census-device") == true)
            #expect(headers["vary"]?.lowercased().contains("authorization") == true)
            #expect(headers["etag"]?.isEmpty == false)
        }
    }

    @Test func `a client that has the current response gets 304`() async throws {
        let server = try await server(for: "com.example.etag")
        let tag = try #require(try await server.policy().headers["etag"])
        for form in [tag, "W/\(tag)", "\"other\", \(tag)", "\"other\",W/\(tag)", "*"] {
            let response = try await server.policy(("If-None-Match", form))
            #expect(response.status == 304, "\(form)")
            #expect(response.headers["etag"] == tag)
            #expect(response.headers["vary"] != nil)
            #expect(response.headers["cache-control"] != nil)
        }
        for form in ["\"other\"", "", String(tag.dropLast(2)), "W/"] {
            #expect(try await server.policy(("If-None-Match", form)).status == 200, "\(form)")
        }
        try await server.mark("a", as: .legacy)
        let changed = try await server.policy(("If-None-Match", tag))
        #expect(changed.status == 200)
        #expect(changed.headers["etag"] != tag)
    }

    @Test func `a connection stays usable after 304`() async throws {
        let server = try await server(for: "com.example.reuse")
        let tag = try #require(try await server.policy().headers["etag"])
        let connection = try server.connect()
        let headers = [("Authorization", "Bearer \(server.key.text)"), ("If-None-Match", tag)]
        for _ in 0..<3 {
            try await connection.send(
                RawRequest(method: "GET", path: "/v1/gallery-policy", headers: headers).bytes)
            #expect(try await connection.response().status == 304)
        }
    }

    @Test func `a kind's name is escaped as JSON`() async throws {
        let server = try await server(for: "com.example.names", kinds: #"\"\\\u0001\/</script>🦜"#)
        #expect(try await policy(server).kinds == ["\"\\\u{1}/</script>🦜": "show"])
    }

    @Test func `write and read keys get the gallery policy, and other keys do not`() async throws {
        var server = try await server(for: "com.example.roles")
        for (role, status) in [(Key.Role.read, 200), (.write, 200), (.release, 403)] {
            server.key = try await server.store.keys.add(app: "com.example.roles", role: role)
            #expect(try await server.policy().status == status)
        }
        server.key = Key(role: .write)
        #expect(try await server.policy().status == 403)
        #expect(try await server.get("/v1/gallery-policy").status == 401)
    }

    private func policy(_ server: IngestTestServer) async throws -> Policy { try await server.policy().decoded() }

    /// A server whose app has sent these kinds.
    private func server(for app: String, kinds: String...) async throws -> IngestTestServer {
        var server = try IngestServerTests.server()
        server.key = try await IngestTestServer.addApp(app, to: server.store)
        var sample = Sample()
        sample.app = app
        sample.events = (kinds.isEmpty ? ["a", "b", "c"] : kinds).enumerated().map { Sample.opened($1, id: "\($0)") }
        #expect(try await server.post(sample).status == 202)
        return server
    }
}

extension IngestTestServer {
    func policy(device: String? = nil, _ more: (String, String)...) async throws -> RawResponse {
        let headers = [("Authorization", "Bearer \(key.text)")] + (device.map { [("Census-Device", $0)] } ?? []) + more
        return try await send(RawRequest(method: "GET", path: "/v1/gallery-policy", headers: headers))
    }

    /// Records a person's act on the app of the server's key.
    func mark(_ kind: String, as lifecycle: Lifecycle) async throws {
        let hash = key.hash.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let id = try await sql(
            "select app_id from census.app join census.api_key using (app_number) where key_hash = '\\x\(hash)'")
        // Only a legacy kind can be retired.
        for lifecycle in lifecycle == .retired ? [.legacy, .retired] : [lifecycle] {
            _ = try await store.kinds.mark(kind: kind, KindDecision(lifecycle, by: "a tester"), app: store.apps.app(id))
        }
    }
}
