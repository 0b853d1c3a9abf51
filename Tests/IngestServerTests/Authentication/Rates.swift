import CensusStore
import Testing

@testable import IngestServer

/// The limits of one key: here 2 requests, 100 events and 1 MiB a second, with bursts of two seconds' worth.
@Suite(.serialized, .server { $0.rates = RateLimits(requests: 2, events: 100, kibibytes: 1_024) }) struct `Rates` {
    @Test func `requests over the rate get 429 with the time to wait, and nothing of them is stored`() async throws {
        var server = try server()
        server.key = try await key("com.example.requests")
        var sample = Sample(Sample.opened())
        sample.app = "com.example.requests"
        let template = sample
        let sender = server
        let refused: [RawResponse] = try await withThrowingTaskGroup(of: RawResponse?.self) { group in
            for number in 0..<40 {
                group.addTask {
                    var sample = template
                    sample.events = [Sample.opened(id: "\(number)")]
                    let response = try await sender.post(sample)
                    if response.status == 429 { return response }
                    #expect(response.status == 202)
                    return nil
                }
            }
            return try await group.reduce(into: []) { if let response = $1 { $0.append(response) } }
        }
        #expect(refused.count > 10)
        let answer = try #require(refused.first).answer
        #expect(answer.code == "rate_limited")
        #expect(answer.message?.isEmpty == false)
        #expect(refused.allSatisfy { Int($0.headers["retry-after"] ?? "") == 1 })
        #expect(try await server.rows(of: sample) == 40 - refused.count)
        try await Task.sleep(for: .seconds(1))
        #expect(try await server.accepts(sample))
    }

    @Test func `events over the rate are accepted whole, and the next batch waits until they are paid`() async throws {
        var server = try server()
        server.key = try await key("com.example.events")
        var sample = Sample()
        sample.app = "com.example.events"
        sample.events = (0..<400).map { Sample.opened(id: "\($0)") }
        #expect(try await server.post(sample).answer.accepted == 400)
        let response = try await server.post(sample)
        #expect(response.status == 429)
        // A burst of 200, then 100 a second.
        let wait = try #require(Int(response.headers["retry-after"] ?? ""))
        #expect((1...3).contains(wait))
        try await Task.sleep(for: .seconds(wait))
        #expect(try await server.post(sample).status == 202)
    }

    @Test func `processor time of large bodies is charged, and bodies of another key are accepted`() throws {
        let limiter = RateLimiter(RateLimits())
        let (key, other, now) = (KeyHash([1]), KeyHash([2]), ContinuousClock.now)
        try limiter.admit(key, now: now)
        // The burst is one second.
        limiter.charge(key, processor: .milliseconds(900), now: now)
        try limiter.check(key, now: now)
        limiter.charge(key, processor: .milliseconds(1_100), now: now)
        #expect(throws: Problem.self) { try limiter.check(key, now: now) }
        #expect(throws: Problem.self) { try limiter.admit(key, now: now + .seconds(1)) }
        try limiter.admit(other, now: now)
        try limiter.check(other, now: now)
        try limiter.admit(key, now: now + .seconds(3))
    }

    @Test func `a report counts as many events as it lists widgets`() async throws {
        var server = try server()
        server.key = try await key("com.example.widgets")
        var sample = Sample(Sample.reported())
        sample.app = "com.example.widgets"
        let widgets = (0..<400).map { #"{"kind":"k\#($0)"}"# }.joined(separator: ",")
        sample.events = [Sample.reported().replacing("[]", with: "[\(widgets)]")]
        #expect(try await server.post(sample).answer.accepted == 1)
        let response = try await server.post(sample)
        #expect(response.status == 429)
        #expect((1...3).contains(try #require(Int(response.headers["retry-after"] ?? ""))))
    }

    @Test func `bytes are charged inflated, whatever they contain`() async throws {
        var server = try server()
        server.key = try await key("com.example.bytes")
        // The server rejects it at its first byte, so the key can't pay its debt during parsing.
        let nonsense = [UInt8](repeating: UInt8(ascii: "x"), count: 7 << 20)
        #expect(try await server.post(Gzip.compress(nonsense), ("Content-Encoding", "gzip")).status == 400)
        let response = try await server.post(Sample(Sample.opened()))
        #expect(response.status == 429)
        // A burst of 2 MiB, then 1 MiB a second.
        #expect((1...6).contains(try #require(Int(response.headers["retry-after"] ?? ""))))
    }

    @Test func `one key's load does not affect another key`() async throws {
        let quiet = try server()
        var noisy = quiet
        noisy.key = try await key("com.example.noisy")
        let loud = noisy
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let connection = try loud.connect()
                    for _ in 0..<40 {
                        try await connection.send(loud.request(Array("{}".utf8)).bytes)
                        let status = try await connection.response().status
                        #expect(status == 400 || status == 429)
                    }
                }
            }
            for _ in 0..<4 { #expect(try await quiet.accepts()) }
            try await group.waitForAll()
        }
    }

    @Test func `requests for gallery policies count toward the rate`() async throws {
        let server = try server()
        let key = try await key("com.example.gallery")
        let connection = try server.connect()
        var statuses: Set<Int> = []
        for _ in 0..<30 {
            let request = RawRequest(
                method: "GET", path: "/v1/gallery-policy", headers: [("Authorization", "Bearer \(key.text)")])
            try await connection.send(request.bytes)
            statuses.insert(try await connection.response().status)
        }
        #expect(statuses == [200, 429])
    }

    @Test func `a rate of 0 means no limit`() async throws {
        var options = ServerOptions()
        options.rates = .none
        try await IngestTestServer.open(options: options) { server in
            let connection = try server.connect()
            for _ in 0..<2_500 {
                try await connection.send(server.request(Array("{}".utf8)).bytes)
                let status = try await connection.response().status
                #expect(status == 400)
            }
        }
    }

    private func key(_ app: String) async throws -> Key {
        try await IngestTestServer.addApp(app, to: try server().store)
    }
}
