import EmbeddedPostgres
import Foundation
import PostgresTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `serve` with a spool, as an operator runs it.
@Suite struct `Serve with a spool` {
    @Test func `a node killed while PostgreSQL is away keeps accepted events, and stores them after its next start`()
        async throws
    {
        let (database, folder) = (try await TestDatabase.migrated(), TestFolder())
        var program = Program.onDatabase(database)
        program.environment["CENSUS_SPOOL_DIR"] = folder.path
        program.environment["CENSUS_SPOOL_BYTES"] = "64MiB"
        try await program.run("apps", "add", "com.example.weather")
        let key = try await program.run("keys", "add", "--app", "com.example.weather").output
        let first = try program.start(["serve", "--port", "0"])
        let server = try await RunningServer(of: first, key: key.trimmingCharacters(in: .whitespacesAndNewlines))
        #expect(try await server.post("before") == 202)
        try await database.allowConnections(false)
        for number in 0..<20 { #expect(try await server.post("event-\(number)") == 202) }
        kill(first.process.processIdentifier, SIGKILL)
        _ = await first.finished()

        let second = try program.start(["serve", "--port", "0"])
        #expect(await second.finished().status == 3, "it knows no key while PostgreSQL is away")
        try await database.allowConnections(true)
        let third = try program.start(["serve", "--port", "0"])
        #expect(try await third.says("the spool has drained"))
        let other = try program.start(["serve", "--port", "0"])
        let refused = await other.finished()
        #expect(refused.status == 74, "not that the store is away")
        #expect(refused.errors.contains("another process uses the spool in"))

        let next = try await RunningServer(of: third, key: server.key)
        try await database.allowConnections(false)
        #expect(try await next.post("after") == 202)
        kill(third.process.processIdentifier, SIGTERM)
        #expect(await third.finished().status == 0)
        try await database.allowConnections(true)
        let last = try program.start(["serve", "--port", "0"])
        #expect(try await last.says("the spool has drained"))
        kill(last.process.processIdentifier, SIGTERM)
        #expect(await last.finished().status == 0)
        let stored = try await TestServer.shared().query(
            "select count(*) from census.observation", database: database.name)
        #expect(stored.trimmingCharacters(in: .whitespacesAndNewlines) == "22")
    }

    @Test func `serve checks the spool's settings before it starts anything`() async throws {
        let folder = TestFolder()
        for (name, value, said) in [
            ("CENSUS_SPOOL_BYTES", "1GiB", "CENSUS_SPOOL_DIR is not"), ("CENSUS_SPOOL_DIR", "", "is empty"),
        ] {
            var program = Program(environment: [
                "DATABASE_URL": "host=/nowhere", "CENSUS_SECRET": "a secret of the tests",
            ])
            program.environment[name] = value
            let outcome = try await program.run("serve")
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains(said), "\(outcome.errors)")
        }
        for value in ["", "x", "1MiB", "-1", "1 GiB", "9999999999TiB", "1.5GiB"] {
            let program = Program(environment: ["CENSUS_SPOOL_DIR": folder.path, "CENSUS_SPOOL_BYTES": value])
            let outcome = try await program.run("serve")
            #expect(outcome.status == 2, "\(value)")
            let said =
                value.contains(" ")
                ? "CENSUS_SPOOL_BYTES, in the environment, has a space" : "CENSUS_SPOOL_BYTES is \(value)"
            #expect(outcome.errors.contains(said), "\(outcome.errors)")
        }
    }
}

/// The server of a running program.
private struct RunningServer {
    struct NotListening: Error {}

    let port: String
    let key: String

    init(of running: Running, key: String) async throws {
        guard try await running.says("listens on http://127.0.0.1:"),
            let match = running.said.firstMatch(of: /http:\/\/127\.0\.0\.1:([0-9]+)/)
        else { throw NotListening() }
        port = String(match.1)
        self.key = key
    }

    /// - Returns: the status.
    func post(_ id: String) async throws -> Int {
        let now = Date.now.formatted(.iso8601)
        let body = """
            {"sent_at":"\(now)","app":{"id":"com.example.weather","version":"1.0"},
            "device":{"id":"device","platform":"ios"},"installation":{"id":"installation"},
            "events":[{"id":"\(id)","type":"widget_opened","at":"\(now)","widget":{"kind":"\(id)"}}]}
            """
        guard let url = URL(string: "http://127.0.0.1:\(port)/v1/events") else { throw NotListening() }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (_, response) = try await URLSession.shared.data(for: request)
        return (response as? HTTPURLResponse)?.statusCode ?? 0
    }
}

extension TestDatabase {
    fileprivate func allowConnections(_ areAllowed: Bool) async throws {
        let server = try await TestServer.shared()
        _ = try await server.query("alter database \(name) allow_connections \(areAllowed)", database: "postgres")
        guard !areAllowed else { return }
        _ = try await server.query(
            "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = '\(name)'",
            database: "postgres")
    }
}
