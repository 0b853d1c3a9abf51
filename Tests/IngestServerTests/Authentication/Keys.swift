import CensusStore
import Testing

@testable import IngestServer

/// A request without a key gets 401, and one with the wrong key 403. Neither stores anything.
@Suite(.serialized, .server) struct `Keys` {
    @Test func `a request without a key gets 401, which says how to send one`() async throws {
        let response = try await post(headers: [])
        #expect(response.status == 401)
        #expect(response.headers["www-authenticate"] == "Bearer")
        #expect(try response.answer.code == "no_key")
    }

    @Test(arguments: [
        "Bearer", "Bearer ", "KEY", "Basic KEY", "Bearer KEY more", "BearerKEY", "Bearer, KEY", "", "Token KEY",
    ]) func `a malformed Authorization header gets 401`(form: String) async throws {
        let key = try server().key.text
        let response = try await post(headers: [("Authorization", form.replacing("KEY", with: key))])
        #expect(response.status == 401)
    }

    @Test func `a request with two keys gets 401`() async throws {
        let header = ("Authorization", "Bearer \(try server().key.text)")
        #expect(try await post(headers: [header, header]).status == 401)
    }

    @Test(arguments: ["bearer", "BEARER"]) func `the scheme's letter case is ignored`(scheme: String) async throws {
        #expect(try await post(headers: [("Authorization", "\(scheme) \(try server().key.text)")]).status == 202)
    }

    @Test func `an unknown key gets 403`() async throws {
        let good = try server().key.text
        for text in [Key(role: .write).text, String(good.dropLast()), good + "0", good.uppercased(), "';--"] {
            let response = try await post(headers: [("Authorization", "Bearer \(text)")])
            #expect(response.status == 403)
            #expect(try response.answer.code == "unknown_key")
        }
    }

    /// One request for each path and method that needs a key, with the roles that it accepts.
    private static let locked = Route.all.filter { !$0.roles.isEmpty }.flatMap { route in
        route.paths.flatMap { path in
            route.allowed.map { (RawRequest(method: $0, path: path.replacing(/\{\w+\}/, with: "any")), route.roles) }
        }
    }

    @Test func `every route needs a key, except those that docs/why/threat-model.md names`() {
        let open = Set(Route.all.filter(\.roles.isEmpty).map(\.name))
        #expect(open == ["segment", "segment_settings", "documents", "console", "livez", "readyz", "metrics"])
    }

    @Test func `every route that needs a key answers 401 without one`() async throws {
        try #require(Self.locked.count > 5)
        for (request, _) in Self.locked {
            let response = try await server().send(request)
            #expect(response.status == 401, "\(request.method) \(request.path)")
            #expect(try response.answer.code == "no_key", "\(request.method) \(request.path)")
        }
    }

    @Test(arguments: Key.Role.allCases)
    func `every route that needs a key answers 403 to a key of another role`(role: Key.Role) async throws {
        let key = try await server().store.keys.add(app: IngestTestServer.app, role: role)
        for (request, roles) in Self.locked where !roles.contains(role) {
            var request = request
            request.headers = [("Authorization", "Bearer \(key.text)")]
            let response = try await server().send(request)
            #expect(response.status == 403, "\(request.method) \(request.path)")
            #expect(try response.answer.code == "wrong_role", "\(request.method) \(request.path)")
        }
    }

    @Test func `another app's key gets 403, and nothing is stored`() async throws {
        let server = try server()
        let key = try await IngestTestServer.addApp("com.example.other", to: server.store)
        let sample = Sample(Sample.opened(), "17")
        let response = try await post(sample, headers: [("Authorization", "Bearer \(key.text)")])
        #expect(response.status == 403)
        #expect(try response.answer.code == "wrong_app")
        #expect(try response.answer.pointer == "/app/id")
        #expect(try await server.rows(of: sample) == 0)
        #expect(try await server.refusals(of: sample) == [])
    }

    @Test func `a new key works at once, and a revoked one is rejected within seconds`() async throws {
        let server = try server()
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: .write)
        let header = ("Authorization", "Bearer \(key.text)")
        #expect(try await post(headers: [header]).status == 202)
        #expect(try await server.store.keys.revoke(key))
        let deadline = ContinuousClock.now + .seconds(60)
        var response = try await post(headers: [header])
        while response.status == 202, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(100))
            response = try await post(headers: [header])
        }
        #expect(response.status == 403)
        #expect(try response.answer.code == "revoked_key")
        #expect(try await server.accepts())
    }

    @Test func `an app id that only looks like the key's is another app's`() async throws {
        var server = try server()
        let (composed, decomposed) = ("com.caf\u{E9}", "com.cafe\u{301}")
        // Earlier versions accepted this id.
        _ = try await server.number("insert into census.app (app_id) values ('\(composed)') returning app_number")
        server.key = try await IngestTestServer.addApp(composed, to: server.store)
        var sample = Sample(Sample.opened())
        sample.app = composed
        #expect(try await server.post(sample).status == 202)
        sample.app = decomposed
        #expect(try await server.post(sample).status == 403)
    }

    private func post(
        _ sample: Sample = Sample(Sample.opened()), headers: [(String, String)]
    ) async throws -> RawResponse {
        try await server().send(
            RawRequest(headers: headers + [("Content-Type", "application/json")], body: Array(sample.json.utf8)))
    }
}
