import CensusStore
import Testing

@Suite(.serialized, .door) struct `Content types` {
    @Test(arguments: [
        "application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8",
        "application/json ; v=1",
    ]) func `JSON is taken, with parameters too`(type: String) async throws {
        let door = try door()
        #expect(try await door.send(request(type, door)).status == 202)
    }

    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "application/json-seq", "application/jsonp", "json", "",
        "*/*",
        "text/html, application/json",
    ]) func `any other type gets 415`(type: String) async throws {
        let door = try door()
        let response = try await door.send(request(type, door))
        #expect(response.status == 415)
        #expect(try response.answer.code == "wrong_content_type")
        #expect(try response.answer.pointer == "")
    }

    @Test func `no type gets 415`() async throws {
        let door = try door()
        var bare = request("", door)
        bare.headers.removeLast()
        #expect(try await door.send(bare).status == 415)
    }

    private func request(_ type: String, _ door: IngestTestServer) -> RawRequest {
        RawRequest(
            headers: [("Authorization", "Bearer \(door.key.text)"), ("Content-Type", type)],
            body: Array(Sample(Sample.opened()).json.utf8))
    }
}
