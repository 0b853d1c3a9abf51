import Testing

/// `POST /v1/validate` returns what `/v1/events` would, without storing anything.
@Suite(.serialized, .server) struct `Validation` {
    /// The number of stored events, rejected events, names and pending devices.
    private static let kept = """
        select (select count(*) from census.observation) + (select count(*) from census.refused)
            + (select count(*) from census.known_name) + (select count(*) from census.pending_device)
        """

    static let bodies: [(name: String, text: String)] = {
        let good = Sample(Sample.opened()).json
        return [
            ("good", good), ("no JSON", good + "}"), ("no envelope", "[]"),
            ("another app's", good.replacing("com.example", with: "com.other")),
            ("an unknown type", good.replacing("widget_opened", with: "widget_closed")),
            ("a kind of its own", good.replacing("weather", with: "a kind that nobody sent before")),
        ]
    }()

    @Test(arguments: bodies) func `validate returns the response of events, and stores nothing`(
        body: (name: String, text: String)
    ) async throws {
        let server = try server()
        let before = try await server.number(Self.kept)
        let asked = try await validate(body.text)
        #expect(try await server.number(Self.kept) == before, "\(body.name)")
        let sent = try await server.post(Array(body.text.utf8))
        #expect(asked.status == sent.status, "\(body.name)")
        #expect(try asked.answer == sent.answer, "\(body.name)")
    }

    @Test func `validate warns about a misspelled family`() async throws {
        let response = try await validate(
            Sample(Sample.reported("weather")).json.replacing("systemSmall", with: "system_small"))
        #expect(response.status == 202)
        #expect(response.text.contains(#""code":"family","message":"`family` is counted as it is spelled"#))
    }

    @Test func `validate needs a write key`() async throws {
        let type = [("Content-Type", "application/json")]
        let request = RawRequest(path: "/v1/validate", headers: type, body: Array("{}".utf8))
        #expect(try await server().send(request).status == 401)
    }

    private func validate(_ text: String) async throws -> RawResponse {
        var request = try server().request(Array(text.utf8), [])
        request.path = "/v1/validate"
        return try await server().send(request)
    }
}
