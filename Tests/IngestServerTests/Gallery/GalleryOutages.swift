import CensusCore
import CensusStore
import Testing

/// Gallery policies while PostgreSQL is away. No device hides a kind, because another node might have a newer report.
@Suite(.serialized, .server) struct `Gallery outages` {
    @Test func `a device that hid a kind is told to show everything, and the response is valid for a minute`()
        async throws
    {
        let server = try await server().withKinds()
        let sample = Sample.settled([Sample.reported("new")])
        try await server.accept(sample)
        let before = try await server.policy(device: sample.device)
        #expect(try before.decoded(as: `Gallery policies`.Policy.self).kinds["legacy"] == "hide")
        let tag = try #require(before.headers["etag"])

        try await away(server) {
            let response = try await server.policy(device: sample.device, ("If-None-Match", tag))
            #expect(response.status == 200)
            let policy = try response.decoded(as: `Gallery policies`.Policy.self)
            #expect(policy.kinds == ["legacy": "show", "new": "show", "retired": "show"])
            #expect(Set(policy.reasons?.keys.map { $0 } ?? []) == ["legacy", "new", "retired"])
            #expect(Set(policy.reasons?.values.map { $0 } ?? []) == ["policy_stale"])
            #expect(policy.report == nil && policy.valid_until == nil)
            #expect(policy.stale == true)
            #expect(response.headers["cache-control"] == "private, max-age=60")
            #expect(response.headers["vary"] == before.headers["vary"])
            #expect(try await server.policy(device: "never heard of").status == 200)
        }
        #expect(try await isFreshSoon(server))
        let after = try await server.policy(device: sample.device)
        #expect(after.text == before.text)
        #expect(after.headers["etag"] == tag)
    }

    @Test func `the general policy is read from memory and marked stale, and an app not in memory gets 503`()
        async throws
    {
        let server = try await server().withKinds()
        var unread = server
        unread.key = try await IngestTestServer.addApp("com.example.never-read", to: server.store)
        let fresh = try await server.policy()
        #expect(try fresh.decoded(as: `Gallery policies`.Policy.self).stale == nil)
        let scrape = try await server.scrape()

        try await away(server) {
            let response = try await server.policy()
            #expect(response.status == 200)
            let policy = try response.decoded(as: `Gallery policies`.Policy.self)
            #expect(policy.kinds == ["legacy": "hide_unless_installed", "new": "show", "retired": "hide"])
            #expect(policy.version > 0)
            #expect(policy.stale == true)
            #expect(policy.read_at == "2026-11-21T10:00:00Z")
            #expect(policy.reasons == nil)
            #expect(response.headers["cache-control"] == "public, max-age=60")
            let tag = try #require(response.headers["etag"])
            #expect(tag != fresh.headers["etag"])
            #expect(try await server.policy(("If-None-Match", tag)).status == 304)
            for device in [nil, "a device"] {
                let response = try await unread.policy(device: device)
                #expect(response.status == 503)
                #expect(response.headers["retry-after"] != nil)
            }
            #expect(try await server.policy(device: "a device").status == 200)
        }
        let later = try await server.scrape()
        for (form, count) in [("general", 2.0), ("device", 1)] {
            let series = #"widget_census_gallery_stale_total{form="\#(form)"}"#
            #expect(later[series] - scrape[series] == count)
        }
        #expect(try await isFreshSoon(server))
        #expect(try await server.policy().text == fresh.text)
    }

    /// Runs `body` while the store is away. The server has read the keys before.
    private func away(_ server: IngestTestServer, _ body: () async throws -> Void) async throws {
        try await server.allowConnections(false)
        do {
            try await body()
        } catch {
            try await server.allowConnections(true)
            throw error
        }
        try await server.allowConnections(true)
    }

    private func isFreshSoon(_ server: IngestTestServer) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let answers = [try await server.policy(), try await server.policy(device: "a device")]
            let areFresh = try answers.allSatisfy { answer in
                try answer.status == 200 && answer.decoded(as: `Gallery policies`.Policy.self).stale == nil
            }
            if areFresh { return true }
            try await Task.sleep(for: .milliseconds(100))
        }
        return false
    }
}
