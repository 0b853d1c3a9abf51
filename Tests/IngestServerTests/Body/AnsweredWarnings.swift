import CensusCore
import CensusStore
import Testing

/// What `POST /v1/events` takes and warns of, and keys whose events never count.
@Suite(.serialized, .door) struct `Answered warnings` {
    @Test func `the answer warns, and the warning is kept for the report`() async throws {
        let door = try door()
        var sample = Sample(Sample.opened())
        sample.osVersion = "iOS 17.1"
        let response = try await door.post(sample)
        #expect(response.status == 202)
        #expect(response.text.contains(#""warnings":[{"code":"os_version","#))
        #expect(try await warned(sample, at: door) == ["os_version"])
        #expect(try await door.scrape()[#"widget_census_warned_batches_total{code="os_version"}"#] >= 1)
    }

    @Test func `a batch that is in order has none`() async throws {
        let door = try door()
        let sample = Sample(Sample.opened())
        #expect(try await !door.post(sample).text.contains("warnings"))
        #expect(try await warned(sample, at: door) == [])
    }

    @Test func `an answer has ten at most, and that of validate all`() async throws {
        let door = try door()
        let events = (10..<40).map {
            Sample.opened(id: "\($0)", at: "2026-11-21T09:00:\($0)Z", more: #","family":"small""#)
        }
        var sample = Sample()
        sample.events = events
        func count(_ path: String) async throws -> Int {
            var request = door.request(Array(sample.json.utf8))
            request.path = path
            return try await door.send(request).text.split(separator: #""code":"family""#).count - 1
        }
        #expect(try await count("/v1/validate") == 30)
        #expect(try await count("/v1/events") == 10)
        #expect(try await warned(sample, at: door) == ["family"])
    }

    /// Also where every event is refused: the sender has one more reason to look.
    @Test func `they come with refusals, too`() async throws {
        var sample = Sample(#"{"id":"1","type":"widget_danced","at":"2026-11-21T09:00:00Z"}"#)
        sample.osVersion = "iOS 17.1"
        let response = try await door().post(sample)
        #expect(response.status == 422)
        #expect(response.text.contains(#""code":"os_version""#))
        #expect(try await warned(sample, at: try door()) == ["os_version"])
    }

    @Test func `what no manifest declares is warned of, once a manifest is there`() async throws {
        var door = try door()
        let app = "com.example.declaring"
        door.key = try await IngestTestServer.addApp(app, to: door.store)
        var sample = Sample(Sample.reported("weather", "wether"))
        sample.app = app
        #expect(try await !door.post(sample).text.contains("undeclared"))
        let manifest = Manifest(appID: app, appVersion: "1.0", kinds: [.init("weather")])
        let stored = try await door.store.apps.app(app)
        _ = try await door.store.manifests.add(manifest, source: manifest.canonical, by: "tester", app: stored)
        let deadline = ContinuousClock.now + .seconds(60)
        var text = ""
        repeat {
            try await Task.sleep(for: .milliseconds(200))
            text = try await door.post(sample).text
        } while !text.contains(#""code":"undeclared_kind""#) && ContinuousClock.now < deadline
        #expect(text.contains(#""index":0,"code":"undeclared_kind""#))
        sample.events = [Sample.reported("weather", id: "declared")]
        #expect(try await !door.post(sample).text.contains("undeclared"))
        // The report `zombies` has it.
        #expect(try await warned(sample, at: door) == [])
    }

    @Test(arguments: [nil, "production", "beta"]) func `a key's channel stands, whatever the batch says`(
        sent: String?
    ) async throws {
        var door = try door()
        door.key = try await door.store.keys.add(app: IngestTestServer.app, role: .write, channel: "debug")
        var sample = Sample(Sample.opened())
        sample.channel = sent
        sample.version = "1.0-debug"
        let response = try await door.post(sample)
        #expect(response.status == 202)
        // That such a version counts is not so.
        #expect(!response.text.contains("warnings"))
        let device = door.secret.device(sample.device, app: sample.app)
        let counted = "select count(*) from census.observation where device_id = '\(device)' and channel"
        #expect(try await door.number("\(counted) = 'debug'") == 1)
        #expect(try await door.number("\(counted) <> 'debug'") == 0)
    }

    private func warned(_ sample: Sample, at door: IngestTestServer) async throws -> [String] {
        let device = door.secret.device(sample.device, app: sample.app)
        return try await door.sql("select code from census.warned where device_id = '\(device)' order by code")
            .split(separator: "\n").map(String.init)
    }
}
