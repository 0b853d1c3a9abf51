import CensusStore
import PostgresTesting
import Spool
import Testing

/// With a spool the server accepts batches while PostgreSQL is away.
@Suite(.serialized, .server(spoolLimit: 64 << 20)) struct `Spool failovers` {
    @Test func `while the store is away batches get 202 without a commit, and reach it soon after it returns`()
        async throws
    {
        let server = try server()
        #expect(try await server.accepts())
        try await server.allowConnections(false)
        let samples = (0..<20).map { _ in Sample(Sample.opened(), Sample.reported("weather")) }
        #expect(try await server.post(Sample(Sample.opened())).status == 202)
        let failures = try await server.scrape()["widget_census_commit_failures_total"]
        for sample in samples {
            #expect(try await server.post(sample).answer == Answer(accepted: 2, rejected: []))
        }
        #expect(
            try await server.scrape()["widget_census_commit_failures_total"] == failures,
            "the server tries no commit while it knows that the store is away")
        #expect(server.spool?.level.batches == 21)

        try await server.allowConnections(true)
        #expect(try await server.isDrainedSoon())
        for sample in samples { #expect(try await server.rows(of: sample) == 2) }
        #expect(server.logs.text.contains("the spool takes over from the store"))
        #expect(try await server.saysSoon("the spool has drained"))
        let direct = Sample(Sample.opened())
        #expect(try await server.post(direct).status == 202)
        #expect(try await server.rows(of: direct) == 1, "batches go to the store directly again")
    }

    @Test func `new names are spooled with their batch, and their caps hold`() async throws {
        var server = try server()
        _ = try await server.store.apps.add("com.example.names")
        var settings = AppSettings()
        settings.maximumKinds = 3
        try await server.store.apps.set("com.example.names", settings)
        server.key = try await server.store.keys.add(app: "com.example.names", role: .write)
        var sample = Sample(Sample.opened("a"))
        sample.app = "com.example.names"
        #expect(try await server.post(sample).status == 202)

        try await server.allowConnections(false)
        sample.version = "2.0"
        sample.events = [Sample.opened("b", id: "b"), Sample.opened("c", id: "c"), Sample.opened("d", id: "d")]
        let answer = try await server.post(sample).answer
        #expect(answer.accepted == 2)
        #expect(answer.rejected?.map(\.code) == ["too_many_kinds"])
        sample.events = [Sample.opened("e", id: "e")]
        #expect(try await server.post(sample).status == 422)
        try await server.allowConnections(true)
        #expect(try await server.isDrainedSoon())
        let names = try await server.sql(
            """
            select name from census.known_name join census.app using (app_number)
            where app_id = 'com.example.names' and dimension in ('kind', 'app_version')
            order by dimension, name
            """)
        #expect(names.split(separator: "\n") == ["1.0", "2.0", "a", "b", "c"])
        #expect(try await server.rows(of: sample) == 3)
        #expect(try await server.refusals(of: sample) == ["too_many_kinds", "too_many_kinds"])
        sample.events = [Sample.opened("f", id: "f")]
        #expect(try await server.post(sample).status == 422)
    }

    @Test func `an event sent before, during and after an outage is stored once`() async throws {
        let server = try server()
        let sample = Sample(Sample.opened())
        #expect(try await server.post(sample).status == 202)
        try await server.allowConnections(false)
        for _ in 0..<3 { #expect(try await server.post(sample).status == 202) }
        try await server.allowConnections(true)
        #expect(try await server.post(sample).status == 202)
        #expect(try await server.isDrainedSoon())
        #expect(try await server.rows(of: sample) == 1)
    }

    @Test func `metrics and readiness show the failover, and events count once they reach the store`() async throws {
        let server = try server()
        #expect(try await server.accepts())
        let before = try await server.scrape()
        #expect(before["widget_census_spool_limit_bytes"] == Double(64 << 20))
        #expect(
            try await server.get("/readyz").text
                == #"{"status":"ok","store":"up","spool":{"batches":0,"bytes":0,"limit":67108864}}"#)
        try await server.allowConnections(false)
        for _ in 0..<3 { #expect(try await server.accepts(Sample(Sample.opened(), Sample.readFailed()))) }
        let ready = try await server.get("/readyz")
        #expect(ready.status == 200)
        #expect(ready.text.hasPrefix(#"{"status":"ok","store":"away","spool":{"batches":3,"bytes":"#))
        let away = try await server.scrape()
        #expect(away["widget_census_spool_batches"] == 3)
        #expect(away["widget_census_spool_bytes"] > 3 * 128)
        #expect(away["widget_census_spooled_batches_total"] - before["widget_census_spooled_batches_total"] == 3)
        let stored = #"widget_census_events_total{outcome="stored"}"#
        #expect(away[stored] == before[stored])

        try await server.allowConnections(true)
        #expect(try await server.isDrainedSoon())
        let after = try await server.scrape()
        #expect(after["widget_census_spool_batches"] == 0)
        #expect(after["widget_census_spool_bytes"] == 0)
        #expect(
            after["widget_census_spool_drained_batches_total"] - before["widget_census_spool_drained_batches_total"]
                == 3)
        #expect(after[stored] - before[stored] == 6)
    }

    @Test func `repeated outages of the store cause no 503 and no loss`() async throws {
        let server = try server()
        #expect(try await server.accepts())
        let accepted = try await withThrowingTaskGroup(of: [String].self) { group in
            for sender in 0..<8 {
                group.addTask {
                    var accepted: [String] = []
                    for batch in 0..<60 {
                        let id = "gone-\(sender)-\(batch)"
                        let status = try await server.post(Sample(Sample.opened("kind-\(batch)", id: id))).status
                        #expect(status == 202)
                        if status == 202 { accepted.append(id) }
                        try await Task.sleep(for: .milliseconds(100))
                    }
                    return accepted
                }
            }
            group.addTask {
                for _ in 0..<4 {
                    try await server.allowConnections(false)
                    try await Task.sleep(for: .milliseconds(900))
                    try await server.allowConnections(true)
                    try await Task.sleep(for: .milliseconds(900))
                }
                return []
            }
            return try await group.reduce([], +)
        }
        #expect(accepted.count == 480)
        #expect(try await server.isDrainedSoon())
        let stored = try await server.sql("select event_id from census.observation where event_id like 'gone-%'")
        #expect(stored.split(separator: "\n").map(String.init).sorted() == accepted.sorted())
        #expect(!server.logs.text.contains("set aside"))
    }

    @Test func `a batch that waited too long for a locked table goes to the spool`() async throws {
        let server = try server()
        #expect(try await server.accepts())
        let samples = (0..<30).map { _ in Sample(Sample.opened()) }
        try await server.locked("observation", seconds: 8) { _ in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for sample in samples { group.addTask { try await server.post(sample).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == samples.map { _ in 202 })
            #expect(try await server.isLocked("observation"), "every batch got 202 before the table was unlocked")
        }
        #expect(try await server.isDrainedSoon())
        for sample in samples { #expect(try await server.rows(of: sample) == 1) }
    }

    @Test
    func `an erasure gets 503 while the store is away, and afterwards drops the device's spooled events, too`()
        async throws
    {
        let server = try server()
        let sample = Sample(Sample.opened(), Sample.reported("weather"))
        #expect(try await server.post(sample).status == 202)
        try await server.allowConnections(false)
        var late = sample
        late.events = [Sample.opened(id: "late")]
        #expect(try await server.post(late).status == 202)
        let request = RawRequest(
            method: "DELETE", path: "/v1/device",
            headers: [("Authorization", "Bearer \(server.key.text)"), ("Census-Device", sample.device)])
        #expect(try await server.send(request).status == 503)
        try await server.allowConnections(true)
        var status = 503
        let deadline = ContinuousClock.now + .seconds(15)
        while status == 503, ContinuousClock.now < deadline { status = try await server.send(request).status }
        #expect(status == 204)
        #expect(try await server.isDrainedSoon())
        #expect(try await server.rows(of: sample) == 0)
    }
}

extension IngestTestServer {
    /// Whether the log has a text, now or in a moment.
    func saysSoon(_ text: String) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if logs.text.contains(text) { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }
}
