import CensusStore
import Testing

/// A whole request has a deadline, here two seconds, so an endless request can't hold a connection forever.
@Suite(.serialized, .server(deadline: .seconds(2))) struct `Slow bodies` {
    @Test(arguments: [true, false]) func `a body that stalls gets 408, and its connection ends`(
        isChunked: Bool
    ) async throws {
        let server = try server()
        let sample = Sample(Sample.opened())
        let connection = try await stalled(sample, isChunked: isChunked, server)
        let response = try await connection.response()
        #expect(response.status == 408)
        #expect(try response.answer.code == "too_slow")
        #expect(try await connection.isEnded())
        #expect(try await server.rows(of: sample) == 0)
    }

    @Test func `a body that arrives a byte at a time gets 408, and its connection ends`() async throws {
        let server = try server()
        let connection = try await stalled(Sample(Sample.opened()), server)
        let drip = Drip(on: connection)
        try await drip.run()
        #expect(drip.response?.status == 408)
        #expect(drip.isEnded)
    }

    @Test(arguments: ["no key", "another type", "too large", "another path"])
    func `a rejected request cannot go on sending its body forever`(reason: String) async throws {
        let server = try server()
        var request = server.request([])
        request.contentLength = "100000"
        switch reason {
        case "no key": request.headers.removeFirst()
        case "another type": request.headers.removeLast()
        case "too large": request.contentLength = "100000000"
        default: request.path = "/nowhere"
        }
        let connection = try server.connect()
        try await connection.send(request.bytes)
        let drip = Drip(on: connection)
        try await drip.run()
        let status = try #require(drip.response?.status)
        #expect([401, 404, 413, 415].contains(status))
        #expect(drip.isEnded)
    }

    @Test(arguments: ["1000", "100000"])
    func `a body that was rejected while it arrived gets one response, and the connection ends`(length: String)
        async throws
    {
        let server = try server()
        var request = server.request([])
        request.headers.removeFirst()
        request.contentLength = length
        let connection = try server.connect()
        try await connection.send(request.bytes)
        #expect(try await connection.response().status == 401)
        let rest = try await connection.rest(within: .seconds(5))
        #expect(rest.isEmpty, "a second response to one request: \(String(decoding: rest, as: UTF8.self))")
    }

    @Test(arguments: ["GET /", "POST /v1/events HTTP/1.1\r\nHost: x\r\nX: "])
    func `a head that arrives byte by byte ends at the deadline, before a silent connection does`(
        start: String
    ) async throws {
        let server = try server()
        let connection = try server.connect()
        try await Task.sleep(for: .milliseconds(500))
        let begun = ContinuousClock.now
        try await connection.send(start)
        let drip = Drip(on: connection, byte: "x")
        try await drip.run()
        #expect(drip.isEnded)
        let taken = ContinuousClock.now - begun
        #expect(taken > .seconds(1) && taken < .seconds(4), "\(taken)")
    }

    @Test func `a slow head and its slow body share one deadline`() async throws {
        let server = try server()
        let connection = try server.connect()
        let begun = ContinuousClock.now
        try await connection.send("POST /v1/events HTTP/1.1\r\nHost: x\r\n")
        try await Task.sleep(for: .seconds(1.2))
        try await connection.send(
            "Authorization: Bearer \(server.key.text)\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n")
        #expect(try await connection.response().status == 408)
        let taken = ContinuousClock.now - begun
        #expect(taken < .seconds(3.1), "a body with a deadline of its own takes 3.2 s: \(taken)")
    }

    @Test func `a slow head that arrives in time gets a response, and so does the next request`() async throws {
        let server = try server()
        let connection = try server.connect()
        for _ in 0..<2 {
            try await connection.send("GET /livez HTT")
            try await Task.sleep(for: .seconds(1.2))
            try await connection.send("P/1.1\r\nHost: x\r\n\r\n")
            #expect(try await connection.response().status == 200)
        }
        try await Task.sleep(for: .seconds(3))
        try await connection.send(RawRequest(method: "GET", path: "/livez").bytes)
        #expect(try await connection.response().status == 200)
    }

    @Test func `slow senders do not delay others`() async throws {
        let server = try server()
        var connections: [RawConnection] = []
        for _ in 0..<200 { connections.append(try await stalled(Sample(Sample.opened()), server)) }
        let start = ContinuousClock.now
        #expect(try await server.accepts())
        #expect(ContinuousClock.now - start < .seconds(5))
        for connection in connections { #expect(try await connection.response().status == 408) }
    }

    @Test func `a request on a connection that was idle has its own deadline`() async throws {
        let server = try server()
        let connection = try server.connect()
        for _ in 0..<2 {
            try await connection.send(server.request(Array(Sample(Sample.opened()).json.utf8)).bytes)
            #expect(try await connection.response().status == 202)
            try await Task.sleep(for: .seconds(3))
        }
        try await connection.send(RawRequest(method: "GET", path: "/livez").bytes)
        #expect(try await connection.response().status == 200)
    }

    private func stalled(
        _ sample: Sample, isChunked: Bool = false, _ server: IngestTestServer
    ) async throws -> RawConnection {
        var request = server.request(Array(sample.json.utf8))
        request.contentLength = "\(request.body.count + 1_000)"
        if isChunked {
            request.headers.append(("Transfer-Encoding", "chunked"))
            request.contentLength = ""
            request.body = Array("\(String(request.body.count, radix: 16))\r\n".utf8) + request.body
        }
        let connection = try server.connect()
        try await connection.send(request.bytes)
        return connection
    }
}

/// Sends a byte ten times a second until the server ends the connection.
final class Drip {
    private let connection: RawConnection
    private(set) var response: RawResponse?
    private(set) var isEnded = false

    private let byte: String

    init(on connection: RawConnection, byte: String = " ") {
        self.connection = connection
        self.byte = byte
    }

    func run() async throws {
        for _ in 0..<100 where !isEnded {
            do {
                try await connection.send(byte)
                if response == nil {
                    response = try await connection.response(within: .milliseconds(100))
                } else {
                    isEnded = try await connection.isEnded(within: .milliseconds(100))
                }
            } catch RawConnection.Failure.closed {
                isEnded = true
            } catch RawConnection.Failure.silent {
                continue
            }
        }
    }
}
