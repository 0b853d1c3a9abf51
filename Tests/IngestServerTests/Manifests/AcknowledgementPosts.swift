import CensusCore
import CensusStore
import Foundation
import Testing

@testable import IngestServer

/// `POST /v1/acknowledgements`: a release manager acknowledges a loss without access to the database.
@Suite(.serialized, .server) struct `Acknowledgements at the server` {
    private static let until = ReportingZone.utc.day(of: .now) + 30

    private struct Verdict: Decodable {
        struct Finding: Decodable { var fingerprint, rule: String }
        var findings: [Finding]
    }

    /// Adds a device that has the kind, and returns the fingerprint of dropping the kind.
    private func hold(_ kind: String) async throws -> String {
        let server = try server()
        let batch = """
            {"sent_at": "\(Timestamp.now)", "app": {"id": "\(IngestTestServer.app)", "version": "8.0"},
             "device": {"id": "has \(kind)", "platform": "ios"}, "installation": {"id": "one"},
             "events": [{"id": "1", "type": "widgets_reported", "at": "\(Timestamp.now)",
                         "widgets": [{"kind": "\(kind)", "family": "systemSmall"}]}]}
            """
        #expect(try await server.post(batch).status == 202)
        try await server.night()
        let verdict = try await post("/v1/preflight?drop=\(kind)").decoded(as: Verdict.self)
        return try #require(verdict.findings.first).fingerprint
    }

    private func post(
        _ path: String, manifest: String? = nil, role: Key.Role = .manage, holder: String? = "anna"
    ) async throws -> RawResponse {
        let server = try server()
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: role, holder: holder)
        var headers = [("Authorization", "Bearer \(key.text)")]
        if manifest != nil { headers.append(("Content-Type", "application/json")) }
        return try await server.send(RawRequest(path: path, headers: headers, body: Array((manifest ?? "").utf8)))
    }

    private func path(_ fingerprint: String, _ loss: Int, _ more: String) -> String {
        "/v1/acknowledgements?fingerprint=\(fingerprint)&max_loss=\(loss)&until=\(Self.until)&because=announced\(more)"
    }

    private func manifest(_ app: String = IngestTestServer.app) -> String {
        #"{"app": {"id": "\#(app)", "version": "9.0"}, "kinds": [{"kind": "other"}]}"#
    }

    private func recorded(_ fingerprint: String) async throws -> String {
        try await server().sql(
            """
            select maximum_loss, acknowledged_by, reason, app_version from census.acknowledgement
            where fingerprint = '\(fingerprint)' order by acknowledgement_number
            """)
    }

    @Test func `the key's holder signs, once for the same acknowledgement`() async throws {
        let fingerprint = try await hold("tide")
        for status in [201, 200] {
            let response = try await post(path(fingerprint, 5, "&drop=tide&release=9.0"))
            #expect(response.status == status, "\(response.text)")
            #expect(
                response.text
                    == #"{"by":"anna","fingerprint":"\#(fingerprint)","kind":"tide","max_loss":5,"rule":"kind_dropped","#
                    + #""surface":"widget","until":"\#(Self.until)"}"#)
        }
        #expect(try await recorded(fingerprint) == "5|anna|announced|9.0")
        #expect(try await post("/v1/preflight?drop=tide").text.contains("acknowledged by anna"))
        let withdrawn = try await post(path(fingerprint, 0, ""), holder: "bea")
        #expect(withdrawn.status == 201, "\(withdrawn.text)")
        #expect(try await recorded(fingerprint) == "5|anna|announced|9.0\n0|bea|announced|")
    }

    /// Ten concurrent requests once recorded two.
    @Test func `concurrent equal acknowledgements are recorded once, and so are withdrawals`() async throws {
        let fingerprint = try await hold("wind")
        for (number, sent) in [path(fingerprint, 5, "&drop=wind&release=9.0"), path(fingerprint, 0, "")].enumerated() {
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<10 { group.addTask { try await self.post(sent).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 201 }.count == 1 && statuses.allSatisfy { [200, 201, 503].contains($0) })
            #expect(try await recorded(fingerprint).split(separator: "\n").count == number + 1)
        }
        let again = try await post(path(fingerprint, 0, ""), holder: "bea")
        #expect(again.status == 409 && again.text.contains("not_acknowledged"), "\(again.text)")
    }

    @Test func `a manifest's finding is acknowledged for its version`() async throws {
        let fingerprint = try await hold("moon")
        let response = try await post(path(fingerprint, 5, ""), manifest: manifest())
        #expect(response.status == 201, "\(response.text)")
        #expect(try await recorded(fingerprint) == "5|anna|announced|9.0")
        let other = try await post(path("000000000000", 5, ""), manifest: manifest())
        #expect(other.status == 409 && other.text.contains("unknown_finding"))
        #expect(other.text.contains("\(fingerprint) kind_dropped moon"))
    }

    @Test func `a loss that preflight does not find can't be acknowledged`() async throws {
        let fingerprint = try await hold("sun")
        for (path, status, code) in [
            (path(fingerprint, 0, "&drop=sun&release=9.0"), 409, "not_acknowledged"),
            (path("000000000000", 0, ""), 409, "not_acknowledged"),
            (path("000000000000", 5, "&drop=sun&release=9.0"), 409, "unknown_finding"),
            (
                path(fingerprint, 5, "&drop=sun&release=0.0.1"), 409,
                "is older than every version that active devices run"
            ),
            (
                path(fingerprint, 5, "&drop=sun&release=8.0"), 409,
                "1 device with 8.0 has it now, so that version does not take it away"
            ),
            (path(fingerprint, 5, "&drop=suns&release=9.0"), 404, "unknown_kind"),
            (path(fingerprint, 5, "&drop=sun&release=VERSION"), 400, "invalid_query"),
            (path(fingerprint, 5, "&drop=sun&family=systemTiny&release=9.0"), 404, "unknown_family"),
        ] {
            let response = try await post(path)
            #expect(response.status == status && response.text.contains(code), "\(path): \(response.text)")
        }
        #expect(try await recorded(fingerprint).isEmpty)
    }

    @Test(arguments: [
        ("fingerprint=9F2C1AB34D07&", "fingerprint"), ("max_loss=many&", "max_loss"), ("until=2020-01-01&", "until"),
        ("because=...&", "because"), ("drop=a&", "release"), ("release=9.0&", "release"), ("family=a&", "family"),
        ("until=2026-13-01&", "until"),
    ])
    func `an invalid query gets 400`(wrong: String, named: String) async throws {
        let right = ["fingerprint=9f2c1ab34d07&", "max_loss=5&", "until=\(Self.until)&", "because=announced&"]
        let name = wrong.prefix { $0 != "=" }
        let query = right.filter { !$0.hasPrefix(name) }.joined() + wrong
        let response = try await post("/v1/acknowledgements?" + query.dropLast(), manifest: manifest())
        #expect(response.status == 400 && response.text.contains("invalid_query"), "\(query): \(response.text)")
        #expect(response.text.contains(named))
    }

    @Test func `another app's manifest or parameter gets 403`() async throws {
        for (path, manifest) in [
            (path("9f2c1ab34d07", 5, ""), manifest("com.example.other")),
            (path("9f2c1ab34d07", 5, "&app=com.example.other"), nil),
        ] {
            let response = try await post(path, manifest: manifest)
            #expect(response.status == 403 && response.text.contains("wrong_app"))
        }
    }
}
