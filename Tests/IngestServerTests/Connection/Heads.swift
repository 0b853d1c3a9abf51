import CensusStore
import NIOHTTP1
import Testing

@testable import IngestServer

@Suite(.serialized, .server) struct `Heads` {
    @Test(arguments: [
        "GET /livez HTTP/1.1\r\n\r\n", "GET /livez HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: a b/c?\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: a\r\nhOST: b\r\n\r\n", "GET /livez HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
        "POST /v1/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "POST /v1/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /v1/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
        "POST /v1/events HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ]) func `a head that HTTP forbids gets 400, and its connection ends`(head: String) async throws {
        let server = try server()
        let connection = try server.connect()
        try await connection.send(head)
        let response = try await connection.response()
        #expect(response.status == 400)
        #expect(response.headers["connection"] == "close")
        // The parser rejects some by itself, and sends no body.
        if !response.body.isEmpty {
            #expect(try response.answer.code == "broken_request")
            #expect(response.headers["request-id"] != nil)
        }
        #expect(try await connection.isEnded())
        #expect(try await server.accepts())
    }

    @Test(arguments: ["X: \(String(repeating: "x", count: 17_000))\r\n", (0..<120).map { "X-\($0): 1\r\n" }.joined()])
    func `a head that is too large gets 431`(fields: String) async throws {
        let server = try server()
        let connection = try server.connect()
        try await connection.send("POST /v1/events HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
        let response = try await connection.response()
        #expect(response.status == 431)
        #expect(try response.answer.code == "head_too_large")
        #expect(try await connection.isEnded())
    }

    @Test(arguments: [
        "GET /livez HTTP/1.0\r\n\r\n", "GET /livez HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: Close\r\n\r\n",
        "GET /livez HTTP/1.1\r\nHost: x\r\nConnection: te, close\r\n\r\n",
    ]) func `a client that expects the connection to close sees it closed`(head: String) async throws {
        let server = try server()
        let connection = try server.connect()
        let begun = ContinuousClock.now
        try await connection.send(head)
        let response = try await connection.response()
        #expect(response.status == 200)
        #expect(response.headers["connection"] == "close")
        #expect(try await connection.isEnded())
        #expect(ContinuousClock.now - begun < .seconds(10), "an idle connection ends after 20 s")
    }

    @Test func `a batch over HTTP/1.0 is accepted, and one that is rejected unread gets a response`() async throws {
        let server = try server()
        let json = Array(Sample(Sample.opened()).json.utf8)
        let head = "POST /v1/events HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: \(json.count)\r\n"
        for (more, status) in [("Authorization: Bearer \(server.key.text)\r\n", 202), ("", 401)] {
            let connection = try server.connect()
            try await connection.send(Array((head + more + "\r\n").utf8) + json)
            #expect(try await connection.response().status == status)
            #expect(try await connection.isEnded())
        }
    }

    @Test(arguments: [" ", "\t", " \t "]) func `whitespace around a header's value is ignored`(space: String)
        async throws
    {
        let server = try server()
        let connection = try server.connect()
        let json = Array(Sample(Sample.opened()).json.utf8)
        let fields = [
            ("Host", "localhost"), ("Content-Type", "application/json"), ("Content-Encoding", "identity"),
            ("Authorization", "Bearer \(server.key.text)"), ("Request-Id", "spaced"),
        ]
        let head = fields.map { "\($0.0):\(space)\($0.1)\(space)\r\n" }.joined()
        // The parser rejects a tab in this one.
        let length = "Content-Length: \(json.count) \r\n"
        try await connection.send(Array("POST /v1/events HTTP/1.1\r\n\(head)\(length)\r\n".utf8) + json)
        let response = try await connection.response()
        #expect(response.status == 202)
        #expect(response.headers["request-id"] == "spaced")
    }

    @Test func `only the last of several pipelined requests ends the connection`() async throws {
        let server = try server()
        let connection = try server.connect()
        let live = "GET /livez HTTP/1.1\r\nHost: x\r\n"
        try await connection.send("\(live)\r\n\(live)\r\n\(live)Connection: close\r\n\r\n")
        for expected in [nil, nil, "close"] {
            let response = try await connection.response()
            #expect(response.status == 200)
            #expect(response.headers["connection"] == expected)
        }
        #expect(try await connection.isEnded())
    }

    @Test func `the transfer encoding chunked is recognized in any letter case`() {
        for value in ["chunked", "Chunked", "CHUNKED"] {
            #expect(findings(.http1_1, ("Host", "x"), ("Transfer-Encoding", value)).fault == nil)
        }
        #expect(findings(.http1_1, ("Host", "")).fault == nil)
        #expect(findings(.http1_1, ("Hosts", "x")).fault == .noHost)
        #expect(findings(.http1_0).fault == nil)
        #expect(findings(.http1_1, ("Host", "x"), ("Connection", "keep-alive, closed")).closes == false)
    }

    private func findings(_ version: HTTPVersion, _ headers: (String, String)...) -> HeadFindings {
        HeadFindings(version: version, headers: headers.map { (name: $0.0, value: $0.1) })
    }
}
