import CensusCore
import CensusStore
import Testing

/// `GET /v1/gallery-policy` for one device: it hides a legacy kind only if that certainly takes away no widget.
@Suite(.serialized, .server) struct `Device gallery policies` {
    @Test func `a device whose last report lacks the legacy kind hides it, and the response names the report`()
        async throws
    {
        let server = try await server()
        let sample = settled(Sample.reported("new"))
        try await server.accept(sample)
        let policy = try await server.devicePolicy(sample.device)
        #expect(policy.kinds == ["legacy": "hide", "retired": "hide", "new": "show"])
        #expect(policy.report == .init(id: "report", at: "2026-11-21T09:30:00Z"))
    }

    @Test func `a device that has the kind shows it`() async throws {
        let server = try await server()
        let sample = settled(Sample.reported("new", "legacy", "retired"))
        try await server.accept(sample)
        let policy = try await server.devicePolicy(sample.device)
        #expect(policy.kinds == ["legacy": "show", "retired": "show", "new": "show"])
        #expect(policy.report?.id == "report")
    }

    @Test func `an unknown device shows everything, and its policy names no report`() async throws {
        let server = try await server()
        for device in ["nobody", " ", "é", String(repeating: "x", count: 10_000)] {
            let policy = try await server.devicePolicy(device)
            #expect(Set(policy.kinds.values) == ["show"])
            #expect(policy.report == nil)
        }
    }

    @Test func `a report counts from its commit, before a reconciler has seen it`() async throws {
        let server = try await server()
        var sample = settled(Sample.reported("new"))
        try await server.accept(sample)
        #expect(try await server.devicePolicy(sample.device).kinds["legacy"] == "hide")
        sample.events = [Sample.reported("legacy", id: "later", at: "2026-11-21T09:50:00Z")]
        try await server.accept(sample)
        let policy = try await server.devicePolicy(sample.device)
        #expect(policy.kinds["legacy"] == "show")
        #expect(policy.report?.id == "later")
        #expect(try await server.number("select count(*) from census.device") == 0)
    }

    @Test func `decisions can be cached, but a device's reports are always read`() async throws {
        try await IngestTestServer.open(decisionsKeptFor: .hours(1)) { server in
            var sample = settled(Sample.reported("new", "legacy"))
            try await server.accept(sample)
            try await server.mark("legacy", as: .legacy)
            #expect(try await server.devicePolicy(sample.device).reasons == ["legacy": "holds_it"])
            try await server.mark("new", as: .legacy)
            sample.events = [Sample.reported("new", id: "later", at: "2026-11-21T09:50:00Z")]
            try await server.accept(sample)
            let policy = try await server.devicePolicy(sample.device)
            #expect(policy.reasons == ["legacy": "lacks_it"])
            #expect(policy.report?.id == "later")
        }
    }

    @Test func `a late report that is older than the last one changes nothing`() async throws {
        let server = try await server()
        var sample = settled(Sample.reported("legacy"))
        try await server.accept(sample)
        sample.events = [Sample.reported("new", id: "earlier", at: "2026-11-21T08:00:00Z")]
        try await server.accept(sample)
        let policy = try await server.devicePolicy(sample.device)
        #expect(policy.kinds["legacy"] == "show")
        #expect(policy.report?.id == "report")
    }

    @Test func `a failed read does not count as an empty list`() async throws {
        let server = try await server()
        var sample = settled(Sample.readFailed())
        try await server.accept(sample)
        var policy = try await server.devicePolicy(sample.device)
        #expect(policy.kinds["legacy"] == "show")
        #expect(policy.report == nil)
        sample.events = [Sample.reported("legacy"), Sample.readFailed(id: "again")]
        try await server.accept(sample)
        policy = try await server.devicePolicy(sample.device)
        #expect(policy.kinds["legacy"] == "show")
        #expect(policy.report?.id == "report")
    }

    @Test func `an empty list hides the legacy kind`() async throws {
        let server = try await server()
        let sample = settled(Sample.reported())
        try await server.accept(sample)
        #expect(try await server.devicePolicy(sample.device).kinds["legacy"] == "hide")
    }

