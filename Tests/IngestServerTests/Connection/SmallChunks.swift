import CensusStore
import Testing

@testable import IngestServer

/// Requests that cost more to parse than to send.
@Suite(.serialized, .server) struct `SmallChunks` {
    private let live = "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"
    private let ready = "GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func `too many pipelined requests get some responses, and the connection ends`() async throws {
        let server = try server()
        let connection = try server.connect()
        try await connection.send(String(repeating: ready, count: 400))
        var answers: [RawResponse] = []
        while answers.last?.headers["connection"] != "close" { answers.append(try await connection.response()) }
        #expect(answers.allSatisfy { $0.status == 200 })
        #expect(answers.count >= ConnectionState.mostAtOnce && answers.count < 400)
        #expect(try await connection.isEnded())
        #expect(try await server.accepts())
    }

    @Test func `many pipelined requests that are answered at once get all their responses`() async throws {
        let connection = try server().connect()
        try await connection.send(String(repeating: live, count: 400))
        for _ in 0..<400 { #expect(try await connection.response().status == 200) }
    }

    @Test func `as many pipelined requests as are allowed get all their responses, again and again`() async throws {
        let connection = try server().connect()
        for _ in 0..<20 {
            try await connection.send(String(repeating: ready, count: ConnectionState.mostAtOnce))
            for _ in 0..<ConnectionState.mostAtOnce {
                let response = try await connection.response()
                #expect(response.status == 200)
                #expect(response.headers["connection"] == nil)
            }
        }
    }

    @Test func `a body in tiny chunks that was rejected unread is not discarded to its end`() async throws {
        let server = try server()
        let connection = try server.connect()
        try await connection.send(head(authorization: ""))
        #expect(try await connection.response().status == 401)
        try await connection.send(String(repeating: "1\r\n[\r\n", count: 300))
        #expect(try await connection.isEnded())
        #expect(try await server.accepts())
    }

    @Test func `a body in tiny chunks is not read to its end`() async throws {
        let server = try server()
        let connection = try server.connect()
        // A valid body without its last chunk.
        let json = Sample(Sample.opened()).json + String(repeating: " ", count: 2_000)
        let crumbs = json.utf8.map { "1\r\n\(Character(Unicode.Scalar($0)))\r\n" }.joined()
        try await connection.send(head(authorization: "Authorization: Bearer \(server.key.text)\r\n") + crumbs)
        #expect(try await connection.response().status == 400)
        #expect(try await connection.isEnded())
        #expect(try await server.accepts())
    }

    @Test func `a body in small chunks is accepted`() async throws {
        let server = try server()
        let connection = try server.connect()
        let bytes = Array((Sample(Sample.opened()).json + String(repeating: " ", count: 60_000)).utf8)
        let chunks = stride(from: 0, to: bytes.count, by: 40).map { start in
            let piece = bytes[start..<min(start + 40, bytes.count)]
            return String(piece.count, radix: 16) + "\r\n" + String(decoding: piece, as: UTF8.self) + "\r\n"
        }
        try await connection.send(
            head(authorization: "Authorization: Bearer \(server.key.text)\r\n") + chunks.joined() + "0\r\n\r\n" + live)
        #expect(try await connection.response().status == 202)
        #expect(try await connection.response().status == 200)
    }

    private func head(authorization: String) -> String {
        "POST /v1/events HTTP/1.1\r\nHost: x\r\n\(authorization)Content-Type: application/json\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n"
    }
}
