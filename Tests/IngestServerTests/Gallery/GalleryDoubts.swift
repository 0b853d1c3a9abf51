import CensusCore
import CensusStore
import Testing

/// A device shows a kind if its report is old, or if its OS can't hide a single kind.
@Suite(.serialized, .server) struct `Gallery doubts` {
    @Test func `a report hides a kind until the end of the 28th day, and no longer`() async throws {
        let server = try await server()
        let sample = Sample.settled([Sample.reported("new")])
        try await server.accept(sample)
        for (now, answer) in [
            ("2026-11-22T10:00:00Z", "hide"), ("2026-12-18T23:59:59Z", "hide"), ("2026-12-19T00:00:00Z", "show"),
            ("2027-11-21T10:00:00Z", "show"),
        ] {
            server.clock.set(now)
            #expect(try await server.devicePolicy(sample.device).kinds["legacy"] == answer, "\(now)")
        }
        server.clock.set("2026-11-21T10:00:00Z")
    }

    @Test func `later events do not renew an old report`() async throws {
        let server = try await server()
        var sample = Sample.settled([Sample.reported("new")])
        try await server.accept(sample)
        server.clock.set("2026-12-20T10:00:00Z")
        sample.sentAt = "2026-12-20T10:00:00Z"
        sample.events = [
            Sample.opened("new", at: "2026-12-10T09:00:00Z"), Sample.readFailed(at: "2026-12-20T09:00:00Z"),
        ]
        try await server.accept(sample)
        #expect(try await server.devicePolicy(sample.device).kinds["legacy"] == "show")
        server.clock.set("2026-11-21T10:00:00Z")
    }

    @Test func `the app's own activity window applies`() async throws {
        var server = try IngestServerTests.server()
        server.key = try await IngestTestServer.addApp("com.example.window", to: server.store)
        var settings = AppSettings()
        settings.windowDays = 2
        try await server.store.apps.set("com.example.window", settings)
        server = try await server.withKinds(app: "com.example.window")
        var sample = Sample.settled([Sample.reported("new")])
        sample.app = "com.example.window"
        try await server.accept(sample)
        for (now, answer) in [("2026-11-22T23:59:59Z", "hide"), ("2026-11-23T00:00:00Z", "show")] {
            server.clock.set(now)
            #expect(try await server.devicePolicy(sample.device).kinds["legacy"] == answer)
        }
        server.clock.set("2026-11-21T10:00:00Z")
    }

    @Test(arguments: ["14", "14.0", "14.3", "14.8.1"], ["ios", "ipados"]) func `iOS 14 shows everything`(
        version: String, platform: String
    ) async throws {
        #expect(try await answer(platform: platform, version: version) == "show")
    }

    @Test func `a device without an OS version shows everything`() async throws {
        #expect(try await answer(platform: "ios", version: nil) == "show")
    }

    @Test(arguments: ["", "x", "Version 14.3 (Build 18C66)", "iOS 14.3", " 14.3", "014.3"])
    func `a device with an unreadable OS version shows everything`(version: String) async throws {
        let answer = try await answer(platform: "ios", version: version)
        #expect(answer == "show")
    }

    @Test(arguments: [("ios", "15.0"), ("ios", "140.1"), ("ipados", "26.5"), ("macos", "14.3"), ("android", "14")])
    func `a device with any other OS hides the kind`(platform: String, version: String) async throws {
        #expect(try await answer(platform: platform, version: version) == "hide")
    }

    @Test func `the ETag of a device's policy changes with its report`() async throws {
        let server = try await server()
        var sample = Sample.settled([Sample.reported("new")])
        try await server.accept(sample)
        let tag = try #require(try await server.policy(device: sample.device).headers["etag"])
        #expect(try await server.policy(device: sample.device, ("If-None-Match", tag)).status == 304)
        #expect(try await server.policy(device: "another", ("If-None-Match", tag)).status == 200)
        sample.events = [Sample.reported("new", id: "later", at: "2026-11-21T09:50:00Z")]
        try await server.accept(sample)
        #expect(try await server.policy(device: sample.device, ("If-None-Match", tag)).status == 200)
    }

