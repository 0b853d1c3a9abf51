import CensusCore
import CensusStore
import Testing

/// The retention can change while the server runs. Its clock is at 2026-11-21T10:00:00Z.
@Suite(.serialized, .server(spoolLimit: 64 << 20)) struct `Retentions` {
    /// A server once kept the retention that it had read at its start. It accepted events of dropped days, and
    /// nothing counted them.
    @Test
    func `a shorter retention rejects an old event within seconds, and a longer one accepts it again`()
        async throws
    {
        let server = try server()
        let old = "2026-09-21T10:00:00Z"
        try await server.store.upkeep.setRetention(days: 90)
        #expect(try await server.answersSoon(202, to: old))
        try await server.store.upkeep.setRetention(days: 30)
        #expect(try await server.answersSoon(422, to: old))
        #expect(try await server.post(Sample(Sample.opened(at: old))).answer.rejected?.map(\.code) == ["too_old"])
        #expect(try await server.accepts(Sample(Sample.opened(at: "2026-10-22T10:00:00Z"))))
        try await server.store.upkeep.setRetention(days: 90)
        #expect(try await server.answersSoon(202, to: old))
    }

    @Test func `events of dropped days stay rejected under a longer retention, and events of kept days stay accepted`()
        async throws
    {
        let server = try server()
        defer { server.clock.set("2026-11-21T10:00:00Z") }
        let (dropped, kept) = ("2026-10-20T23:59:59Z", "2026-10-21T00:00:00Z")
        try await server.store.upkeep.setRetention(days: 90)
        _ = try await server.sql("update census.retention set kept_from = '2026-10-21'")
        for now in ["2026-11-21T10:00:00Z", "2026-12-11T23:00:00Z"] {
            server.clock.set(now)
            #expect(try await server.answersSoon(422, to: dropped), "\(now)")
            #expect(try await server.answersSoon(202, to: kept), "\(now)")
        }
        _ = try await server.sql("update census.retention set kept_from = null")
        #expect(try await server.answersSoon(202, to: dropped))
    }

    @Test func `while the store is away the server applies the retention that it last read`() async throws {
        let server = try server()
        let old = "2026-09-21T10:00:00Z"
        try await server.store.upkeep.setRetention(days: 30)
        #expect(try await server.answersSoon(422, to: old))
        try await server.allowConnections(false)
        // Longer than the interval between two reads.
        try await Task.sleep(for: .seconds(7))
        #expect(try await server.accepts())
        #expect(try await server.answersSoon(422, to: old))
        try await server.allowConnections(true)
        #expect(try await server.isDrainedSoon())
    }
}

extension IngestTestServer {
    /// Whether an event of this time soon gets this status.
    fileprivate func answersSoon(_ status: Int, to at: String) async throws -> Bool {
        var sample = Sample(Sample.opened(at: at))
        sample.sentAt = clock.now.description
        let deadline = ContinuousClock.now + .seconds(20)
        while try await post(sample).status != status {
            guard ContinuousClock.now < deadline else { return false }
            try await Task.sleep(for: .milliseconds(100))
        }
        return true
    }
}
