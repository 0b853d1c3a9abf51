import CensusStore
import Testing

/// Without a key nobody must make the store work.
@Suite(.serialized, .door) struct `Guesses` {
    @Test func `unknown keys make the store read its keys ten times a second, however many they are`() async throws {
        let door = try door()
        let before = try await door.reads(of: "api_key")
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    var stranger = door
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
        let reads = try await door.reads(of: "api_key") - before
        // Ten a second for guesses, and one every five seconds by itself.
        #expect((1...(11 * seconds + 2)).contains(reads), "\(reads) in \(seconds) s, for 400 keys")
    }

    @Test func `a sender that guesses one key after another gets ten answers a second`() async throws {
        let door = try door()
        #expect(try await door.accepts())
        let start = ContinuousClock.now
        let connection = try door.connect()
        for _ in 0..<20 {
            var stranger = door
            stranger.key = Key(role: .write)
            try await connection.send(stranger.request(Array("{}".utf8)).bytes)
            #expect(try await connection.response().status == 403)
        }
        #expect(ContinuousClock.now - start > .seconds(1.8))
    }

    @Test func `while the keys cannot be read, guesses take one connection and get 503 in time`() async throws {
        let door = try door()
        #expect(try await door.accepts())
        try await door.locked("api_key", seconds: 6) { _ in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        var stranger = door
                        stranger.key = Key(role: .write)
                        let start = ContinuousClock.now
                        let status = try await stranger.post(Sample(Sample.opened())).status
                        #expect(status == 503)
                        #expect(ContinuousClock.now - start < .seconds(4.5))
                    }
                }
                try await Task.sleep(for: .seconds(1))
                // Known keys are served in the meantime.
                #expect(try await door.accepts())
                let waiting = """
                    select count(*) from pg_stat_activity
                    where wait_event_type = 'Lock' and datname = current_database()
                    """
                let count = try await door.number(waiting)
                // And the reading that comes by itself.
                #expect(count <= 2)
                try await group.waitForAll()
            }
        }
        #expect(try await door.accepts())
    }
}
