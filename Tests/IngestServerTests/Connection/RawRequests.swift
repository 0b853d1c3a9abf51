import CensusStore
import Testing

@testable import IngestServer

/// Bytes that clients, proxies and attackers send, and the responses that RFC 9112 requires.
@Suite(.serialized, .server) struct `Raw requests` {
    enum End {
        /// The next request on the connection is answered.
        case stays
        case ends
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: String
        let statuses: [Int]
        let end: End

        /// - Parameter bytes: `KEY` stands for the authorization, `JSON` for a batch, and `LENGTH` for its length.
        init(_ name: String, _ bytes: String, _ statuses: [Int], _ end: End = .stays) {
            (testDescription, self.bytes, self.statuses, self.end) = (name, bytes, statuses, end)
        }
    }

    private static let live = "GET /livez HTTP/1.1\r\nHost: x\r\n"
    private static let post = "POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nKEY"

    static let all: [Case] = [
        // Targets and methods.
        Case("the form for proxies", "GET http://x/livez HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
        Case("the form for proxies, without a path", "GET http://x HTTP/1.1\r\nHost: x\r\n\r\n", [303]),
        Case("a query", "GET /livez?a=b HTTP/1.1\r\nHost: x\r\n\r\n", [200]),
        Case("an asterisk", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", [404]),
        Case("another method", "PUT /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", [405]),
        Case("a method in lower case", "get /livez HTTP/1.1\r\nHost: x\r\n\r\n", [400], .ends),
        Case("an invented method", "FETCH /livez HTTP/1.1\r\nHost: x\r\n\r\n", [400], .ends),
        Case("a path with a space", "GET /live z HTTP/1.1\r\nHost: x\r\n\r\n", [400], .ends),
        // Versions.
        Case("HTTP/1.0", "GET /livez HTTP/1.0\r\n\r\n", [200], .ends),
        Case("HTTP/1.2, which speaks as 1.1", "GET /livez HTTP/1.2\r\nHost: x\r\n\r\n", [400], .ends),
        Case("HTTP/2.0", "GET /livez HTTP/2.0\r\nHost: x\r\n\r\n", [400], .ends),
        Case("no version", "GET /livez\r\n\r\n", [400], .ends),
        // Heads.
        Case("an empty line before it", "\r\n\(live)\r\n", [200]),
        Case("a header over two lines", "\(live)X: a\r\n b\r\n\r\n", [400], .ends),
        Case("a header without a name", "\(live): a\r\n\r\n", [400], .ends),
        Case("a header without a colon", "\(live)X\r\n\r\n", [400], .ends),
        Case("an empty value", "\(live)X:\r\n\r\n", [200]),
        Case("spaces around a value", "\(live)X: \t a \t\r\n\r\n", [200]),
        Case("bytes beyond ASCII in a value", "\(live)X: ü\r\n\r\n", [200]),
        Case("a control character in a value", "\(live)X: a\u{1}b\r\n\r\n", [400], .ends),
        Case("a bare return in a value", "\(live)X: a\rb\r\n\r\n", [400], .ends),
        Case("keep-alive, as HTTP/1.0 asks for it", "\(live)Connection: keep-alive\r\n\r\n", [200]),
        Case(
            "an upgrade", "\(live)Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n\r\n",
            [200], .ends),
        Case("a CONNECT", "CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n", [404], .ends),
        // Pipelines.
        Case("three at once", "\(live)\r\n\(live)\r\n\(live)\r\n", [200, 200, 200]),
        Case("a batch, and a request behind it", "\(post)Content-Length: LENGTH\r\n\r\nJSON\(live)\r\n", [202, 200]),
        Case(
            "two batches", "\(post)Content-Length: LENGTH\r\n\r\nJSON\(post)Content-Length: LENGTH\r\n\r\nJSON",
            [202, 202]),
        Case("the last one, and one behind it", "\(live)Connection: close\r\n\r\n\(live)\r\n", [200], .ends),
        Case("nonsense behind one", "\(live)\r\nnonsense\r\n\r\n", [200, 400], .ends),
        // Bodies.
        Case("a body of a GET", "\(live)Content-Length: 5\r\n\r\nhello", [200]),
        Case(
            "a length twice, the same", "\(post)Content-Length: LENGTH\r\nContent-Length: LENGTH\r\n\r\nJSON", [400],
            .ends),
        Case("a length with a sign", "\(post)Content-Length: +LENGTH\r\n\r\nJSON", [400], .ends),
        Case("a length in hexadecimal", "\(post)Content-Length: 0x10\r\n\r\nJSON", [400], .ends),
        Case("a length past our numbers", "\(post)Content-Length: 9223372036854775808\r\n\r\nJSON", [413], .ends),
        Case("a length of nothing", "\(post)Content-Length: 0\r\n\r\n", [400]),
        Case("one chunk", "\(post)Transfer-Encoding: chunked\r\n\r\nHEX\r\nJSON\r\n0\r\n\r\n", [202]),
        Case(
            "a chunk with an extension", "\(post)Transfer-Encoding: chunked\r\n\r\nHEX;a=b\r\nJSON\r\n0\r\n\r\n", [202]),
        Case("trailers", "\(post)Transfer-Encoding: chunked\r\n\r\nHEX\r\nJSON\r\n0\r\nX: a\r\n\r\n", [202]),
        Case("no chunk at all", "\(post)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", [400]),
        Case(
            "a chunk that is too short", "\(post)Transfer-Encoding: chunked\r\n\r\n1\r\nJSON\r\n0\r\n\r\n", [400], .ends
        ),
        Case(
            "chunks, and a request behind them",
            "\(post)Transfer-Encoding: chunked\r\n\r\nHEX\r\nJSON\r\n0\r\n\r\n\(live)\r\n", [202, 200]),
        Case("a coding that is refused", "\(post)Content-Encoding: br\r\nContent-Length: LENGTH\r\n\r\nJSON", [415]),
        Case(
            "no key, and the body", "POST /v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: LENGTH\r\n\r\nJSON", [401]),
        // Expectations.
        Case(
            "Expect, and the body at once", "\(post)Expect: 100-continue\r\nContent-Length: LENGTH\r\n\r\nJSON",
            [100, 202]),
        Case("Expect, and no body", "\(live)Expect: 100-continue\r\n\r\n", [200]),
    ]

    @Test(arguments: all) func `raw requests get the responses that RFC 9112 requires`(example: Case) async throws {
        let server = try server()
        let connection = try server.connect()
        let json = Sample(Sample.opened()).json
        let bytes = example.bytes.replacing("KEY", with: "Authorization: Bearer \(server.key.text)\r\n")
            .replacing("LENGTH", with: "\(json.utf8.count)").replacing("HEX", with: String(json.utf8.count, radix: 16))
            .replacing("JSON", with: json)
        try await connection.send(bytes)
        for status in example.statuses {
            let response = try await connection.response()
            #expect(response.status == status)
        }
        switch example.end {
        case .ends: #expect(try await connection.isEnded())
        case .stays:
            try await connection.send("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await connection.response().status == 200)
        }
    }

    @Test func `100 is sent before the body arrives, but not if the request is rejected`() async throws {
        let server = try server()
        let json = Array(Sample(Sample.opened()).json.utf8)
        let connection = try server.connect()
        var request = server.request(json, [("Expect", "100-continue")])
        request.body = []
        request.contentLength = "\(json.count)"
        for _ in 0..<2 {
            try await connection.send(request.bytes)
            #expect(try await connection.response().status == 100)
            try await connection.send(json)
            #expect(try await connection.response().status == 202)
        }
        request.headers.removeFirst()
        try await connection.send(request.bytes)
        #expect(try await connection.response().status == 401)
    }

    @Test(arguments: ["/livez", "/readyz"]) func `HEAD gets the same head as GET`(path: String) async throws {
        let connection = try server().connect()
        try await connection.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
        let whole = try await connection.response()
        try await connection.send("HEAD \(path) HTTP/1.1\r\nHost: x\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        let head = try await connection.response(toHead: true)
        #expect(head.status == whole.status)
        #expect(head.headers["content-length"] == "\(whole.body.count)")
        #expect(try await connection.response().status == 200)
    }

    @Test func `a client that has stopped sending gets its responses before the connection ends`() async throws {
        let server = try server()
        let connection = try server.connect()
        let batch = server.request(Array(Sample(Sample.opened()).json.utf8)).bytes
        try await connection.send(batch + RawRequest(method: "GET", path: "/readyz").bytes)
        connection.finishSending()
        #expect(try await connection.response().status == 202)
        #expect(try await connection.response().status == 200)
        #expect(try await connection.isEnded(within: .seconds(5)))
    }
}