    @Test func `a list of another surface says nothing about widgets`() async throws {
        let server = try await server()
        let sample = settled(Sample.reported("new", surface: "control"))
        try await server.accept(sample)
        let policy = try await server.devicePolicy(sample.device)
        #expect(policy.kinds["legacy"] == "show")
        #expect(policy.report == nil)
    }

    @Test func `a kind that another surface holds is shown`() async throws {
        let server = try await server()
        let sample = settled(
            Sample.reported("new"), Sample.reported("legacy", id: "controls", surface: "control"))
        try await server.accept(sample)
        let policy = try await server.devicePolicy(sample.device)
        #expect(policy.kinds == ["legacy": "show", "retired": "hide", "new": "show"])
        #expect(policy.report?.id == "report")
    }

    @Test func `a kind added since the report is shown`() async throws {
        let server = try await server()
        let added = Sample.opened("legacy", at: "2026-11-21T09:45:00Z").replacing(
            "widget_opened", with: "widget_installed")
        let sample = settled(Sample.reported("new"), added)
        try await server.accept(sample)
        #expect(try await server.devicePolicy(sample.device).kinds["legacy"] == "show")
    }

    @Test func `a kind that was opened since the report is shown`() async throws {
        let server = try await server()
        let sample = settled(Sample.reported("new"), Sample.opened("legacy", at: "2026-11-21T09:45:00Z"))
        try await server.accept(sample)
        let policy = try await server.devicePolicy(sample.device)
        #expect(policy.kinds["legacy"] == "show")
    }

    @Test func `after a reinstall the earlier report no longer counts`() async throws {
        let server = try await server()
        var sample = settled(Sample.reported("new"))
        try await server.accept(sample)
        sample.installation += "-again"
        sample.firstLaunchedAt = "2026-11-21T09:40:00Z"
        sample.events = [Sample.opened("new", at: "2026-11-21T09:41:00Z")]
        try await server.accept(sample)
        let policy = try await server.devicePolicy(sample.device)
        #expect(policy.kinds["legacy"] == "show")
        #expect(policy.report == nil)
    }

    @Test func `a suspect is shown until a reboot proves it a ghost`() async throws {
        let server = try await server()
        var sample = settled(Sample.reported("legacy"))
        try await server.accept(sample)
        sample.installation += "-again"
        sample.firstLaunchedAt = "2026-11-21T09:40:00Z"
        sample.events = [Sample.reported("legacy", id: "suspect", at: "2026-11-21T09:41:00Z")]
        try await server.accept(sample)
        #expect(try await server.devicePolicy(sample.device).kinds["legacy"] == "show")
        sample.bootedAt = "2026-11-21T09:50:00Z"
        sample.events = [Sample.reported("new", id: "proof", at: "2026-11-21T09:55:00Z")]
        try await server.accept(sample)
        let policy = try await server.devicePolicy(sample.device)
        #expect(policy.kinds["legacy"] == "hide")
        #expect(policy.report?.id == "proof")
    }

    @Test func `a clone shows everything while its first installation goes on sending`() async throws {
        let server = try await server()
        var sample = settled(Sample.reported("new"))
        try await server.accept(sample)
        let first = sample.installation
        sample.installation += "-again"
        sample.events = [Sample.reported("new", id: "second", at: "2026-11-21T09:40:00Z")]
        try await server.accept(sample)
        sample.installation = first
        sample.events = [Sample.reported("legacy", id: "first", at: "2026-11-21T09:50:00Z")]
        try await server.accept(sample)
        #expect(try await server.devicePolicy(sample.device).kinds["legacy"] == "show")
    }

    @Test func `observations of other channels decide nothing`() async throws {
        let server = try await server()
        var sample = settled(Sample.reported("new"))
        sample.channel = "beta"
        try await server.accept(sample)
        let policy = try await server.devicePolicy(sample.device)
        #expect(policy.kinds["legacy"] == "show")
        #expect(policy.report == nil)
    }

    /// A sample from a device that has booted since the app's first launch.
    private func settled(_ events: String...) -> Sample { .settled(events) }

    private func server() async throws -> IngestTestServer { try await IngestServerTests.server().withKinds() }
}
