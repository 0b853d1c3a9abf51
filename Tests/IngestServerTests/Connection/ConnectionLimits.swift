import IngestServer
import Testing

/// Eight connections at once, and no more.
@Suite(.serialized, .door { $0.connections = ConnectionRoom(maximum: 8) }) struct `Connection limits` {
    @Test func `one past the maximum waits outside until another goes, and that is counted`() async throws {
        let door = try door()
        var connections: [RawConnection] = []
        for _ in 0..<8 {
            let connection = try door.connect()
            try await connection.send(RawRequest(method: "GET", path: "/livez").bytes)
            #expect(try await connection.response().status == 200)
            connections.append(connection)
        }
        // The system takes it, and nobody here has it yet. A few are let in together.
        var late = try (0..<20).map { _ in try door.connect() }
        for connection in late { try await connection.send(RawRequest(method: "GET", path: "/livez").bytes) }
        try await connections[0].send(RawRequest(method: "GET", path: "/metrics").bytes)
        let scrape = try Scrape(try await connections[0].response().text)
        #expect(scrape["widget_census_connections_max"] == 8)
        #expect((8...16).contains(scrape["widget_census_connections"]))
        #expect(scrape["widget_census_connections_full_total"] >= 1)
        #expect(scrape["widget_census_accept_errors_total"] == 0)
        connections.removeAll()
        // In the order of their coming; each one goes when it is answered, else the others wait until it was idle for too long.
        while !late.isEmpty {
            #expect(try await late.removeFirst().response().status == 200)
        }
    }
}
