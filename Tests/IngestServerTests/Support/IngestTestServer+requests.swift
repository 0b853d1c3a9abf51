import CensusStore

/// A request as bytes.
struct RawRequest {
    var method = "POST"
    var path = "/v1/events"
    var host = "localhost"
    /// In the order sent.
    var headers: [(String, String)] = []
    var body: [UInt8] = []
    /// Nil means the body's length. An empty text omits the header.
    var contentLength: String?

    var bytes: [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        let length = contentLength ?? (method == "GET" || method == "HEAD" ? "" : String(body.count))
        if !length.isEmpty { head += "Content-Length: \(length)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }
}

extension IngestTestServer {
    func connect() throws -> RawConnection { try RawConnection(port: port) }

    /// A valid request with this body.
    func request(_ body: [UInt8], _ more: [(String, String)] = []) -> RawRequest {
        RawRequest(
            headers: [("Authorization", "Bearer \(key.text)"), ("Content-Type", "application/json")] + more, body: body)
    }

    func send(_ request: RawRequest) async throws -> RawResponse {
        let connection = try connect()
        try await connection.send(request.bytes)
        return try await connection.response(toHead: request.method == "HEAD")
    }

    func post(_ body: [UInt8], _ more: (String, String)...) async throws -> RawResponse {
        try await send(request(body, more))
    }

    func post(_ body: String) async throws -> RawResponse { try await post(Array(body.utf8)) }

    func post(_ sample: Sample) async throws -> RawResponse { try await post(sample.json) }

    func get(_ path: String, _ headers: (String, String)...) async throws -> RawResponse {
        try await send(RawRequest(method: "GET", path: path, headers: headers))
    }

    /// Whether the server accepts a batch, for example after another client's attack.
    func accepts(_ sample: Sample = Sample(Sample.opened())) async throws -> Bool {
        try await post(sample).status == 202
    }
}
