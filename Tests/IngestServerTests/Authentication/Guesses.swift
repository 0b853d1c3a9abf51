import CensusStore
import Testing

/// Requests without a valid key must cost the store almost nothing.
@Suite(.serialized, .server) struct `Guesses` {
    @Test func `unknown keys make the store read its keys ten times a second, however many they are`() async throws {
        let server = try server()
        let before = try await server.reads(of: "api_key")
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    var stranger = server
                    for _ in 0..<8 {
                        stranger.key = Key(role: .write)
                        // `reads(of:)` just ended the sessions, so the first read might fail.
                        let status = try await stranger.post(Sample(Sample.opened())).status
                        #expect(status == 403 || status == 503)
                    }
                }
            }
            try await group.waitForAll()
        }
        let seconds = Int((ContinuousClock.now - start).components.seconds) + 1
        let reads = try await server.reads(of: "api_key") - before
        // Ten a second for guesses, and the regular one every five seconds.
        #expect((1...(11 * seconds + 2)).contains(reads), "\(reads) in \(seconds) s, for 400 keys")
    }

    @Test func `a client that guesses keys on one connection gets at most ten responses a second`() async throws {
        let server = try server()
        #expect(try await server.accepts())
        let start = ContinuousClock.now
        let connection = try server.connect()
        for _ in 0..<20 {
            var stranger = server
            stranger.key = Key(role: .write)
            try await connection.send(stranger.request(Array("{}".utf8)).bytes)
            #expect(try await connection.response().status == 403)
        }
        #expect(ContinuousClock.now - start > .seconds(1.8))
    }

    @Test func `while keys can't be read, guesses take one connection and get 503 in time`() async throws {
        let server = try server()
        #expect(try await server.accepts())
        try await server.locked("api_key", seconds: 6) { _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        var stranger = server
                        stranger.key = Key(role: .write)
                        let start = ContinuousClock.now
                        let status = try await stranger.post(Sample(Sample.opened())).status
                        #expect(status == 503)
                        #expect(ContinuousClock.now - start < .seconds(4.5))
                    }
                }
                try await Task.sleep(for: .seconds(1))
                // Meanwhile known keys are served.
                #expect(try await server.accepts())
                let waiting = """
                    select count(*) from pg_stat_activity
                    where wait_event_type = 'Lock' and datname = current_database()
                    """
                let count = try await server.number(waiting)
                // One read for the guesses, and the regular one.
                #expect(count <= 2)
                try await group.waitForAll()
            }
        }
        #expect(try await server.accepts())
    }
}