    @Test func `the same device id in another app is another device`() async throws {
        let server = try await server()
        let sample = Sample.settled([Sample.reported("new")])
        try await server.accept(sample)
        var other = server
        other.key = try await IngestTestServer.addApp("com.example.stranger", to: server.store)
        other = try await other.withKinds(app: "com.example.stranger")
        let policy = try await other.devicePolicy(sample.device)
        #expect(policy.kinds["legacy"] == "show")
        #expect(policy.report == nil)
    }

    @Test func `a device's cached response is never valid for another device`() async throws {
        let server = try await server()
        let (one, other) = (
            try await server.policy(device: "one of two"), try await server.policy(device: "other of two")
        )
        #expect(one.text == other.text)
        let tag = try #require(one.headers["etag"])
        #expect(other.headers["etag"] != tag)
        #expect(try await server.policy(device: "other of two", ("If-None-Match", tag)).status == 200)
    }

    @Test func `every decision on a legacy kind has a reason, and a hide has its last day`() async throws {
        let server = try await server()
        let unknown = try await server.devicePolicy("never heard of")
        #expect(unknown.reasons == ["legacy": "unknown_device", "retired": "unknown_device"])
        #expect(unknown.valid_until == nil)

        var sample = Sample.settled([Sample.reported("retired")])
        sample.device = "holds one"
        try await server.accept(sample)
        let known = try await server.devicePolicy("holds one")
        #expect(known.reasons == ["legacy": "lacks_it", "retired": "holds_it"])
        #expect(known.kinds == ["legacy": "hide", "new": "show", "retired": "show"])
        #expect(known.valid_until == "2026-12-19T00:00:00Z")

        server.clock.set("2026-12-18T23:59:00Z")
        #expect(try await server.policy(device: "holds one").headers["cache-control"] == "private, max-age=60")
        server.clock.set("2026-12-19T00:00:00Z")
        let stale = try await server.devicePolicy("holds one")
        #expect(stale.reasons == ["legacy": "stale_evidence", "retired": "stale_evidence"])
        #expect(stale.valid_until == nil)
        server.clock.set("2026-11-21T10:00:00Z")

        sample.device = "iOS 14"
        sample.osVersion = "14.3"
        try await server.accept(sample)
        #expect(try await server.devicePolicy("iOS 14").reasons?["legacy"] == "ios14")
        // It hasn't booted since the first launch, so a listed placement might be gone.
        var doubtful = Sample()
        doubtful.device = "doubtful"
        doubtful.events = [Sample.reported("legacy")]
        doubtful.firstLaunchedAt = "2026-11-21T09:58:00Z"
        doubtful.bootedAt = "2026-11-10T00:00:00Z"
        try await server.accept(doubtful)
        #expect(try await server.devicePolicy("doubtful").reasons == ["legacy": "suspect", "retired": "lacks_it"])
    }

    private func answer(platform: String, version: String?) async throws -> String? {
        let server = try await server()
        var sample = Sample.settled([Sample.reported("new")])
        (sample.platform, sample.osVersion) = (platform, version)
        try await server.accept(sample)
        return try await server.devicePolicy(sample.device).kinds["legacy"]
    }

    private func server() async throws -> IngestTestServer { try await IngestServerTests.server().withKinds() }
}

extension Sample {
    /// A sample from a device that has booted since the app's first launch.
    static func settled(_ events: [String]) -> Sample {
        var sample = Sample()
        sample.firstLaunchedAt = "2026-11-01T00:00:00Z"
        sample.bootedAt = "2026-11-10T00:00:00Z"
        sample.events = events
        return sample
    }
}

extension IngestTestServer {
    /// Gives the app the kinds `new`, `legacy` and `retired`, in the states that their names say.
    func withKinds(app: String = IngestTestServer.app) async throws -> IngestTestServer {
        var sample = Sample()
        sample.app = app
        sample.events = ["new", "legacy", "retired"].map { Sample.opened($0, id: $0) }
        try await accept(sample)
        try await mark("legacy", as: .legacy)
        try await mark("retired", as: .retired)
        return self
    }

    func accept(_ sample: Sample) async throws {
        let response = try await post(sample)
        #expect(response.status == 202)
        #expect(try response.answer.rejected == [])
    }

    func devicePolicy(_ device: String) async throws -> `Gallery policies`.Policy {
        let response = try await policy(device: device)
        #expect(response.status == 200)
        return try response.decoded()
    }
}
