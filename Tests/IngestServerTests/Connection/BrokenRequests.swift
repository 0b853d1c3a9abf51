import Testing

/// Requests that aren't HTTP, or contradict themselves. They get 400 or a closed connection, and the server goes on.
@Suite(.serialized, .server) struct `Broken requests` {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]

        init(_ name: String, _ head: String, _ more: [UInt8] = []) {
            testDescription = name
            bytes = Array(head.utf8) + more
        }
    }

    private static let post = "POST /v1/events HTTP/1.1\r\nHost: x\r\n"

    static let all: [Case] = [
        Case("a header of 17 KB", post + "X: \(String(repeating: "x", count: 17_000))\r\n\r\n"),
        Case("a header of 100 KB", post + "X: \(String(repeating: "x", count: 100_000))\r\n\r\n"),
        Case("120 headers", post + (0..<120).map { "X-\($0): 1\r\n" }.joined() + "\r\n"),
        Case("1,500 headers", post + (0..<1_500).map { "X-\($0): 1\r\n" }.joined() + "\r\n"),
        Case("Content-Length and chunked", post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Case("two lengths", post + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
        Case("a length below zero", post + "Content-Length: -1\r\n\r\n"),
        Case("a length that is no number", post + "Content-Length: five\r\n\r\nhello"),
        Case("a length beyond 64 bits", post + "Content-Length: 99999999999999999999999\r\n\r\n"),
        Case("chunks of no size", post + "Transfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n"),
        Case("a chunk beyond 64 bits", post + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nhello"),
        Case("a space before the colon", post + "X : 1\r\n\r\n"),
        Case("a NUL in a header", post + "X: a\0b\r\n\r\n"),
        Case("a TLS hello", "", [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3] + [UInt8](repeating: 0xA5, count: 500)),
        Case("HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        Case("no HTTP", "hello there\r\n\r\n"),
        Case("zeros", "", [UInt8](repeating: 0, count: 4_096)),
    ]

    @Test(arguments: all) func `nonsense gets 400 or a closed connection, and other clients are served`(example: Case)
        async throws
    {
        let server = try server()
        let connection = try server.connect()
        do {
            try await connection.send(example.bytes)
            let response = try await connection.response()
            // The server responds to a readable head before it reads the body.
            #expect([400, 401, 431].contains(response.status))
            #expect(try await connection.isEnded())
        } catch RawConnection.Failure.closed {
            // A closed connection is fine, too.
        }
        #expect(try await server.accepts())
    }

    @Test func `a body is not read past its declared length, and the rest is not a request`() async throws {
        let server = try server()
        let sample = Sample(Sample.opened())
        var request = server.request(Array(sample.json.utf8))
        request.contentLength = "\(request.body.count - 1)"
        let connection = try server.connect()
        try await connection.send(request.bytes)
        #expect(try await connection.response().status == 400)
        #expect(try await connection.isEnded())
        #expect(try await server.rows(of: sample) == 0)
        #expect(try await server.accepts())
    }

    @Test func `a complete batch is stored despite garbage after it`() async throws {
        let server = try server()
        let sample = Sample(Sample.opened())
        let connection = try server.connect()
        try await connection.send(server.request(Array(sample.json.utf8)).bytes + Array("garbage\r\n\r\n".utf8))
        #expect(try await connection.response().status == 202)
        #expect(try await connection.isEnded())
        #expect(try await server.rows(of: sample) == 1)
    }

    @Test(arguments: [true, false]) func `a body that the sender cuts short is not stored`(
        isChunked: Bool
    ) async throws {
        let server = try server()
        let sample = Sample(Sample.opened())
        // The JSON is complete, but the body is not.
        let json = Array(sample.json.utf8)
        var request = server.request(json, isChunked ? [("Transfer-Encoding", "chunked")] : [])
        request.contentLength = isChunked ? "" : "\(json.count + 1)"
        if isChunked { request.body = Array("\(String(json.count, radix: 16))\r\n".utf8) + json + Array("\r\n".utf8) }
        let connection = try server.connect()
        try await connection.send(request.bytes)
        connection.finishSending()
        do {
            #expect(try await connection.response().status == 400)
        } catch RawConnection.Failure.closed {
            // A closed connection is fine, too.
        }
        #expect(try await connection.isEnded())
        #expect(try await server.rows(of: sample) == 0)
        #expect(try await server.accepts())
    }

    @Test func `a client that disconnects during its request does no harm`() async throws {
        let server = try server()
        let sample = Sample(Sample.opened())
        let bytes = server.request(Array(sample.json.utf8)).bytes
        for end in stride(from: 0, through: bytes.count, by: 40) {
            let connection = try server.connect()
            try await connection.send(Array(bytes[..<end]))
        }
        #expect(try await server.accepts())
        #expect(try await server.rows(of: sample) <= 1)
    }

    @Test func `a request with Expect: 100-continue gets 202, at the latest after its body`() async throws {
        let server = try server()
        let connection = try server.connect()
        let request = server.request(Array(Sample(Sample.opened()).json.utf8), [("Expect", "100-continue")])
        try await connection.send(request.bytes)
        var response = try await connection.response()
        if response.status == 100 { response = try await connection.response() }
        #expect(response.status == 202)
    }

    @Test func `a client that waits for 100 and is rejected gets Connection: close`() async throws {
        let server = try server()
        let connection = try server.connect()
        try await connection.send(
            "POST /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer none\r\nExpect: 100-continue\r\n"
                + "Content-Length: 9\r\n\r\n")
        let response = try await connection.response()
        #expect(response.status == 403)
        #expect(response.headers["connection"] == "close")
        #expect(try await connection.isEnded())
    }
}
