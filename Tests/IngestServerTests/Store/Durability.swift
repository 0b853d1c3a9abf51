import CensusStore
import PostgresTesting
import Testing

/// The promise that a 202 makes.
@Suite(.serialized, .server) struct `Durability` {
    @Test func `an accepted event is committed before the response`() async throws {
        let server = try server()
        let sample = Sample(Sample.opened(), Sample.reported("weather", "search"))
        #expect(try await server.post(sample).answer == Answer(accepted: 2, rejected: []))
        #expect(try await server.rows(of: sample) == 2)
    }

    @Test func `a redelivered event counts as accepted and changes nothing`() async throws {
        let server = try server()
        let sample = Sample(Sample.opened(), Sample.reported("weather"))
        let first = try await server.post(sample)
        let stored = try await server.contents(of: sample)
        #expect(try await server.post(sample).body == first.body)
        #expect(try await server.contents(of: sample) == stored)
    }

    @Test func `a redelivery in another batch, hours later, changes nothing`() async throws {
        let server = try server()
        var sample = Sample(Sample.opened(id: "a"))
        _ = try await server.post(sample)
        let stored = try await server.contents(of: sample)
        sample.events = [Sample.opened(id: "b"), Sample.opened(id: "a")]
        sample.sentAt = "2026-11-21T16:00:00Z"
        server.clock.set(sample.sentAt)
        #expect(try await server.post(sample).answer.accepted == 2)
        server.clock.set("2026-11-21T10:00:00Z")
        #expect(try await server.contents(of: sample).hasPrefix(stored))
        #expect(try await server.rows(of: sample) == 2)
    }

    @Test func `of two contents with one id and time the first is kept, and the conflict is counted`() async throws {
        let server = try server()
        var sample = Sample(Sample.opened("weather"))
        _ = try await server.post(sample)
        let stored = try await server.contents(of: sample)
        sample.events = [Sample.opened("search")]
        let response = try await server.post(sample)
        #expect(response.status == 202)
        #expect(try response.answer == Answer(accepted: 1, rejected: []))
        #expect(try await server.contents(of: sample) == stored)
        #expect(server.logs.text.contains("redelivered with different content"))
    }

    @Test func `the same id at another time is another event`() async throws {
        let server = try server()
        let sample = Sample(
            Sample.opened(at: "2026-11-21T09:00:00Z"), Sample.opened(at: "2026-11-21T09:00:00.000001Z"))
        #expect(try await server.post(sample).status == 202)
        #expect(try await server.rows(of: sample) == 2)
    }

    @Test func `an event that is twice in a batch is stored once, with its first content`() async throws {
        let server = try server()
        let sample = Sample(Sample.opened("first"), Sample.opened("second"), Sample.opened("first"))
        #expect(try await server.post(sample).answer.accepted == 3)
        #expect(try await server.rows(of: sample) == 1)
        #expect(try await server.contents(of: sample).contains("first"))
    }

    @Test func `the same event of two devices, or of two apps, is two events`() async throws {
        var server = try server()
        let (one, two) = (Sample(Sample.opened()), Sample(Sample.opened()))
        _ = try await (server.post(one), server.post(two))
        var elsewhere = one
        elsewhere.app = "com.example.elsewhere"
        server.key = try await IngestTestServer.addApp(elsewhere.app, to: server.store)
        #expect(try await server.post(elsewhere).status == 202)
        for sample in [one, two, elsewhere] { #expect(try await server.rows(of: sample) == 1) }
    }

    @Test func `an event is stored with its decoded values, not its JSON spelling`() async throws {
        let server = try server()
        let sample = Sample(
            #"""
            {"id":"\u0065vent","at":"2026-11-21T10:00:00.5+01:00","type":"widgets_reported","surface":null,"x":[{}],
            "widgets":[{"count":2.0,"kind":"wea\u0074her","kind":"search"},{"kind":"'; drop table \\N\t","family":null}]}
            """#)
        #expect(try await server.post(sample).status == 202)
        let stored = try await server.contents(of: sample)
        #expect(stored.contains("event|2026-11-21 09:00:00.5+00|widget|"))
        #expect(stored.contains(#"[{"kind":"'; drop table \\N\u0009"},{"count":2,"kind":"weather"}]"#))
    }
}

extension IngestTestServer {
    fileprivate func contents(of sample: Sample) async throws -> String {
        try await sql(
            """
            set timezone to 'UTC';
            select event_id, occurred_at, surface, corrected_at, received_at, content
            from census.observation
            where device_id = '\(secret.device(sample.device, app: sample.app))'
            order by event_id
            """)
    }
}
