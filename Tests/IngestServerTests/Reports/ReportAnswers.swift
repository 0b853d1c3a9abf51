import CensusCore
import CensusStore
import Testing

@testable import IngestServer

/// `GET /v1/reports/NAME`: what `widget-census report` prints, for programs that have no shell.
@Suite(.serialized, .server) struct `Report answers` {
    private func get(_ path: String, app: String = IngestTestServer.app) async throws -> RawResponse {
        let server = try server()
        _ = try await server.store.apps.add(app)
        let key = try await server.store.keys.add(app: app, role: .read)
        return try await server.get("/v1/reports/" + path, ("Authorization", "Bearer \(key.text)"))
    }

    @Test func `a temporary problem tells both readers and senders to retry`() {
        let temporary: [Problem] = [.away, .busy, .noRoom, .readersWait, .rateLimited(3)]
        for problem in temporary {
            #expect(problem.message.contains("retry"), "\(problem.message)")
            #expect(!problem.message.contains("send"), "\(problem.message)")
        }
    }

    @Test func `a read key gets the rows as the command prints them, in either format`() async throws {
        let server = try server()
        #expect(try await server.accepts(Sample(Sample.reported("=weather", "caf\u{E9}"))))
        try await server.night()
        let table = try await server.store.reports.read("live_now", ReportFilter(app: IngestTestServer.app))
        #expect(table.rows.count >= 2)
        let json = try await get("live_now")
        #expect(json.status == 200)
        #expect(json.headers["content-type"] == "application/json")
        #expect(json.headers["cache-control"] == "private, no-store")
        #expect(json.text == table.json)
        let csv = try await get("live_now?format=csv")
        #expect(csv.headers["content-type"] == "text/csv; charset=utf-8; header=present")
        #expect(csv.text == table.csv)
        #expect(csv.text.contains("'=weather"))
        let one = try await server.store.reports.read(
            "live_now", ReportFilter(app: IngestTestServer.app, kind: "caf\u{E9}"))
        #expect(one.rows.count == 1)
        #expect(try await get("live_now?kind=caf%C3%A9").text == one.json)
    }

    @Test(arguments: ReportReader.names) func `every report can be read`(name: String) async throws {
        let server = try server()
        let response = try await get(name)
        #expect(response.status == 200)
        #expect(
            response.text == (try await server.store.reports.read(name, ReportFilter(app: IngestTestServer.app)).json))
    }

    @Test func `a key sees its own app only`() async throws {
        let server = try server()
        #expect(try await server.accepts(Sample(Sample.reported("secret.kind"))))
        try await server.night()
        #expect(try await get("live_now").text.contains("secret.kind"))
        #expect(try await get("live_now", app: "com.example.other").text == "[]\n")
        #expect(try await get("live_now?app=\(IngestTestServer.app)", app: "com.example.other").status == 400)
    }

    @Test func `without a key the names of reports are not revealed`() async throws {
        for name in ["live_now", "nothing"] {
            #expect(try await server().get("/v1/reports/\(name)").status == 401)
        }
    }

    @Test func `an unknown report gets 404 with the names of all reports`() async throws {
        let response = try await get("live")
        #expect(response.status == 404)
        #expect(try response.answer.code == "unknown_report")
        #expect(response.text.contains("live_now"))
    }

    @Test(arguments: [
        "live_now?since=2026-11-01", "os_quirks?kind=weather", "live_kinds?since=yesterday", "live_kinds?kid=weather",
        "live_kinds?kind=", "live_kinds?since=&until=2026-11-01", "live_now?format=",
        "live_kinds?kind=a&kind=b", "live_kinds?kind=%FF", "live_kinds?kind=%00", "live_kinds?kind=%4",
        "live_kinds?format=table",
    ]) func `an impossible filter gets 400 and no rows`(path: String) async throws {
        let response = try await get(path)
        #expect(response.status == 400)
        #expect(try response.answer.code == "invalid_query")
    }

    @Test func `while the store is locked a report gets 503, and phones are served`() async throws {
        let server = try server()
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: .read)
        // The key is known before the lock.
        #expect(try await server.get("/v1/reports/live_now", ("Authorization", "Bearer \(key.text)")).status == 200)
        try await server.locked("kind_day", seconds: 20) { _ in
            async let reports = withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await server.get("/v1/reports/live_kinds", ("Authorization", "Bearer \(key.text)")).status
                    }
                }
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            try await Task.sleep(for: .milliseconds(300))
            let begun = ContinuousClock.now
            #expect(try await server.accepts())
            #expect(ContinuousClock.now - begun < .seconds(2))
            #expect(try await reports == [503])
        }
    }
}

/// Fields of queries and forms.
@Suite struct `Form fields` {
    @Test func `are decoded by bytes`() throws {
        let fields = try #require(FormFields("a=1&b=x+y%2B%C3%A9&c=&d".utf8))
        #expect(fields["a"] == "1")
        #expect(fields["b"] == "x y+\u{E9}")
        #expect(fields["c"] == nil)
        #expect(fields["d"] == nil)
    }

    @Test(arguments: ["a=%", "a=%4", "a=%G1", "a=%FF", "a=%00"]) func `that are broken are none`(text: String) {
        #expect(FormFields(text.utf8) == nil)
    }

    @Test func `that are there twice have no value`() throws {
        let fields = try #require(FormFields("a=1&a=2&b=3".utf8))
        #expect(fields["a"] == nil)
        #expect(fields.strangers(to: ["a", "b"]) == ["a", "a"])
    }
}
