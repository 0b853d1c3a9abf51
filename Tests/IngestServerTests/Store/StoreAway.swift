import CensusStore
import EmbeddedPostgres
import PostgresTesting
import Testing

/// Without PostgreSQL the server answers 503 with Retry-After. It loses nothing, and needs no restart afterwards.
@Suite(.serialized, .server) struct `Store away` {
    @Test func `while the database is away every batch gets 503, and soon after it returns 202`() async throws {
        let server = try server()
        #expect(try await server.accepts())
        try await server.allowConnections(false)
        let samples = [Sample(Sample.opened()), Sample(Sample.opened("new-kind"))]
        for sample in samples {
            let response = try await server.post(sample)
            #expect(response.status == 503)
            #expect(try response.answer.code == "store_away")
            #expect(Int(response.headers["retry-after"] ?? "") != nil)
        }
        #expect(try await server.get("/readyz").status == 503)
        #expect(try await server.get("/livez").status == 200)
        let policy = try await server.get("/v1/gallery-policy", ("Authorization", "Bearer \(server.key.text)"))
        #expect(policy.status == 503)
        #expect(policy.headers["retry-after"] != nil)

        try await server.allowConnections(true)
        for sample in samples {
            #expect(try await server.isAcceptedSoon(sample))
            #expect(try await server.rows(of: sample) == 1)
        }
        #expect(try await eventually(within: .seconds(5)) { try await server.get("/readyz").status == 200 })
    }

    @Test func `idle database connections that were ended cost at most one 503`() async throws {
        let server = try server()
        #expect(try await server.accepts())
        try await server.endConnections()
        let sample = Sample(Sample.opened())
        let statuses = [try await server.post(sample).status, try await server.post(sample).status]
        #expect(statuses.allSatisfy { $0 == 202 || $0 == 503 })
        #expect(try await server.isAcceptedSoon(sample))
        #expect(try await server.rows(of: sample) == 1)
    }

    @Test func `an unknown key gets 503 while keys can't be read`() async throws {
        let server = try server()
        try await server.allowConnections(false)
        var stranger = server
        stranger.key = .init(role: .write)
        #expect(try await stranger.post(Sample(Sample.opened())).status == 503)
        try await server.allowConnections(true)
        #expect(try await server.isAcceptedSoon(Sample(Sample.opened())))
        #expect(try await stranger.post(Sample(Sample.opened())).status == 403)
    }

    @Test func `no batch that got 202 is lost when database connections are cut`() async throws {
        let server = try server()
        let accepted = try await withThrowingTaskGroup(of: [String].self) { group in
            for sender in 0..<8 {
                group.addTask {
                    var accepted: [String] = []
                    for batch in 0..<40 {
                        let id = "cut-\(sender)-\(batch)"
                        let status = try await server.post(Sample(Sample.opened(id: id))).status
                        #expect(status == 202 || status == 503)
                        if status == 202 { accepted.append(id) }
                    }
                    return accepted
                }
            }
            group.addTask {
                for _ in 0..<10 {
                    try await server.endConnections()
                    try await Task.sleep(for: .milliseconds(20))
                }
                return []
            }
            return try await group.reduce([], +)
        }
        let stored = try await server.sql("select event_id from census.observation where event_id like 'cut-%'")
        #expect(Set(accepted).subtracting(stored.split(separator: "\n").map(String.init)).isEmpty)
        #expect(try await server.isAcceptedSoon(Sample(Sample.opened())))
    }

    @Test func `while a table is locked other requests get responses, and a batch gets 202 or 503`() async throws {
        let server = try server()
        #expect(try await server.accepts())
        let sample = Sample(Sample.opened())
        let status = try await server.locked("observation", seconds: 2) { _ in
            async let waiting = server.post(sample)
            #expect(try await server.get("/livez").status == 200)
            #expect(try await server.get("/readyz").status == 200)
            return try await waiting.status
        }
        #expect(status == 202 || status == 503)
        #expect(try await server.isAcceptedSoon(sample))
        #expect(try await server.rows(of: sample) == 1)
    }
}

extension IngestTestServer {
    func allowConnections(_ areAllowed: Bool) async throws {
        _ = try await TestServer.shared().query(
            "alter database \(database.name) allow_connections \(areAllowed)", database: "postgres")
        if !areAllowed { try await endConnections() }
    }

    func endConnections() async throws {
        _ = try await TestServer.shared().query(
            "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = '\(database.name)'",
            database: "postgres")
    }

    /// Whether the server accepts a batch in time, sent again and again as a client would.
    func isAcceptedSoon(_ sample: Sample, within limit: Duration = .seconds(60)) async throws -> Bool {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            let status = try await post(sample).status
            if status == 202 { return true }
            #expect(status == 503)
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }
}
