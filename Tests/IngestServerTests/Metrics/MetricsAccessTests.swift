import Glibc
import IngestServer
import Testing

/// Metrics are for the operator. A request from another machine gets 404.
@Suite(.serialized) struct `Access to metrics` {
    @Test(arguments: [
        ("X-Forwarded-For", "203.0.113.9"), ("Forwarded", "for=203.0.113.9"), ("Via", "1.1 proxy"),
        ("X-Real-IP", "203.0.113.9"), ("x-forwarded-proto", "https"),
    ]) func `a request that a proxy passes on gets 404`(header: (String, String)) async throws {
        try await IngestTestServer.open { server in
            let response = try await server.get("/metrics", header)
            #expect(response.status == 404)
            #expect(try response.answer.code == "not_found")
            #expect(try await server.get("/metrics").status == 200)
        }
    }

    @Test func `a method other than GET gets 405 if the client can read metrics, and 404 otherwise`() async throws {
        try await IngestTestServer.open { server in
            for method in ["POST", "HEAD", "DELETE"] {
                var request = RawRequest(method: method, path: "/metrics")
                let response = try await server.send(request)
                #expect(response.status == 405)
                #expect(response.headers["allow"] == "GET")
                request.headers = [("X-Forwarded-For", "203.0.113.9")]
                #expect(try await server.send(request).status == 404)
            }
        }
    }

    @Test func `a peer on another address gets 404, unless metrics are open`() async throws {
        let address = try #require(RawConnection.ownAddress, "this machine has only its loopback")
        for (access, status) in [(MetricsAccess.local, 404), (.open, 200)] {
            var options = ServerOptions()
            options.metrics = access
            try await IngestTestServer.open(options: options, host: "0.0.0.0") { server in
                let connection = try RawConnection(port: server.port, address: address)
                try await connection.send(RawRequest(method: "GET", path: "/metrics").bytes)
                #expect(try await connection.response().status == status)
            }
        }
    }

    /// DNS rebinding can lead a browser on this machine here under a foreign name.
    @Test func `a request from this machine must name the host by address or as localhost`() async throws {
        try await IngestTestServer.open { server in
            for (host, status) in [
                ("localhost", 200), ("LOCALHOST:\(server.port)", 200), ("127.0.0.1", 200),
                ("127.0.0.1:\(server.port)", 200),
                ("[::1]:\(server.port)", 200), ("[::1]", 200), ("evil.example", 404),
                ("evil.example:\(server.port)", 404),
                ("localhost.evil.example", 404), ("127.0.0.1.evil.example", 404), ("127.0.0.1@evil.example", 404),
                ("[evil.example]", 404), ("", 404),
            ] {
                let response = try await server.send(RawRequest(method: "GET", path: "/metrics", host: host))
                #expect(response.status == status, "\(host)")
            }
        }
    }

    @Test func `a request through a proxy gets open metrics, and 404 if metrics are off`() async throws {
        for (access, status) in [(MetricsAccess.open, 200), (.off, 404)] {
            var options = ServerOptions()
            options.metrics = access
            try await IngestTestServer.open(options: options) { server in
                let response = try await server.get("/metrics", ("X-Forwarded-For", "203.0.113.9"))
                #expect(response.status == status)
            }
        }
    }
}
