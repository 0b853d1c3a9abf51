import CensusStore
import Testing

/// While a session locks a table, requests that need it get 503 in time, and all others are served.
@Suite(.serialized, .server) struct `Locks` {
    @Test func `while observations are locked every batch gets 503 within three seconds, however many arrive`()
        async throws
    {
        let server = try server()
        #expect(try await server.accepts())
        // The machine's time for a response that needs no store is added to the limit.
        var idle: Duration = .zero
        let taken = try await server.locked("observation", seconds: 8) { until in
            try await withThrowingTaskGroup(of: Duration.self) { group in
                var number = 0
                while ContinuousClock.now < until - .seconds(4) {
                    number += 1
                    // Every other batch has a rejected event, which needs a transaction.
                    let sample = number.isMultiple(of: 2) ? Sample(Sample.opened()) : Sample(Sample.opened(), "17")
                    group.addTask { try await time(of: server.request(Array(sample.json.utf8)), server) }
                    let start = ContinuousClock.now
                    #expect(try await server.get("/livez").status == 200)
                    idle = max(idle, ContinuousClock.now - start)
                    try await Task.sleep(for: .milliseconds(50))
                }
                return try await group.reduce(into: [Duration]()) { $0.append($1) }
            }
        }
        #expect(taken.count > 5)
        let slowest = try #require(taken.max())
        #expect(slowest < .seconds(3) + idle * 3, "\(slowest), \(idle) when idle")
        #expect(try await server.isAcceptedSoon(Sample(Sample.opened())))
    }

    @Test
    func `while observations are locked a device is told to show everything, and the general policy is available`()
        async throws
    {
        let server = try await server().withKinds()
        // Each of the first requests may take two seconds.
        try await server.locked("observation", seconds: 11) { until in
            var taken: [Duration] = []
            while ContinuousClock.now < until - .seconds(1), taken.count < 12 {
                let start = ContinuousClock.now
                let policy = try await server.devicePolicy("a device")
                taken.append(ContinuousClock.now - start)
                #expect(policy.kinds["legacy"] == "show")
                #expect(policy.reasons?["legacy"] == "policy_stale")
                #expect(policy.stale == true)
            }
            #expect(taken.allSatisfy { $0 < .seconds(3) })
            // Three requests wait for the store, and then one a second does.
            #expect(taken.count > 6 && taken.sorted()[taken.count / 2] < .seconds(1), "\(taken)")
            #expect(try await server.policy().decoded(as: `Gallery policies`.Policy.self).stale == nil)
        }
    }

    @Test func `while names are locked every batch with a new name gets 503 in time, and all others get 202`()
        async throws
    {
        let server = try server()
        #expect(try await server.accepts())
        try await server.locked("known_name", seconds: 6) { _ in
            let taken = try await withThrowingTaskGroup(of: Duration.self) { group in
                for number in 0..<20 {
                    let sample = Sample(Sample.opened("new-kind-\(number)"))
                    group.addTask { try await time(of: server.request(Array(sample.json.utf8)), server) }
                }
                #expect(try await server.accepts())
                return try await group.reduce(into: [Duration]()) { $0.append($1) }
            }
            let slowest = try #require(taken.max())
            #expect(slowest < .seconds(3), "\(slowest)")
        }
        #expect(try await server.isAcceptedSoon(Sample(Sample.opened("new-kind-0"))))
    }

    /// How long a request takes to get 503.
    private func time(of request: RawRequest, _ server: IngestTestServer) async throws -> Duration {
        let start = ContinuousClock.now
        let response = try await server.send(request)
        #expect(response.status == 503)
        #expect(response.headers["retry-after"] != nil)
        return ContinuousClock.now - start
    }
}
