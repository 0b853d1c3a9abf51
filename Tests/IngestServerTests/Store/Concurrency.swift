import IngestServer
import Testing

/// Every batch that gets 202 is in the database once, with many senders at once. The server waits longer here than a
/// phone would, because a busy machine turns batches away.
@Suite(
    .serialized,
    .server {
        $0.patience.commit = .seconds(25)
        $0.patience.turn = .seconds(20)
        $0.patience.question = .seconds(20)
    }) struct `Concurrency`
{
    @Test func `64 senders with 20 batches each get only 202, and each event is stored once`() async throws {
        let server = try server()
        let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
            for sender in 0..<64 {
                group.addTask {
                    let connection = try server.connect()
                    var accepted = 0
                    for batch in 0..<20 {
                        let sample = Sample(
                            Sample.opened(id: "\(sender)-\(batch)-a"), "null", Sample.opened(id: "\(sender)-\(batch)-b")
                        )
                        try await connection.send(server.request(Array(sample.json.utf8)).bytes)
                        let response = try await connection.response()
                        #expect(response.status == 202)
                        accepted += try response.answer.accepted ?? 0
                    }
                    return accepted
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(accepted == 64 * 20 * 2)
        #expect(try await server.rows() == accepted)
        let events = "select count(distinct (event_id, device_id)) from census.observation"
        #expect(try await server.number(events) == accepted)
        #expect(try await server.number("select count(*) from census.refused") == 64 * 20)
        #expect(try await server.number("select count(distinct device_id) from census.pending_device") == 64 * 20)
    }

    @Test func `a batch sent ten times at once is stored once`() async throws {
        let server = try server()
        for _ in 0..<20 {
            var sample = Sample("null")
            sample.events += (0..<50).map { Sample.opened(id: "\($0)") }
            let copy = sample
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        let response = try await server.post(copy)
                        #expect(response.status == 202)
                        #expect(try response.answer.accepted == 50)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await server.rows(of: sample) == 50)
            #expect(try await server.refusals(of: sample) == ["unknown_type"])
        }
    }

    @Test func `concurrent batches with the same events and new names in opposite orders are accepted`() async throws {
        let server = try server()
        for round in 0..<10 {
            var samples = [Sample(), Sample(), Sample()]
            for index in samples.indices { samples[index].events = (0..<200).map { Sample.opened(id: "\($0)") } }
            let all = samples
            try await withThrowingTaskGroup(of: [Int].self) { group in
                for turn in 0..<12 {
                    group.addTask { try await send(all, turn: turn, round: round, to: server) }
                }
                for try await statuses in group { #expect(statuses == [202, 202, 202]) }
            }
            for sample in samples { #expect(try await server.rows(of: sample) == 200 + 12 * 10) }
        }
    }

    /// Every other turn reverses the order. Each round adds new kinds.
    private func send(_ samples: [Sample], turn: Int, round: Int, to server: IngestTestServer) async throws -> [Int] {
        let isReversed = turn.isMultiple(of: 2)
        var statuses: [Int] = []
        for var sample in isReversed ? samples.reversed() : samples {
            if isReversed { sample.events.reverse() }
            sample.events += (0..<10).map { Sample.opened("kind-\(round)-\($0)", id: "\(turn)-\($0)") }.shuffled()
            statuses.append(try await server.post(sample).status)
        }
        return statuses
    }
}
