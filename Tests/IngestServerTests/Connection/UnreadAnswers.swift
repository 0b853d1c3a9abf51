import CensusStore
import PostgresTesting
import Synchronization
import Testing

@testable import IngestServer

/// Clients that send requests and read no responses. 1,900 of them, without a key, once took a gigabyte of memory.
@Suite(.serialized, .server(deadline: .seconds(3))) struct `Unread answers` {
    private static let document = RawRequest(method: "GET", path: "/openapi.json").bytes

    @Test func `unread responses with documents take almost no memory, however many connections there are`()
        async throws
    {
        let server = try server()
        #expect(try await server.get("/openapi.json").status == 200)
        try ProcessMemory.resetPeak()
        let before = try ProcessMemory.peak()
        var held: [RawConnection] = []
        for number in 0..<400 {
            let connection = try server.connect()
            connection.takeLittle()
            try await connection.send(Array(repeatElement(Self.document, count: 16).joined()))
            held.append(connection)
            if number.isMultiple(of: 100) { #expect(try await server.get("/livez").status == 200) }
        }
        for _ in 0..<20 {
            try await Task.sleep(for: .milliseconds(50))
            #expect(try await server.get("/livez").status == 200)
        }
        #expect(try ProcessMemory.peak() - before < 60, "400 connections have 16 responses each, of 82 KiB")
        held.removeAll()
    }

    @Test func `a client that reads nothing of its responses for the time of a request loses its connection`()
        async throws
    {
        let server = try server()
        let untaken = "widget_census_answers_untaken_total"
        let before = try await server.scrape()[untaken]
        let connection = try server.connect()
        connection.takeLittle()
        try await connection.send((0..<400).flatMap { _ in Self.document })
        #expect(try await eventually(within: .seconds(30)) { try await server.scrape()[untaken] == before + 1 })
        #expect(try await connection.isEnded())
    }

    @Test func `unread responses reserve memory of their key until they are read, and no longer`() async throws {
        let server = try server()
        let connection = try server.connect()
        connection.takeLittle()
        // Each has three bytes, and its rejection is forty times as long.
        let events = Array(repeating: "{}", count: 1_000)
        var sample = Sample()
        sample.events = events
        let request = server.request(Array(sample.json.utf8)).bytes
        try await connection.send((0..<15).flatMap { _ in request })
        let reserved = "widget_census_request_bytes"
        #expect(try await eventually { try await server.scrape()[reserved] > 50_000 })
        let first = try await connection.response()
        #expect(first.status == 422)
        #expect(try first.answer.rejected?.count == 1_000)
        for _ in 1..<15 { #expect(try await connection.response().body == first.body) }
        #expect(try await eventually { try await server.scrape()[reserved] == 0 })
    }

    @Test func `responses arrive whole even if the client reads slowly`() async throws {
        let server = try server()
        let whole = try await server.get("/openapi.json").body
        #expect(whole.count > 50_000)
        let connection = try server.connect()
        connection.takeLittle()
        for _ in 0..<8 { try await connection.send(Self.document) }
        try await Task.sleep(for: .milliseconds(500))
        for _ in 0..<8 { #expect(try await connection.response().body == whole) }
    }
}

/// A budget of 200 KiB for bodies and responses.
@Suite(
    .serialized,
    .server(deadline: .seconds(60)) {
        $0.admission.bytes = 200 << 10
        $0.admission.bytesPerKey = 150 << 10
    })
struct `Room for answers` {
    @Test func `a response that does not fit in memory becomes 503, and a stored batch is still acknowledged`()
        async throws
    {
        let server = try server()
        var sample = Sample(Sample.opened())
        sample.events += Array(repeating: "{}", count: 900)
        let request = server.request(Array(sample.json.utf8)).bytes
        var held: [RawConnection] = []
        let turnedAway = #"widget_census_turned_away_total{reason="room"}"#
        let before = try await server.scrape()[turnedAway]
        while try await server.scrape()[turnedAway] == before, held.count < 200 {
            let connection = try server.connect()
            connection.takeLittle()
            try await connection.send((0..<8).flatMap { _ in request })
            held.append(connection)
        }
        #expect(held.count < 200, "no request was turned away")
        for connection in held {
            connection.takeMuch()
            for _ in 0..<8 { #expect([202, 503].contains(try await connection.response().status)) }
        }
        #expect(try await server.accepts())
    }
}
