import CensusCore
import CensusStore
import Foundation
import Testing

@testable import IngestServer

/// `GET /v1/reports/NAME`: the rows that `widget-census report` prints, for programs without a shell.
@Suite(.serialized, .server) struct `Report answers` {
    private func get(_ path: String, app: String = IngestTestServer.app) async throws -> RawResponse {
        let server = try server()
        _ = try await server.store.apps.add(app)
        let key = try await server.store.keys.add(app: app, role: .read)
        return try await server.get("/v1/reports" + path, ("Authorization", "Bearer \(key.text)"))
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
        let json = try await get("/live_now")
        #expect(json.status == 200)
        #expect(json.headers["content-type"] == "application/json")
        #expect(json.headers["cache-control"] == "private, no-store")
        #expect(json.text == table.json)
        let csv = try await get("/live_now?format=csv")
        #expect(csv.headers["content-type"] == "text/csv; charset=utf-8; header=present")
        #expect(csv.text == table.csv)
        #expect(csv.text.contains("'=weather"))
        let one = try await server.store.reports.read(
            "live_now", ReportFilter(app: IngestTestServer.app, kind: "caf\u{E9}"))
        #expect(one.rows.count == 1)
        #expect(try await get("/live_now?kind=caf%C3%A9").text == one.json)
    }

    @Test(arguments: ReportReader.names) func `every report can be read`(name: String) async throws {
        let server = try server()
        let response = try await get("/" + name)
        #expect(response.status == 200)
        #expect(
            response.text == (try await server.store.reports.read(name, ReportFilter(app: IngestTestServer.app)).json))
    }

    @Test func `NDJSON has the rows of the JSON array, one on each line`() async throws {
        let server = try server()
        #expect(try await server.accepts(Sample(Sample.reported("weather", "search"))))
        try await server.night()
        let lines = try await get("/live_now?format=ndjson")
        #expect(lines.status == 200)
        #expect(lines.headers["content-type"] == "application/x-ndjson")
        let objects = lines.text.split(separator: "\n")
        #expect(objects.count >= 2 && lines.text.hasSuffix("}\n"))
        #expect(try await get("/live_now").text == "[\n" + objects.map { "  " + $0 }.joined(separator: ",\n") + "\n]\n")
        #expect(try await get("/live_now?format=ndjson&kind=nothing").text.isEmpty)
    }

    @Test func `the list has every report and its columns, as the command describes them`() async throws {
        struct Listed: Decodable, Equatable {
            struct Column: Decodable, Equatable {
                var name: String
                var meaning: String
            }
            var name: String
            var answer: String
            var grain: [String]
            var filters: [String]
            var columns: [Column]
        }
        let response = try await get("")
        #expect(response.status == 200)
        let listed = try JSONDecoder().decode([Listed].self, from: Data(response.text.utf8))
        #expect(
            listed
                == ReportDescription.all.map { report in
                    Listed(
                        name: report.name, answer: report.answer, grain: report.grain,
                        filters: (report.hasDays ? ["since", "until"] : []) + (report.hasKinds ? ["kind"] : []),
                        columns: report.columns.map { .init(name: $0.name, meaning: $0.meaning) })
                })
        // A report accepts the filters that it lists, and no others.
        for report in listed {
            for (filter, value) in [("since", "7d"), ("until", "yesterday"), ("kind", "weather")] {
                let status = try await get("/\(report.name)?\(filter)=\(value)").status
                #expect(status == (report.filters.contains(filter) ? 200 : 400), "\(report.name) \(filter)")
            }
        }
        #expect(try await get("?name=live_now").status == 400)
        #expect(try await server().get("/v1/reports").status == 401)
    }

    @Test func `relative days are in the app's time zone`() async throws {
        let server = try server()
        let app = "com.example.east"
        _ = try await server.store.apps.add(app)
        var settings = AppSettings()
        settings.zone = "Pacific/Kiritimati"
        _ = try await server.store.apps.set(app, settings)
        let filter = try await server.store.reports.filter(
            app: app, since: NamedDay("7d"), until: NamedDay("yesterday"), kind: nil,
            at: try #require(Timestamp(rfc3339: "2026-11-20T12:00:00Z")))
        #expect(filter == ReportFilter(app: app, since: Day("2026-11-14"), until: Day("2026-11-20")))
        #expect(try await get("/live_kinds?since=7d&until=today", app: app).status == 200)
    }

    @Test func `a key sees its own app only`() async throws {
        let server = try server()
        #expect(try await server.accepts(Sample(Sample.reported("secret.kind"))))
        try await server.night()
        #expect(try await get("/live_now").text.contains("secret.kind"))
        #expect(try await get("/live_now", app: "com.example.other").text == "[]\n")
        #expect(try await get("/live_now?app=\(IngestTestServer.app)", app: "com.example.other").status == 400)
    }

    @Test func `a request without a key does not reveal which reports exist`() async throws {
        for name in ["live_now", "nothing"] {
            #expect(try await server().get("/v1/reports/\(name)").status == 401)
        }
    }

    @Test func `an unknown report gets 404 with the names of all reports`() async throws {
        let response = try await get("/live")
        #expect(response.status == 404)
        #expect(try response.answer.code == "unknown_report")
        #expect(response.text.contains("live_now"))
    }

    @Test(arguments: [
        "live_now?since=2026-11-01", "os_quirks?kind=weather", "live_kinds?since=tomorrow", "live_kinds?since=-7d",
        "live_kinds?since=d", "live_kinds?kid=weather",
        "live_kinds?kind=", "live_kinds?since=&until=2026-11-01", "live_now?format=",
        "live_kinds?kind=a&kind=b", "live_kinds?kind=%FF", "live_kinds?kind=%00", "live_kinds?kind=%4",
        "live_kinds?format=table",
    ]) func `an invalid filter gets 400 and no rows`(path: String) async throws {
        let response = try await get("/" + path)
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
    @Test func `fields are decoded as bytes, and empty ones have no value`() throws {
        let fields = try #require(FormFields("a=1&b=x+y%2B%C3%A9&c=&d".utf8))
        #expect(fields["a"] == "1")
        #expect(fields["b"] == "x y+\u{E9}")
        #expect(fields["c"] == nil)
        #expect(fields["d"] == nil)
    }

    @Test(arguments: ["a=%", "a=%4", "a=%G1", "a=%FF", "a=%00"]) func `broken fields are rejected`(text: String) {
        #expect(FormFields(text.utf8) == nil)
    }

    @Test func `a repeated field has no value, and counts as unknown`() throws {
        let fields = try #require(FormFields("a=1&a=2&b=3".utf8))
        #expect(fields["a"] == nil)
        #expect(fields.strangers(to: ["a", "b"]) == ["a", "a"])
    }
}
