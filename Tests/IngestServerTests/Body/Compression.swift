import Testing

@Suite(.serialized, .server) struct `Compression` {
    private let gzip = ("Content-Encoding", "gzip")

    @Test(arguments: ["gzip", "GZIP", "x-gzip"]) func `a gzip body is accepted`(name: String) async throws {
        let server = try server()
        let sample = Sample(Sample.opened())
        #expect(try await server.post(Gzip.compress(Array(sample.json.utf8)), ("Content-Encoding", name)).status == 202)
        #expect(try await server.rows(of: sample) == 1)
    }

    @Test func `the encoding identity is accepted`() async throws {
        let server = try server()
        #expect(try await server.post(body, ("Content-Encoding", "identity")).status == 202)
    }

    @Test func `the error for undeclared gzip suggests the missing header`() async throws {
        let answer = try await server().post(Gzip.compress(body)).answer
        #expect(answer.code == "invalid_json")
        #expect(answer.message?.contains("send `Content-Encoding: gzip`") == true)
    }

    @Test(arguments: ["br", "gzip, gzip", "deflate", "zstd", "x"]) func `any other encoding gets 415`(
        name: String
    ) async throws {
        let server = try server()
        let response = try await server.post(Gzip.compress(Gzip.compress(body)), ("Content-Encoding", name))
        #expect(response.status == 415)
        #expect(try response.answer.code == "unsupported_encoding")
        #expect(try await server.accepts())
    }

    @Test func `an encoding given twice gets 415`() async throws {
        let server = try server()
        let response = try await server.post(Gzip.compress(Gzip.compress(body)), gzip, gzip)
        #expect(response.status == 415)
    }

    @Test func `gzip that is damaged, truncated, followed by other bytes or missing gets 400`() async throws {
        let server = try server()
        let good = Gzip.compress(body)
        var flipped = good
        flipped[good.count / 2] ^= 0x55
        var checksum = good
        checksum[good.count - 5] ^= 1
        let raw = Array(good.dropFirst(10).dropLast(8))
        let bodies = [
            flipped, checksum, raw, good + [0], good + Array("{}".utf8), Array(good.dropFirst()), body, [],
            [0x1F, 0x8B], Array(good.prefix(10)),
        ]
        for (number, bytes) in bodies.enumerated() {
            let response = try await server.post(bytes, gzip)
            #expect(response.status == 400, "body \(number)")
            #expect(try response.answer.code == "invalid_gzip", "body \(number)")
        }
        #expect(try await server.accepts())
    }

    @Test func `gzip cut at any byte gets 400`() async throws {
        let server = try server()
        let good = Gzip.compress(body)
        let connection = try server.connect()
        for end in stride(from: 0, to: good.count, by: 3) {
            try await connection.send(server.request(Array(good[..<end]), [gzip]).bytes)
            #expect(try await connection.response().status == 400, "cut at \(end)")
        }
    }

    @Test func `damage to a single byte never causes a 5xx`() async throws {
        let server = try server()
        let good = Gzip.compress(body)
        let connection = try server.connect()
        for position in good.indices {
            var damaged = good
            damaged[position] = damaged[position] &+ UInt8.random(in: 1...255)
            try await connection.send(server.request(damaged, [gzip]).bytes)
            // Some header bytes don't affect the content.
            let status = try await connection.response().status
            #expect([202, 400, 403, 413, 422].contains(status), "\(status) for \(damaged[position]) at \(position)")
        }
    }

    @Test func `several gzip members form one body`() async throws {
        let server = try server()
        let sample = Sample(Sample.opened())
        let json = Array(sample.json.utf8)
        for size in [1, 7, json.count / 2] {
            let members = stride(from: 0, to: json.count, by: size).flatMap { start in
                Gzip.compress(Array(json[start..<min(start + size, json.count)]))
            }
            #expect(try await server.post(members, gzip).status == 202)
        }
        #expect(try await server.rows(of: sample) == 1)
        #expect(try await server.post(Gzip.compress([]) + Gzip.compress(json) + Gzip.compress([]), gzip).status == 202)
    }

    @Test func `several members are limited by what they hold together`() async throws {
        let server = try server()
        let half = Gzip.compress([UInt8](repeating: UInt8(ascii: " "), count: 4 << 20))
        let rest = Array(Sample(Sample.opened()).json.utf8)
        #expect(try await server.post(half + half + Gzip.compress(rest), gzip).status == 413)
        let fill = Gzip.compress([UInt8](repeating: UInt8(ascii: " "), count: (4 << 20) - rest.count))
        #expect(try await server.post(half + fill + Gzip.compress(rest), gzip).status == 202)
        #expect(try await server.post(half + Array(half.dropLast()), gzip).status == 400)
    }

    @Test func `a megabyte of empty members is read within two seconds`() async throws {
        let server = try server()
        let empty = Gzip.compress([])
        let start = ContinuousClock.now
        let body = [[UInt8]](repeating: empty, count: (1 << 20) / empty.count).flatMap { $0 }
        #expect(try await server.post(body, gzip).status == 400)
        #expect(ContinuousClock.now - start < .seconds(2))
    }

    @Test func `gzip inside gzip is unpacked only once`() async throws {
        let server = try server()
        let response = try await server.post(Gzip.compress(Gzip.compress(body)), gzip)
        #expect(response.status == 400)
        #expect(try response.answer.code == "invalid_json")
    }

    @Test func `a bomb gets 413, and takes no more memory than the limit allows`() async throws {
        let server = try server()
        let bomb = Gzip.compress([UInt8](repeating: UInt8(ascii: " "), count: 50 << 20))
        #expect(bomb.count < 60_000)
        let alone = try await server.post(bomb, ("Content-Encoding", "gzip"))
        #expect(alone.status == 413)
        #expect(try alone.answer.code == "body_too_large")
        try ProcessMemory.resetPeak()
        let before = try ProcessMemory.peak()
        try await withThrowingTaskGroup(of: RawResponse.self) { group in
            for _ in 0..<16 {
                group.addTask { try await server.post(bomb, ("Content-Encoding", "gzip")) }
            }
            for try await response in group {
                // Some are turned away: they are more than may wait, and more than the key's rate allows.
                #expect([413, 429, 503].contains(response.status))
            }
        }
        // Inflated, all 16 take 800 MiB. Other suites run at the same time.
        #expect(try ProcessMemory.peak() - before < 200)
        #expect(try await isAcceptedSoon(server))
    }

    /// The bombs have used up the key's rate.
    private func isAcceptedSoon(_ server: IngestTestServer) async throws -> Bool {
        for _ in 0..<100 {
            if try await server.accepts() { return true }
            try await Task.sleep(for: .milliseconds(100))
        }
        return false
    }

    private var body: [UInt8] { Array(Sample(Sample.opened()).json.utf8) }
}
