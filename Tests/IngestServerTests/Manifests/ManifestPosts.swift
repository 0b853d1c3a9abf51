import CensusStore
import Foundation
import Testing

@testable import IngestServer

/// `POST /v1/manifests`: a release pipeline adds the kinds that a version declares.
@Suite(.serialized, .server) struct `Manifests at the server` {
    private struct Added: Decodable, Equatable {
        var appVersion: String
        var kinds: Int

        enum CodingKeys: String, CodingKey {
            case appVersion = "app_version"
            case kinds
        }
    }

    private struct Refused: Decodable {
        struct Problem: Decodable, Equatable {
            var pointer: String
            var message: String
        }

        var code: String
        var pointer: String
        var problems: [Problem]
    }

    private func manifest(_ version: String, _ kinds: String, app: String = IngestTestServer.app) -> String {
        #"{"app": {"id": "\#(app)", "version": "\#(version)"}, "kinds": [\#(kinds)]}"#
    }

    private func post(_ body: String, _ more: (String, String)...) async throws -> RawResponse {
        let server = try server()
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: .release)
        return try await server.send(
            RawRequest(
                path: "/v1/manifests",
                headers: [("Authorization", "Bearer \(key.text)"), ("Content-Type", "application/json")] + more,
                body: Array(body.utf8)))
    }

    @Test func `a new manifest gets 201, the same again 200, and another of its version 409 with what differs`()
        async throws
    {
        let first = try await post(manifest("1.0", #"{"kind": "weather", "families": ["a", "b"]}"#))
        #expect(first.status == 201)
        #expect(try first.decoded(as: Added.self) == Added(appVersion: "1.0", kinds: 1))
        let again = try await post(manifest("1.0", #"{"families": ["b", "a"], "kind": "weather"}"#))
        #expect(again.status == 200)
        #expect(again.body == first.body)
        let marked = try await post("\u{FEFF}" + manifest("1.0", #"{"kind": "weather", "families": ["a", "b"]}"#))
        #expect(marked.status == 200, "a byte order mark is ignored")
        let other = try await post(manifest("1.0", #"{"kind": "weather", "families": ["a"]}"#))
        #expect(other.status == 409)
        let refused = try other.decoded(as: Refused.self)
        #expect(refused.code == "other_manifest")
        #expect(refused.problems.map(\.message) == ["weather: `families` was a, b and is now a"])
        let server = try server()
        #expect(try await server.number("select count(*) from census.manifest where app_version = '1.0'") == 1)
        #expect(
            try await server.sql("select added_by from census.manifest where app_version = '1.0'").hasPrefix(
                "release key "))
    }

    @Test func `an invalid manifest gets 422 with every problem, and nothing is stored`() async throws {
        let response = try await post(manifest("1.1", #"{"kind": "a", "famlies": []}, {"kind": ""}"#))
        #expect(response.status == 422)
        let refused = try response.decoded(as: Refused.self)
        #expect(refused.code == "invalid_manifest")
        #expect(refused.pointer == "/kinds/0/famlies")
        #expect(
            refused.problems == [
                .init(pointer: "/kinds/0/famlies", message: "unknown field; did you mean `families`?"),
                .init(pointer: "/kinds/1/kind", message: "`kind` must be a non-empty string"),
            ])
        #expect(try await server().number("select count(*) from census.manifest where app_version = '1.1'") == 0)
    }

    @Test func `invalid JSON gets 400, another type or encoding 415, and more than 1 MiB 413`() async throws {
        #expect(try await post("{").status == 400)
        #expect(try await post("{").answer.code == "invalid_json")
        #expect(try await post(manifest("1.2", ""), ("Content-Encoding", "gzip")).status == 415)
        #expect(try await post(String(repeating: " ", count: 1 << 20 | 1)).status == 413)
        let server = try server()
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: .release)
        let plain = RawRequest(
            path: "/v1/manifests", headers: [("Authorization", "Bearer \(key.text)")],
            body: Array(manifest("1.2", "").utf8))
        #expect(try await server.send(plain).status == 415)
    }

    @Test func `another app's manifest gets 403, and nothing is stored`() async throws {
        let response = try await post(manifest("1.4", "", app: "com.example.other"))
        #expect(response.status == 403)
        #expect(try response.answer.code == "wrong_app")
        #expect(try response.answer.pointer == "/app/id")
        #expect(try await server().number("select count(*) from census.manifest where app_version = '1.4'") == 0)
    }

    @Test func `a manifest without a key gets 401`() async throws {
        let response = try await server().send(
            RawRequest(
                path: "/v1/manifests", headers: [("Content-Type", "application/json")],
                body: Array(manifest("1.5", "").utf8)))
        #expect(response.status == 401)
    }

    @Test func `a manifest with a thousand kinds is accepted, and one with ten thousand is rejected`() async throws {
        func kinds(_ count: Int) -> String {
            (0..<count).map { #"{"kind": "kind \#($0)", "families": ["systemSmall"]}"# }.joined(separator: ",")
        }
        #expect(try await post(manifest("1.6", kinds(1_000))).status == 201)
        #expect(
            try await server().number("select count(*) from census.manifest_kind where app_version = '1.6'") == 1_000)
        #expect(try await post(manifest("1.7", kinds(10_000))).status == 422)
    }
}
