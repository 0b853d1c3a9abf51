import CensusCore
import IngestServer
import PostgresTesting
import Testing

/// A server with 64 connections. Silent clients once held all of them, and kept every other client out.
@Suite(
    .serialized,
    .server {
        $0.connections = ConnectionLimit(maximum: 64)
        $0.limits.requestDeadline = .seconds(60)
    })
struct `Full servers` {
    enum Waiting: String, CaseIterable {
        case `for a request`, `for the rest of a head`, `for the next request`
        case `for the rest of a body`, `for the rest of a body that was answered`
    }

    @Test(arguments: Waiting.allCases)
    func `new clients are served beside any number of connections that wait for their clients`(waiting: Waiting)
        async throws
    {
        let server = try server()
        let before = try await server.scrape()
        var held: [RawConnection] = []
        for number in 0..<150 {
            let connection = try server.connect()
            try await begin(waiting, connection, server)
            held.append(connection)
            if number.isMultiple(of: 25) { #expect(try await isServed(server), "after \(number)") }
        }
        // The server might not have accepted the latest ones yet.
        let cut = "widget_census_connections_cut_total"
        #expect(try await eventually(within: .seconds(1)) { try await server.scrape()[cut] - before[cut] >= 150 - 64 })
        // These have waited longest.
        #expect(try await held[0].isEnded(within: .seconds(1)))
        #expect(try await held[80].isEnded(within: .seconds(1)))
        held.removeAll()
        try await isEmpty(server)
    }

    @Test func `a client that does not read its responses counts as waiting, and is closed first`() async throws {
        let server = try server()
        let connection = try server.connect()
        connection.takeLittle()
        // More responses than the kernel buffers.
        let count = 400
        try await connection.send((0..<count).flatMap { _ in RawRequest(method: "GET", path: "/metrics").bytes })
        try await isStuck(server)
        var silent = try (0..<100).map { _ in try server.connect() }
        #expect(try await isServed(server))
        // Buffered responses arrive in small pieces, for about ten seconds.
        let answers = try await connection.rest()
        #expect(answers.count > 10_000 && answers.count < count * 10_000, "\(answers.count) bytes")
        silent.removeAll()
        try await isEmpty(server)
    }

    @Test func `requests in progress get their responses, however many silent clients connect`() async throws {
        let server = try server()
        #expect(try await server.accepts())
        var busy: [RawConnection] = []
        var silent: [RawConnection] = []
        try await server.locked("observation", seconds: 2) { _ in
            for _ in 0..<30 {
                let connection = try server.connect()
                try await connection.send(server.request(Array(Sample(Sample.opened()).json.utf8)).bytes)
                busy.append(connection)
            }
            try await Task.sleep(for: .milliseconds(200))
            for _ in 0..<200 { silent.append(try server.connect()) }
            #expect(try await server.get("/livez").status == 200)
        }
        for connection in busy { #expect([202, 503].contains(try await connection.response().status)) }
        busy.removeAll()
        silent.removeAll()
        try await isEmpty(server)
    }

    private func begin(_ waiting: Waiting, _ connection: RawConnection, _ server: IngestTestServer) async throws {
        var request = server.request(Array(Sample(Sample.opened()).json.utf8))
        request.contentLength = "\(request.body.count + 1)"
        switch waiting {
        case .`for a request`: break
        case .`for the rest of a head`: try await connection.send("POST /v1/events HTTP/1.1\r\nHost: x\r\nX-Half: ")
        case .`for the next request`:
            try await connection.send(RawRequest(method: "GET", path: "/livez").bytes)
            #expect(try await connection.response().status == 200)
        case .`for the rest of a body`: try await connection.send(request.bytes)
        case .`for the rest of a body that was answered`:
            request.headers.removeFirst()
            try await connection.send(request.bytes)
            #expect(try await connection.response().status == 401)
        }
    }

    private func isServed(_ server: IngestTestServer) async throws -> Bool {
        let begun = ContinuousClock.now
        let (isAccepted, status) = (try await server.accepts(), try await server.get("/livez").status)
        return isAccepted && status == 200 && ContinuousClock.now - begun < .seconds(5)
    }

    /// Waits until the server sends no more responses, on a machine of any speed.
    private func isStuck(_ server: IngestTestServer) async throws {
        let answered = #"widget_census_http_requests_total{route="metrics",status="200"}"#
        var before = Double.infinity
        let isStuck = try await eventually {
            let now = try await server.scrape()[answered]
            defer { before = now }
            // Each scrape adds one.
            if now == before + 1 { return true }
            try await Task.sleep(for: .seconds(1))
            return false
        }
        try #require(isStuck)
    }

    /// Waits until the server has room for the next test.
    private func isEmpty(_ server: IngestTestServer) async throws {
        for _ in 0..<200 {
            if try await server.scrape()["widget_census_connections"] <= 5 { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("the connections of this test stay")
    }
}

@Suite(.serialized, .server { $0.connections = ConnectionLimit(maximum: 64) }) struct `Log of a full server` {
    @Test func `a flood of connections logs one line`() async throws {
        let server = try server()
        var held = try (0..<200).map { _ in try server.connect() }
        #expect(try await server.get("/livez").status == 200)
        let lines = server.logs.text.split(separator: "\n")
            .filter { $0.hasPrefix("error connections are closed to make room for others") }
        #expect(lines.count == 1)
        held.removeAll()
    }
}
