import PostgresTesting
import Spool
import Testing

/// With a full spool the server answers 503, as without one. It loses nothing, and recovers by itself.
@Suite(.serialized, .server(spoolLimit: 60_000)) struct `Spool limits` {
    @Test func `a full spool answers 503 with the time to wait, and accepts batches again once it has drained`()
        async throws
    {
        let server = try server()
        #expect(try await server.accepts())
        try await server.allowConnections(false)
        var taken: [Sample] = []
        var refused = 0
        for _ in 0..<150 {
            let sample = Sample(Sample.opened(), Sample.reported("weather"))
            let response = try await server.post(sample)
            if response.status == 202 {
                taken.append(sample)
            } else {
                refused += 1
                #expect(response.status == 503)
                #expect(try response.answer.code == "store_away")
                #expect(Int(response.headers["retry-after"] ?? "") != nil)
            }
        }
        #expect(taken.count > 20 && refused > 20, "\(taken.count) accepted, \(refused) rejected")
        let level = try #require(server.spool?.level)
        #expect(level.bytes <= 60_000 && level.batches == taken.count)
        #expect(server.logs.text.ranges(of: "the spool is full").count == 1, "logged once for all rejected batches")
        let ready = try await server.get("/readyz")
        #expect(ready.status == 503)
        #expect(try ready.answer.message?.contains("spool is full") == true)
        #expect(ready.headers["retry-after"] != nil)
        #expect(try await server.scrape()["widget_census_spool_failures_total"] == Double(refused))

        try await server.allowConnections(true)
        #expect(try await server.isDrainedSoon())
        for sample in taken { #expect(try await server.rows(of: sample) == 2) }
        #expect(try await server.get("/readyz").status == 200)
        try await server.allowConnections(false)
        #expect(try await server.accepts())
        try await server.allowConnections(true)
        #expect(try await server.isDrainedSoon())
    }
}
