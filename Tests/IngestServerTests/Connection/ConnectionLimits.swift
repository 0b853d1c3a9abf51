import IngestServer
import Testing

/// 32 connections at once, and no more. With more patience than a phone has: on a busy machine the first of them would be answered,
/// and make room, before the last is there.
@Suite(
    .serialized,
    .server {
        $0.connections = ConnectionLimit(maximum: 32)
        $0.patience.commit = .seconds(25)
        $0.patience.turn = .seconds(20)
    })
struct `Connection limits` {
    @Test func `a connection past the maximum waits to be accepted until another ends, and is counted`() async throws {
        let server = try server()
        #expect(try await server.accepts())
        var busy: [RawConnection] = []
        var late: [RawConnection] = []
        try await server.locked("observation", seconds: 3) { _ in
            for number in 1...32 {
                let connection = try server.connect()
                try await connection.send(server.request(Array(Sample(Sample.opened()).json.utf8)).bytes)
                busy.append(connection)
                // One whose request was not read yet is closed to make room for the last.
                try await Task.sleep(for: .milliseconds(number < 29 ? 10 : 250))
            }
            // The kernel accepts them, and the server has not yet. A few are let in together.
            for _ in 0..<20 {
                let connection = try server.connect()
                try await connection.send(RawRequest(method: "GET", path: "/livez").bytes)
                late.append(connection)
            }
            await #expect("nobody was kept outside") {
                _ = try await late[19].response(within: .milliseconds(300))
            } throws: {
                if case RawConnection.Failure.silent = $0 { true } else { false }
            }
        }
        for connection in busy { #expect([202, 503].contains(try await connection.response().status)) }
        // They are let in together while all others are worked on: one stays, and the rest come again.
        var cut = 0
        for connection in late {
            do {
                #expect(try await connection.response().status == 200)
            } catch RawConnection.Failure.closed {
                cut += 1
            }
        }
        // NIO accepts up to 16 at once, and asks us before that alone.
        #expect(cut < 16, "\(cut) of 20 were let in and not answered")
        let scrape = try await server.scrape()
        #expect(scrape["widget_census_connections_max"] == 32)
        #expect((1...40).contains(scrape["widget_census_connections"]))
        #expect(scrape["widget_census_connections_full_total"] >= 1)
        #expect(scrape["widget_census_accept_errors_total"] == 0)
    }
}
