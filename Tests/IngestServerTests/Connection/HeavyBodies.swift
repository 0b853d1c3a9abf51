import CensusStore
import IngestServer
import Testing

/// Small bodies that need much work. Only their own key pays for it.
@Suite(.serialized, .server) struct `Heavy bodies` {
    /// A valid batch of about 8 KB that inflates to nearly 8 MiB, most of it an unknown field.
    private func bomb(_ sample: Sample) -> [UInt8] {
        var sample = sample
        sample.more = #","ignored":[\#(String(repeating: "0,", count: 4_100_000))0]"#
        return Gzip.compress(Array(sample.json.utf8))
    }

    @Test func `while one key's large bodies are decoded others get responses, and so does each of its own`()
        async throws
    {
        let server = try server()
        var loud = server
        loud.key = try await IngestTestServer.addApp("com.example.loud", to: server.store)
        var sample = Sample(Sample.opened())
        sample.app = "com.example.loud"
        let (attacker, body) = (loud, bomb(sample))
        let answers = try await withThrowingTaskGroup(of: RawResponse?.self) { group in
            for _ in 0..<30 {
                group.addTask { try await attacker.post(body, ("Content-Encoding", "gzip")) }
            }
            group.addTask {
                for _ in 0..<15 {
                    let begun = ContinuousClock.now
                    #expect(try await server.accepts())
                    #expect(try await server.get("/livez").status == 200)
                    // Each body takes longer in an unoptimized build.
                    #expect(ContinuousClock.now - begun < .seconds(5))
                    try await Task.sleep(for: .milliseconds(50))
                }
                return nil
            }
            return try await group.reduce(into: [RawResponse]()) { if let response = $1 { $0.append(response) } }
        }
        let statuses = answers.map(\.status)
        #expect(statuses.count == 30 && statuses.allSatisfy { [202, 429, 503].contains($0) }, "\(statuses)")
        #expect(statuses.contains(202))
        #expect(statuses.contains(503), "thirty at once are more than may wait")
        for answer in answers where answer.status != 202 { #expect(answer.headers["retry-after"] != nil) }
        #expect(try await server.scrape()[#"widget_census_turned_away_total{reason="line"}"#] > 0)
    }

    @Test func `two keys that send large bodies take turns`() async throws {
        let server = try server()
        var two: [IngestTestServer] = []
        for number in 0..<2 {
            var sender = server
            sender.key = try await IngestTestServer.addApp("com.example.turn\(number)", to: server.store)
            two.append(sender)
        }
        let senders = two
        let taken = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for number in [0, 0, 0, 0, 0, 0, 1] {
                group.addTask {
                    var sample = Sample(Sample.opened())
                    sample.app = "com.example.turn\(number)"
                    sample.more = #","ignored":"\#(String(repeating: "x", count: 300_000))""#
                    return (number, try await senders[number].post(sample).status)
                }
            }
            return try await group.reduce(into: [[Int](), []]) { $0[$1.0].append($1.1) }
        }
        #expect(taken[1] == [202], "\(taken)")
        #expect(taken[0].allSatisfy { $0 == 202 || $0 == 503 } && taken[0].contains(202))
    }

    @Test func `a large batch is accepted or rejected like a small one, compressed or not`() async throws {
        let server = try server()
        var sample = Sample()
        sample.events = (0..<1_000).map { Sample.opened(id: "\($0)", more: #","configuration":"\#($0)""#) } + []
        sample.events[7] = "17"
        #expect(sample.json.utf8.count > 100_000)
        let answer = try await server.post(Gzip.compress(Array(sample.json.utf8)), ("Content-Encoding", "gzip"))
        #expect(answer.status == 202)
        #expect(try answer.answer.accepted == 999)
        #expect(try answer.answer.rejected?.map(\.index) == [7])
        #expect(try await server.rows(of: sample) == 999)
        #expect(try await server.refusals(of: sample) == ["unknown_type"])
        #expect(try await server.post(sample).answer.accepted == 999)
        sample.app = "com.example.another"
        #expect(try await server.post(sample).answer.code == "wrong_app")
        #expect(try await server.post(sample.json + "x").answer.code == "invalid_json")
    }
}
