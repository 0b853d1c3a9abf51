import CensusCore
import CensusStore
import PostgresTesting
import Testing

@testable import IngestServer

/// Pages through the door, on an app whose phones have reported and whose days are closed.
@Suite(.serialized, .door) struct `Console pages` {
    /// A name that would be markup if anybody forgot to escape it.
    private static let wicked = "<script>alert(1)</script>\"\u{301} onload='x'"

    private func fill() async throws -> String {
        let door = try door()
        let kind = Self.wicked.jsonQuoted.dropFirst().dropLast()
        #expect(
            try await door.accepts(Sample(Sample.reported("weather", String(kind), at: "2026-11-20T09:30:00Z"))))
        try await door.night()
        return try await door.login()
    }

    @Test(arguments: [
        "/console", "/console/kind?kind=weather", "/console/losses", "/console/quirks", "/console/coverage",
        "/console/device", "/console/status",
    ]) func `every page is there, with the headers that keep scripts and frames out`(path: String) async throws {
        let cookie = try await fill()
        let response = try await door().get(path, ("Cookie", cookie))
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == "text/html; charset=utf-8")
        #expect(
            response.headers["content-security-policy"]
                == "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        )
        #expect(response.headers["x-content-type-options"] == "nosniff")
        #expect(response.headers["referrer-policy"] == "no-referrer")
        #expect(response.headers["cache-control"] == "private, no-store")
        #expect(response.text.hasSuffix("</html>\n"))
        #expect(!response.text.contains("<script"))
        #expect(response.body.count < 60_000)
    }

    @Test func `the overview shows each kind with its bounds, and a name stays a name`() async throws {
        let cookie = try await fill()
        let text = try await door().get("/console", ("Cookie", cookie)).text
        #expect(text.contains(/>weather<\/a>: (between \d+ and )?\d+ devices? on \d+ Nov/))
        #expect(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;\u{301} onload=&#39;x&#39;"))
    }

    @Test func `numbers of a closed day are those of the report`() async throws {
        let cookie = try await fill()
        let door = try door()
        let last = try #require(
            try await door.store.console.lastClosedDay(appNumber: door.store.apps.app(OpenDoor.app).number))
        let report = try await door.store.reports.read(
            "live_kinds", ReportFilter(app: OpenDoor.app, since: last, until: last, kind: "weather"))
        let row = try #require(report.rows.first)
        let text = try await door.get("/console/kind?kind=weather", ("Cookie", cookie)).text
        #expect(
            text.contains(
                "<th scope=\"row\">\(last)</th><td class=\"number\">\(row[4] ?? "")</td><td class=\"number\">\(row[5] ?? "")</td>"
            ))
    }

    @Test func `a kind that nobody was seen to use gets 404`() async throws {
        let cookie = try await fill()
        #expect(try await door().get("/console/kind?kind=nothing", ("Cookie", cookie)).status == 404)
        #expect(try await door().get("/console/kind", ("Cookie", cookie)).status == 400)
    }

    @Test func `a chart's CSV is the report's`() async throws {
        let cookie = try await fill()
        let door = try door()
        let response = try await door.get(
            "/console/report/live_kinds?app=\(OpenDoor.app)&kind=weather&format=csv", ("Cookie", cookie))
        #expect(response.status == 200)
        #expect(response.headers["content-disposition"] == "attachment; filename=\"live_kinds.csv\"")
        #expect(
            response.text
                == (try await door.store.reports.read(
                    "live_kinds", ReportFilter(app: OpenDoor.app, kind: "weather")
                ).csv))
    }

    @Test func `a device is explained by an id that is posted, and the id comes back nowhere`() async throws {
        let cookie = try await fill()
        let door = try door()
        let sample = Sample(Sample.reported("weather"))
        #expect(try await door.accepts(sample))
        let response = try await door.post(form: "/console/device", "device=\(sample.device)", [("Cookie", cookie)])
        #expect(response.status == 200)
        #expect(response.text.contains("widgets_reported [weather"))
        #expect(!response.text.contains(sample.device))
        #expect(!door.logs.text.contains(sample.device))
        let unknown = try await door.post(form: "/console/device", "device=nobody", [("Cookie", cookie)])
        #expect(unknown.text.contains("Nothing was heard of that device"))
        let invalid = try await door.post(form: "/console/device", "device=+x", [("Cookie", cookie)])
        #expect(invalid.text.contains("role=\"alert\""))
    }

    @Test func `an app without data has pages that say so`() async throws {
        let door = try door()
        _ = try await door.store.apps.add("com.example.empty")
        let cookie = try await door.login(try await door.store.keys.add(app: "com.example.empty", role: .read))
        for path in ["/console", "/console/losses", "/console/quirks", "/console/coverage", "/console/status"] {
            #expect(try await door.get(path, ("Cookie", cookie)).status == 200, "\(path)")
        }
        #expect(try await door.get("/console", ("Cookie", cookie)).text.contains("No day is closed yet."))
    }

    @Test func `while the store is locked the page says so with 503, and phones are served`() async throws {
        let cookie = try await fill()
        let door = try door()
        try await door.locked("kind_day", seconds: 20) { _ in
            async let statuses = withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await door.get("/console", ("Cookie", cookie)).status } }
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            try await Task.sleep(for: .milliseconds(300))
            let begun = ContinuousClock.now
            #expect(try await door.accepts())
            #expect(ContinuousClock.now - begun < .seconds(2))
            #expect(try await statuses == [503])
        }
    }

    @Test func `the style sheet is for everybody, and may be kept`() async throws {
        let response = try await door().get("/console/style.css?v=1")
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == "text/css; charset=utf-8")
        #expect(response.headers["cache-control"] == "public, max-age=31536000, immutable")
    }
}
