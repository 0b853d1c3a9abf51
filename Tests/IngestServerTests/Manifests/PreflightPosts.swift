import CensusCore
import CensusStore
import Foundation
import Testing

@testable import IngestServer

/// `POST /v1/preflight`: a pipeline without access to the database asks how many devices would lose a widget.
@Suite(.serialized, .server) struct `Preflight at the server` {
    private struct Verdict: Decodable {
        struct Finding: Decodable {
            var rule: String
            var kind: String
        }

        var outcome: String
        var passed: Bool
        var exit_status: Int
        var findings: [Finding]
    }

    private func post(
        _ kinds: String, query: String = "", role: Key.Role = .release, app: String = IngestTestServer.app
    ) async throws -> RawResponse {
        let server = try server()
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: role)
        return try await server.send(
            RawRequest(
                path: "/v1/preflight" + query,
                headers: [("Authorization", "Bearer \(key.text)"), ("Content-Type", "application/json")],
                body: Array(#"{"app": {"id": "\#(app)", "version": "9.0"}, "kinds": [\#(kinds)]}"#.utf8)))
    }

    @Test func `without devices the verdict is unknown in every format, and nothing is stored`() async throws {
        let json = try await post(#"{"kind": "weather"}"#)
        #expect(json.status == 200)
        #expect(json.headers["census-exit-status"] == "3")
        #expect(json.headers["cache-control"] == "private, no-store")
        let verdict = try json.decoded(as: Verdict.self)
        #expect(verdict.outcome == "unknown" && !verdict.passed && verdict.exit_status == 3)
        let beginnings = [
            "text": "Compared 0 changes", "markdown": "## Preflight of", "junit": "<?xml",
            "github": "::error file=ci/m.json,line=1,", "sarif": "{",
        ]
        for (format, beginning) in beginnings {
            let other = try await post(#"{"kind": "weather"}"#, query: "?format=\(format)&file=ci/m.json")
            #expect(other.status == 200 && other.headers["census-exit-status"] == "3", "\(format)")
            #expect(other.text.hasPrefix(beginning), "\(format)")
        }
        let allowed = try await post(#"{"kind": "weather"}"#, query: "?allow_unknown=true&allow_loss=5,0.1%25")
        #expect(allowed.headers["census-exit-status"] == "0")
        #expect(try await server().number("select count(*) from census.manifest where app_version = '9.0'") == 0)
    }

    /// Adds a device that has one widget of the kind `tide`.
    private func hold() async throws {
        let server = try server()
        let batch = """
            {"sent_at": "\(Timestamp.now)", "app": {"id": "\(IngestTestServer.app)", "version": "8.0"},
             "device": {"id": "of preflight posts", "platform": "ios"}, "installation": {"id": "one"},
             "events": [{"id": "1", "type": "widgets_reported", "at": "\(Timestamp.now)",
                         "widgets": [{"kind": "tide", "family": "systemSmall"}]}]}
            """
        #expect(try await server.post(batch).status == 202)
    }

    private func drop(_ query: String, body: String = "") async throws -> RawResponse {
        let server = try server()
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: .release)
        return try await server.send(
            RawRequest(
                path: "/v1/preflight" + query, headers: [("Authorization", "Bearer \(key.text)")],
                body: Array(body.utf8)))
    }

    @Test func `preflight checks the drop of a kind without a manifest`() async throws {
        try await hold()
        for query in ["?drop=tide", "?drop=tide&family=systemSmall", "?drop=tide&app=\(IngestTestServer.app)"] {
            let response = try await drop(query)
            #expect(response.status == 200, "\(response.text)")
            let verdict = try response.decoded(as: Verdict.self)
            #expect(verdict.findings.map(\.kind) == ["tide"])
            #expect(verdict.findings.first?.rule == (query.contains("family") ? "family_dropped" : "kind_dropped"))
            #expect(response.headers["census-exit-status"] == "\(verdict.exit_status)")
        }
        let unknown = try await drop("?drop=tides")
        #expect(unknown.status == 404 && unknown.text.contains("unknown_kind"))
        let misspelled = try await drop("?drop=tide&family=systemsmall")
        #expect(misspelled.status == 404 && misspelled.text.contains("unknown_family"), "\(misspelled.text)")
        #expect(misspelled.text.contains("did you mean systemSmall?"))
        let other = try await drop("?drop=tide&app=com.example.other")
        #expect(other.status == 403 && other.text.contains("wrong_app"))
        let manifest = try await drop("?drop=tide", body: "{}")
        #expect(manifest.status == 400 && manifest.text.contains("drop needs no manifest"))
    }

    /// Pipelines share one read of the devices for a few seconds, but acknowledgements are read every time.
    @Test func `an acknowledgement counts at once, although reads of devices are shared for seconds`() async throws {
        struct Finding: Decodable { var fingerprint: String }
        struct Answer: Decodable { var findings: [Finding] }
        try await hold()
        let server = try server()
        let failed = try await drop("?drop=tide")
        let fingerprint = try #require(try failed.decoded(as: Answer.self).findings.first?.fingerprint)
        let today = ReportingZone.utc.day(of: .now)
        try await server.store.acknowledgements.add(
            fingerprint, maximumLoss: 500, until: today + 3, by: "anna", reason: "announced", change: nil,
            app: server.store.apps.app(IngestTestServer.app))
        #expect(try await drop("?drop=tide").text.contains("announced"))
        try await server.store.acknowledgements.add(
            fingerprint, maximumLoss: 0, until: today + 3, by: "anna", reason: "withdrawn", change: nil,
            app: server.store.apps.app(IngestTestServer.app))
        #expect(try await !drop("?drop=tide").text.contains("announced"))
    }

    @Test(arguments: [
        "?family=systemSmall", "?drop=tide&format=sarif", "?drop=tide&file=m.json", "?drop=", "?format=xml",
        "?allow_loss=1,000", "?allow_loss=", "?allow_unknown=yes", "?app=com.example.other",
        "?format=text&format=json", "?file=%00",
    ])
    func `an invalid query gets 400`(query: String) async throws {
        let response = try await post(#"{"kind": "weather"}"#, query: query)
        #expect(response.status == 400)
        #expect(response.text.contains("invalid_query"))
    }

    @Test func `an invalid manifest gets 422 with every problem`() async throws {
        let response = try await post(#"{"kind": "a", "famlies": []}, {"kind": ""}"#)
        #expect(response.status == 422)
        #expect(response.text.contains("did you mean `families`?"))
    }

    @Test func `another app's manifest gets 403`() async throws {
        #expect(try await post(#"{"kind": "a"}"#, app: "com.example.other").status == 403)
    }

    @Test(arguments: [Key.Role.write, .read]) func `a key of another role gets 403`(role: Key.Role) async throws {
        #expect(try await post(#"{"kind": "a"}"#, role: role).status == 403)
    }
}
