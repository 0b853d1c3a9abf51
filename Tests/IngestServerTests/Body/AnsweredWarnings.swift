import CensusCore
import CensusStore
import Testing

/// Batches that `POST /v1/events` accepts with warnings, and keys whose events never count.
@Suite(.serialized, .server) struct `Response warnings` {
    @Test func `a warning is in the response, stored and counted`() async throws {
        let server = try server()
        var sample = Sample(Sample.opened())
        sample.osVersion = "iOS 17.1"
        let response = try await server.post(sample)
        #expect(response.status == 202)
        #expect(response.text.contains(#""warnings":[{"code":"os_version","#))
        #expect(try await warned(sample, at: server) == ["os_version"])
        #expect(try await server.scrape()[#"widget_census_warned_batches_total{code="os_version"}"#] >= 1)
    }

    @Test func `a batch without mistakes has no warnings`() async throws {
        let server = try server()
        let sample = Sample(Sample.opened())
        #expect(try await !server.post(sample).text.contains("warnings"))
        #expect(try await warned(sample, at: server) == [])
    }

    @Test func `a response to events has at most ten warnings, and one to validate has all`() async throws {
        let server = try server()
        let events = (10..<40).map {
            Sample.opened(id: "\($0)", at: "2026-11-21T09:00:\($0)Z", more: #","family":"small""#)
        }
        var sample = Sample()
        sample.events = events
        func count(_ path: String) async throws -> Int {
            var request = server.request(Array(sample.json.utf8))
            request.path = path
            return try await server.send(request).text.split(separator: #""code":"family""#).count - 1
        }
        #expect(try await count("/v1/validate") == 30)
        #expect(try await count("/v1/events") == 10)
        #expect(try await warned(sample, at: server) == ["family"])
    }

    /// Even if every event is rejected, because the sender then looks at the response.
    @Test func `a response with rejected events has warnings, too`() async throws {
        var sample = Sample(#"{"id":"1","type":"widget_danced","at":"2026-11-21T09:00:00Z"}"#)
        sample.osVersion = "iOS 17.1"
        let response = try await server().post(sample)
        #expect(response.status == 422)
        #expect(response.text.contains(#""code":"os_version""#))
        #expect(try await warned(sample, at: try server()) == ["os_version"])
    }

    @Test func `once an app has a manifest, an undeclared kind gets a warning`() async throws {
        var server = try server()
        let app = "com.example.declaring"
        server.key = try await IngestTestServer.addApp(app, to: server.store)
        var sample = Sample(Sample.reported("weather", "wether"))
        sample.app = app
        #expect(try await !server.post(sample).text.contains("undeclared"))
        let manifest = Manifest(appID: app, appVersion: "1.0", kinds: [.init("weather")])
        let stored = try await server.store.apps.app(app)
        _ = try await server.store.manifests.add(manifest, source: manifest.canonical, by: "tester", app: stored)
        let deadline = ContinuousClock.now + .seconds(60)
        var text = ""
        repeat {
            try await Task.sleep(for: .milliseconds(200))
            text = try await server.post(sample).text
        } while !text.contains(#""code":"undeclared_kind""#) && ContinuousClock.now < deadline
        #expect(text.contains(#""index":0,"code":"undeclared_kind""#))
        sample.events = [Sample.reported("weather", id: "declared")]
        #expect(try await !server.post(sample).text.contains("undeclared"))
        // The report `zombies` shows undeclared kinds instead.
        #expect(try await warned(sample, at: server) == [])
    }

    @Test(arguments: [nil, "production", "beta"]) func `a key's channel overrides the batch's`(
        sent: String?
    ) async throws {
        var server = try server()
        server.key = try await server.store.keys.add(app: IngestTestServer.app, role: .write, channel: "debug")
        var sample = Sample(Sample.opened())
        sample.channel = sent
        sample.version = "1.0-debug"
        let response = try await server.post(sample)
        #expect(response.status == 202)
        // No warning that a debug version counts, because the key's channel doesn't.
        #expect(!response.text.contains("warnings"))
        let device = server.secret.device(sample.device, app: sample.app)
        let counted = "select count(*) from census.observation where device_id = '\(device)' and channel"
        #expect(try await server.number("\(counted) = 'debug'") == 1)
        #expect(try await server.number("\(counted) <> 'debug'") == 0)
    }

    private func warned(_ sample: Sample, at server: IngestTestServer) async throws -> [String] {
        let device = server.secret.device(sample.device, app: sample.app)
        return try await server.sql("select code from census.warned where device_id = '\(device)' order by code")
            .split(separator: "\n").map(String.init)
    }
}
