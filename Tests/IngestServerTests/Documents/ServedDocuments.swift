import Foundation
import Testing

@testable import IngestServer

/// Documents that the server returns without a key.
@Suite(.serialized, .server) struct `Served documents` {
    @Test(arguments: [
        ("/v1/manifest.schema.json", "docs/reference/manifest.schema.json", "application/schema+json"),
        ("/contract.md", "docs/reference/contract.md", "text/markdown; charset=utf-8"),
    ])
    func `a document needs no key, and equals its file in docs`(path: String, file: String, type: String) async throws {
        let response = try await server().get(path)
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == type)
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../\(file)")
        #expect(response.text == (try String(contentsOf: page, encoding: .utf8)))
    }

    @Test func `the OpenAPI document is JSON and has every path`() async throws {
        let response = try await server().get("/openapi.json")
        #expect(response.headers["content-type"] == "application/json")
        let document = try JSONSerialization.jsonObject(with: Data(response.text.utf8)) as? [String: Any]
        let paths = document?["paths"] as? [String: Any]
        #expect(document?["openapi"] as? String == "3.1.0")
        #expect(Set(paths?.keys ?? [:].keys) == Set(Route.all.flatMap(\.paths)))
    }

    @Test func `an unknown path gets 404 with the API's paths`() async throws {
        let response = try await server().get("/v1/event")
        #expect(response.status == 404)
        #expect(response.text.contains("`POST /v1/events`"))
        #expect(response.text.contains("/contract.md"))
        #expect(!response.text.contains("/metrics") && !response.text.contains("/console"))
    }
}
