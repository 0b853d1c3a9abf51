import IngestServer
import Testing

/// At most 32 connections. The server waits longer here than a phone would. On a busy machine the first request would
/// otherwise get its response, and make room, before the last connection arrives.
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
                // To make room for the last, the server closes a connection whose request it hasn't read yet.
                try await Task.sleep(for: .milliseconds(number < 29 ? 10 : 250))
            }
            // The kernel has accepted these, but the server hasn't. It accepts a few of them together.
            for _ in 0..<20 {
                let connection = try server.connect()
                try await connection.send(RawRequest(method: "GET", path: "/livez").bytes)
                late.append(connection)
            }
            await #expect("the server accepted every connection") {
                _ = try await late[19].response(within: .milliseconds(300))
            } throws: {
                if case RawConnection.Failure.silent = $0 { true } else { false }
            }
        }
        for connection in busy { #expect([202, 503].contains(try await connection.response().status)) }
        // The server accepts them together while all others are busy, so one stays and the rest are closed.
        var cut = 0
        for connection in late {
            do {
                #expect(try await connection.response().status == 200)
            } catch RawConnection.Failure.closed {
                cut += 1
            }
        }
        // NIO accepts up to 16 at once, and checks our limit only before that.
        #expect(cut < 16, "\(cut) of 20 were accepted and got no response")
        let scrape = try await server.scrape()
        #expect(scrape["widget_census_connections_max"] == 32)
        #expect((1...40).contains(scrape["widget_census_connections"]))
        #expect(scrape["widget_census_connections_full_total"] >= 1)
        #expect(scrape["widget_census_accept_errors_total"] == 0)
    }
}
