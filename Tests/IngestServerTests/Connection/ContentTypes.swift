import CensusStore
import Testing

@Suite(.serialized, .server) struct `Content types` {
    @Test(arguments: [
        "application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8",
        "application/json ; v=1",
    ]) func `JSON is accepted, with or without parameters`(type: String) async throws {
        let server = try server()
        #expect(try await server.send(request(type, server)).status == 202)
    }

    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "application/json-seq", "application/jsonp", "json", "",
        "*/*",
        "text/html, application/json",
    ]) func `any other type gets 415`(type: String) async throws {
        let server = try server()
        let response = try await server.send(request(type, server))
        #expect(response.status == 415)
        #expect(try response.answer.code == "wrong_content_type")
        #expect(try response.answer.pointer == "")
    }

    @Test func `a request without a content type gets 415`() async throws {
        let server = try server()
        var bare = request("", server)
        bare.headers.removeLast()
        #expect(try await server.send(bare).status == 415)
    }

    private func request(_ type: String, _ server: IngestTestServer) -> RawRequest {
        RawRequest(
            headers: [("Authorization", "Bearer \(server.key.text)"), ("Content-Type", type)],
            body: Array(Sample(Sample.opened()).json.utf8))
    }
}
