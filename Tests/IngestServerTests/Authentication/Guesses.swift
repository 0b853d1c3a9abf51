import CensusStore
import Testing

/// Without a key nobody must make the store work.
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
                        // The sessions were just ended: the first reading may meet that.
                        let status = try await stranger.post(Sample(Sample.opened())).status
                        #expect(status == 403 || status == 503)
                    }
                }
            }
            try await group.waitForAll()
        }
        let seconds = Int((ContinuousClock.now - start).components.seconds) + 1
        let reads = try await server.reads(of: "api_key") - before
        // Ten a second for guesses, and one every five seconds by itself.
        #expect((1...(11 * seconds + 2)).contains(reads), "\(reads) in \(seconds) s, for 400 keys")
    }

    @Test func `a client that guesses one key after another gets ten responses a second`() async throws {
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
                // Known keys are served in the meantime.
                #expect(try await server.accepts())
                let waiting = """
                    select count(*) from pg_stat_activity
                    where wait_event_type = 'Lock' and datname = current_database()
                    """
                let count = try await server.number(waiting)
                // And the reading that comes by itself.
                #expect(count <= 2)
                try await group.waitForAll()
            }
        }
        #expect(try await server.accepts())
    }
}
