import Testing

/// A body has two limits, on the wire and inflated. Tests try one byte below, the limit itself, and one byte above.
@Suite(.serialized, .server) struct `Body sizes` {
    private static let wire = 1 << 20
    private static let inflated = 8 << 20

    /// A valid batch of exactly this size, padded with spaces.
    private func body(_ size: Int) -> [UInt8] {
        let json = Array(Sample(Sample.opened()).json.utf8)
        return json + [UInt8](repeating: UInt8(ascii: " "), count: size - json.count)
    }

    @Test(arguments: [wire - 1, wire]) func `a body of 1 MiB on the wire is accepted`(size: Int) async throws {
        let server = try server()
        #expect(try await server.post(body(size)).status == 202)
        #expect(try await server.send(chunked(body(size), server)).status == 202)
    }

    @Test func `one byte more gets 413`() async throws {
        let server = try server()
        for request in [server.request(body(Self.wire + 1)), chunked(body(Self.wire + 1), server)] {
            let response = try await server.send(request)
            #expect(response.status == 413)
            #expect(try response.answer.code == "body_too_large")
            #expect(try response.answer.pointer == "")
        }
    }

    @Test(arguments: [inflated - 1, inflated]) func `a body that inflates to 8 MiB is accepted`(size: Int) async throws
    {
        let server = try server()
        #expect(try await server.post(Gzip.compress(body(size)), ("Content-Encoding", "gzip")).status == 202)
    }

    @Test func `a body that inflates to one byte more gets 413`() async throws {
        let server = try server()
        let response = try await server.post(Gzip.compress(body(Self.inflated + 1)), ("Content-Encoding", "gzip"))
        #expect(response.status == 413)
        #expect(try response.answer.code == "body_too_large")
    }

    @Test func `a connection stays usable after 413`() async throws {
        let server = try server()
        let connection = try server.connect()
        for request in [server.request(body(Self.wire + 1)), chunked(body(10 * Self.wire), server)] {
            try await connection.send(request.bytes)
            #expect(try await connection.response().status == 413)
        }
        try await connection.send(server.request(body(1_000)).bytes)
        #expect(try await connection.response().status == 202)
    }

    @Test func `a body that arrives in pieces, but on time, is accepted`() async throws {
        let server = try server()
        let connection = try server.connect()
        let bytes = server.request(Array(Sample(Sample.opened()).json.utf8)).bytes
        for start in stride(from: 0, to: bytes.count, by: 64) {
            try await connection.send(Array(bytes[start..<min(start + 64, bytes.count)]))
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(try await connection.response().status == 202)
    }

    @Test func `1,000 events are accepted, and 1,001 get 413 as a whole`() async throws {
        let server = try server()
        var sample = Sample()
        sample.events = (1...1_000).map { Sample.opened(id: "\($0)") }
        #expect(try await server.post(sample).answer == Answer(accepted: 1_000, rejected: []))
        #expect(try await server.rows(of: sample) == 1_000)
        var larger = Sample()
        larger.events = sample.events + [Sample.opened()]
        let response = try await server.post(larger)
        #expect(response.status == 413)
        #expect(try response.answer.code == "too_many_events")
        #expect(try response.answer.pointer == "/events")
        #expect(try await server.rows(of: larger) == 0)
    }

    @Test func `1,000 widgets in a report are accepted, and 1,001 are rejected`() async throws {
        let server = try server()
        let kinds = [String](repeating: #"{"kind":"weather"}"#, count: 1_001)
        func report(_ count: Int) -> String {
            Sample.reported(id: "\(count)").replacing(
                "[]", with: "[" + kinds.prefix(count).joined(separator: ",") + "]")
        }
        let answer = try await server.post(Sample(report(1_000), report(1_001))).answer
        #expect(answer.accepted == 1)
        #expect(answer.rejected?.map(\.code) == ["invalid_report"])
    }

    private func chunked(_ body: [UInt8], _ server: IngestTestServer) -> RawRequest {
        var request = server.request([], [("Transfer-Encoding", "chunked")])
        request.contentLength = ""
        for start in stride(from: 0, to: body.count, by: 50_000) {
            let piece = body[start..<min(start + 50_000, body.count)]
            request.body += Array((String(piece.count, radix: 16) + "\r\n").utf8) + piece + Array("\r\n".utf8)
        }
        request.body += Array("0\r\n\r\n".utf8)
        return request
    }
}
