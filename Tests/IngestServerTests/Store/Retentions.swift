import CensusCore
import CensusStore
import Testing

/// For how long events are kept may change while the server is open. Its clock says 2026-11-21T10:00:00Z.
@Suite(.serialized, .server(spoolLimit: 64 << 20)) struct `Retentions` {
    /// A server went on by the retention of its start: it took events that were older than what was dropped, and nothing counted
    /// them.
    @Test
    func `an event is rejected within seconds once days are kept for less, and accepted once they are kept for longer`()
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

    @Test func `days that were dropped stay rejected however long days are kept, and no more than those as days pass`()
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

    @Test func `while the store is away the last retention that was read applies`() async throws {
        let server = try server()
        let old = "2026-09-21T10:00:00Z"
        try await server.store.upkeep.setRetention(days: 30)
        #expect(try await server.answersSoon(422, to: old))
        try await server.allowConnections(false)
        // Longer than from one reading to the next.
        try await Task.sleep(for: .seconds(7))
        #expect(try await server.accepts())
        #expect(try await server.answersSoon(422, to: old))
        try await server.allowConnections(true)
        #expect(try await server.isDrainedSoon())
    }
}

extension IngestTestServer {
    /// Whether an event of a time gets this status before long.
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
