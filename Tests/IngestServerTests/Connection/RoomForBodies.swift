import CensusStore
import IngestServer
import Testing

/// All bodies together may take 4 MiB here, and the bodies of one key 2 MiB.
@Suite(
    .serialized,
    .server {
        $0.admission.bytes = 4 << 20
        $0.admission.bytesPerKey = 2 << 20
    })
struct `Room for bodies` {
    private static let size = 1 << 20

    @Test(arguments: [true, false])
    func `a body for which there is no memory gets 503 unread, and its end is waited for`(
        isChunked: Bool
    ) async throws {
        let server = try server()
        let other = try await key("com.example.other")
        var held: [(connection: RawConnection, end: [UInt8])] = []
        for _ in 0..<2 { held.append(try await withheld(server, isChunked: isChunked)) }
        try await isReserved(isChunked ? 2 * Self.size / 2 : 2 * Self.size, server)
        let third = try await withheld(server, isChunked: false)
        let response = try await third.connection.response()
        #expect(response.status == 503)
        #expect(try response.answer.code == "overloaded")
        #expect(response.headers["retry-after"] == "2")
        // Only this key is at its limit. Another key has its own share.
        var stranger = server
        stranger.key = other
        var sample = Sample(Sample.opened())
        sample.app = "com.example.other"
        #expect(try await stranger.accepts(sample))
        #expect(try await server.get("/livez").status == 200)
        // The server discards the rejected body, and the connection is usable again.
        for (connection, end) in held {
            try await connection.send(end)
            #expect(try await connection.response().status == 202)
        }
        try await third.connection.send(third.end)
        try await third.connection.send(server.request(Array(Sample(Sample.opened()).json.utf8)).bytes)
        #expect(try await third.connection.response().status == 202)
        try await isReserved(0, server)
    }

    @Test func `a body that never arrives releases its memory when its connection ends`() async throws {
        let server = try server()
        for _ in 0..<6 {
            let held = try await withheld(server, isChunked: false)
            try await isReserved(Self.size, server)
            held.connection.finishSending()
            _ = try await held.connection.isEnded()
            try await isReserved(0, server)
        }
        #expect(try await server.accepts())
    }

    @Test func `many bodies that hold back their last byte take no memory`() async throws {
        let server = try server()
        try ProcessMemory.resetPeak()
        let before = try ProcessMemory.peak()
        // The kernel buffers a part of each, and the sender keeps the rest.
        let request = server.request(body)
        let connections = try (0..<150).map { _ in try server.connect() }
        for connection in connections { try await connection.send(Array(request.bytes.prefix(Self.size / 16))) }
        for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(50))
            #expect(try await server.get("/livez").status == 200)
        }
        #expect(try ProcessMemory.peak() - before < 80, "150 MiB are on their way")
    }

    @Test func `bodies of sizes around the read-ahead limit are accepted, one after the other`() async throws {
        let server = try server()
        let connection = try server.connect()
        let json = Array(Sample(Sample.opened()).json.utf8)
        for size in [json.count, 8_191, 8_192, 8_193, 16_384, 16_385, 40_000, 200_000, 8_193, 500, 100_000] {
            let body = json + [UInt8](repeating: UInt8(ascii: " "), count: size - json.count)
            try await connection.send(server.request(body).bytes)
            #expect(try await connection.response().status == 202, "\(size) bytes")
        }
    }

    @Test func `pipelined large bodies, rejected and accepted, get responses in order`() async throws {
        let server = try server()
        var refused = server.request(body)
        refused.headers.removeFirst()
        var small = server.request(Array(Sample(Sample.opened()).json.utf8))
        small.headers.append(("Request-Id", "small"))
        let connection = try server.connect()
        let bytes =
            refused.bytes + server.request(body).bytes + small.bytes + refused.bytes + server.request(body).bytes
        try await connection.send(bytes)
        for status in [401, 202, 202, 401, 202] { #expect(try await connection.response().status == status) }
    }

    private var body: [UInt8] {
        let json = Array(Sample(Sample.opened()).json.utf8)
        return json + [UInt8](repeating: UInt8(ascii: " "), count: Self.size - json.count)
    }

    /// Sends a batch without its end, and returns that end.
    private func withheld(
        _ server: IngestTestServer, isChunked: Bool
    ) async throws -> (connection: RawConnection, end: [UInt8]) {
        var request = server.request(body)
        if isChunked {
            request.headers.append(("Transfer-Encoding", "chunked"))
            request.contentLength = ""
            request.body = Array("\(String(Self.size, radix: 16))\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8)
        }
        let connection = try server.connect()
        let bytes = request.bytes
        try await connection.send(Array(bytes.dropLast(8)))
        return (connection, Array(bytes.suffix(8)))
    }

    /// Waits until at least this much is reserved. For 0, until nothing is.
    private func isReserved(_ bytes: Int, _ server: IngestTestServer) async throws {
        for _ in 0..<200 {
            let reserved = try await server.scrape()["widget_census_request_bytes"]
            if bytes == 0 ? reserved == 0 : reserved >= Double(bytes) { return }
            try await Task.sleep(for: .milliseconds(25))
        }
        Issue.record("never \(bytes) bytes reserved")
    }

    private func key(_ app: String) async throws -> Key {
        let store = try server().store
        do { return try await IngestTestServer.addApp(app, to: store) } catch {
            return try await store.keys.add(app: app, role: .write)
        }
    }
}
