import CensusCore
import CensusStore
import PostgresTesting
import Testing

@testable import IngestServer

/// Pages from the server, for an app with reports and closed days.
@Suite(.serialized, .server) struct `Console pages` {
    /// A name that is markup unless it is escaped.
    private static let wicked = "<script>alert(1)</script>\"\u{301} onload='x'"

    private func fill() async throws -> String {
        let server = try server()
        let kind = Self.wicked.jsonQuoted.dropFirst().dropLast()
        #expect(
            try await server.accepts(Sample(Sample.reported("weather", String(kind), at: "2026-11-20T09:30:00Z"))))
        try await server.night()
        return try await server.login()
    }

    @Test(arguments: [
        "/console", "/console/kind?kind=weather", "/console/losses", "/console/quirks", "/console/coverage",
        "/console/device", "/console/status",
    ]) func `every page has the headers that block scripts and frames`(path: String) async throws {
        let cookie = try await fill()
        let response = try await server().get(path, ("Cookie", cookie))
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == "text/html; charset=utf-8")
        #expect(
            response.headers["content-security-policy"]
                == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; "
                + "frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'")
        #expect(response.headers["x-content-type-options"] == "nosniff")
        #expect(response.headers["referrer-policy"] == "no-referrer")
        #expect(response.headers["cache-control"] == "private, no-store")
        #expect(response.text.hasSuffix("</html>\n"))
        // The only script is a file, on pages with a chart.
        #expect(
            response.text.matches(of: /<script.*/).allSatisfy {
                $0.output.wholeMatch(of: /<script src="\/console\/hover\.js\?v=[0-9a-f]+" defer><\/script>/) != nil
            })
        #expect(response.body.count < 60_000)
    }

    @Test func `the overview shows each kind with its bounds, and a name stays text`() async throws {
        let cookie = try await fill()
        let text = try await server().get("/console", ("Cookie", cookie)).text
        #expect(text.contains(/>weather<\/a>: (between \d+ and )?\d+ devices? on \d+ Nov/))
        #expect(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;\u{301} onload=&#39;x&#39;"))
    }

    @Test func `the page of a kind has the report's numbers for a closed day`() async throws {
        let cookie = try await fill()
        let server = try server()
        let last = try #require(
            try await server.store.console.lastClosedDay(appNumber: server.store.apps.app(IngestTestServer.app).number))
        let report = try await server.store.reports.read(
            "live_kinds", ReportFilter(app: IngestTestServer.app, since: last, until: last, kind: "weather"))
        let row = try #require(report.rows.first)
        let text = try await server.get("/console/kind?kind=weather", ("Cookie", cookie)).text
        let cells = try #require(text.firstMatch(of: try Regex("<th scope=\"row\">\(last)</th>(.*?)</tr>")))
        let numbers = String(cells.output[1].substring ?? "").matches(of: />([0-9,]+)<\/td>/).map { String($0.1) }
        #expect(numbers.prefix(2) == [row[4] ?? "", row[5] ?? ""])
    }

    @Test func `a kind that no device ever had gets 404`() async throws {
        let cookie = try await fill()
        #expect(try await server().get("/console/kind?kind=nothing", ("Cookie", cookie)).status == 404)
        #expect(try await server().get("/console/kind", ("Cookie", cookie)).status == 400)
    }

    @Test func `a link with a first and a last day shows only those days`() async throws {
        let cookie = try await fill()
        let server = try server()
        let last = try #require(
            try await server.store.console.lastClosedDay(appNumber: server.store.apps.app(IngestTestServer.app).number))
        for path in ["/console?", "/console/kind?kind=weather&"] {
            let text = try await server.get("\(path)from=\(last - 1)&to=\(last - 1)", ("Cookie", cookie)).text
            #expect(text.contains("until=\(last - 1)"), "\(path)")
            #expect(text.contains("day &lt;= &#39;\(last - 1)&#39;"), "\(path)")
            #expect(!text.contains("<th scope=\"row\">\(last)</th>"), "\(path)")
            for range in ["from=\(last)&to=\(last - 1)", "from=yesterday", "from=2020-01-01&to=\(last)"] {
                let response = try await server.get("\(path)\(range)", ("Cookie", cookie))
                #expect(response.status == 400, "\(range)")
                #expect(response.text.contains("<code>"), "\(range)")
            }
        }
    }

    @Test func `the overview has the same numbers as the reports`() async throws {
        let cookie = try await fill()
        let server = try server()
        let app = try await server.store.apps.app(IngestTestServer.app)
        let last = try #require(try await server.store.console.lastClosedDay(appNumber: app.number))
        let headline = try #require(try await server.store.console.headline(app: app, on: last))
        let filter = ReportFilter(app: app.id, since: last, until: last)
        func sum(_ report: String, _ column: String) async throws -> Int {
            let table = try await server.store.reports.read(report, filter)
            let place = try #require(table.columns.firstIndex { $0.name == column })
            return table.rows.compactMap { $0[place].flatMap { Int($0) } }.reduce(0, +)
        }
        #expect(headline.active > 0)
        #expect(try await headline.active == sum("coverage", "devices_active"))
        #expect(try await headline.withWidget == sum("adoption", "devices_with_any_widget"))
        #expect(headline.weekly <= headline.active)
        #expect(try await headline.withWidgetPossible == sum("adoption", "devices_with_any_widget_possible"))
        #expect(headline.withWidget <= headline.withWidgetPossible && headline.withWidgetPossible <= headline.active)
        let text = try await server.get("/console", ("Cookie", cookie)).text
        #expect(text.contains("<dt>Active devices</dt><dd class=\"figure\">\(headline.active)</dd>"))
        #expect(text.contains("<dt>Active within a week</dt><dd class=\"figure\">\(headline.weekly)</dd>"))
    }

    @Test func `a chart's CSV equals the report's`() async throws {
        let cookie = try await fill()
        let server = try server()
        let response = try await server.get(
            "/console/report/live_kinds?app=\(IngestTestServer.app)&kind=weather&format=csv", ("Cookie", cookie))
        #expect(response.status == 200)
        #expect(response.headers["content-disposition"] == "attachment; filename=\"live_kinds.csv\"")
        #expect(
            response.text
                == (try await server.store.reports.read(
                    "live_kinds", ReportFilter(app: IngestTestServer.app, kind: "weather")
                ).csv))
    }

    /// Analysts paste this SQL.
    @Test(arguments: [
        "/console", "/console/kind?kind=weather", "/console/losses", "/console/quirks", "/console/coverage",
    ])
    func `the SQL shown beside a figure runs`(path: String) async throws {
        let cookie = try await fill()
        let server = try server()
        let text = try await server.get(path, ("Cookie", cookie)).text
        let statements = text.matches(of: /<code>(select [^<]*;)<\/code>/).map { match in
            String(match.1).replacing("&#39;", with: "'").replacing("&gt;", with: ">").replacing("&lt;", with: "<")
                .replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
        }
        #expect(!statements.isEmpty)
        for statement in statements { _ = try await server.sql(statement) }
    }

    @Test func `a posted device id is explained, and appears nowhere in the response`() async throws {
        let cookie = try await fill()
        let server = try server()
        let sample = Sample(Sample.reported("weather"))
        #expect(try await server.accepts(sample))
        let response = try await server.post(form: "/console/device", "device=\(sample.device)", [("Cookie", cookie)])
        #expect(response.status == 200)
        #expect(response.text.contains("widgets_reported [weather"))
        #expect(!response.text.contains(sample.device))
        #expect(!server.logs.text.contains(sample.device))
        let unknown = try await server.post(form: "/console/device", "device=nobody", [("Cookie", cookie)])
        #expect(unknown.text.contains("No events from that device"))
        let invalid = try await server.post(form: "/console/device", "device=+x", [("Cookie", cookie)])
        #expect(invalid.text.contains("role=\"alert\""))
    }

    @Test func `each page of an app without data gets 200, and nothing needs attention`() async throws {
        let server = try server()
        _ = try await server.store.apps.add("com.example.empty")
        let cookie = try await server.login(try await server.store.keys.add(app: "com.example.empty", role: .read))
        for path in ["/console", "/console/losses", "/console/quirks", "/console/coverage", "/console/status"] {
            #expect(try await server.get(path, ("Cookie", cookie)).status == 200, "\(path)")
        }
        #expect(try await server.get("/console", ("Cookie", cookie)).text.contains("Nothing needs attention."))
    }

    @Test(arguments: ["/console/nothing", "/console/report", "/console/report/nothing"])
    func `an unknown path gets a page with the same headers`(path: String) async throws {
        let response = try await server().get(path, ("Cookie", try await fill()))
        #expect(response.status == 404)
        #expect(path.hasPrefix("/console/report/") || response.text.contains("Page not found."))
        expectGuards(response)
    }

    @Test(arguments: ["/console", "/console/login", "/console/style.css", "/console/report/live_now"])
    func `an unsupported method gets a page with the same headers`(path: String) async throws {
        let response = try await server().send(RawRequest(method: "PUT", path: path))
        #expect(response.status == 405)
        #expect(response.headers["allow"]?.contains("GET") == true)
        expectGuards(response)
    }

    private func expectGuards(_ response: RawResponse) {
        #expect(response.headers["content-type"] == "text/html; charset=utf-8")
        #expect(response.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
        #expect(response.headers["cache-control"] == "private, no-store")
        #expect(response.headers["x-content-type-options"] == "nosniff")
    }

    @Test(arguments: [
        ("/console/kind", "invalid_query"), ("/console/kind?kind=nothing", "not_found"),
        ("/console?app=com.example.nothing", "wrong_app"), ("/console/nothing", "not_found"),
        ("/console/report/nothing", "unknown_report"),
    ]) func `the log has the code of a failure`(path: String, code: String) async throws {
        let cookie = try await fill()
        let server = try server()
        let before = server.logs.text.utf8.count
        #expect(try await server.get(path, ("Cookie", cookie)).status >= 400)
        let logged = String(decoding: Array(server.logs.text.utf8.dropFirst(before)), as: UTF8.self)
        #expect(logged.contains("\"code\": \(code)"), "\(logged)")
    }

    /// The last night's failure once named every app that failed.
    @Test func `a key's pages show nothing about other apps`() async throws {
        let cookie = try await fill()
        let server = try server()
        let other = "com.example.other"
        if try await server.store.apps.add(other) {
            _ = try await server.sql(
                """
                insert into census.app_night (app_number, fault, failure, failed_at)
                select app_number, 'ours', 'secret of the other', now() from census.app where app_id = '\(other)';
                insert into census.set_aside (device_id, app_number, reason)
                select md5('x')::uuid, app_number, 'secret of the other' from census.app where app_id = '\(other)';
                insert into census.night_run (finished_at, failure, devices, days_closed, apps_failed)
                values (now(), '\(other) could not be closed: secret of the other', 98765, 98765, 1)
                """)
        }
        for path in ["/console", "/console/status", "/console/coverage", "/console/losses"] {
            let text = try await server.get(path, ("Cookie", cookie)).text
            for word in [other, "secret", "98765", "98,765", "set aside", "failed:"] {
                #expect(!text.contains(word), "\(path): \(word)")
            }
        }
        let own = "update census.app_night set (fault, failure, failed_at)"
        let app = "from census.app where app.app_number = app_night.app_number and app_id = '\(IngestTestServer.app)'"
        _ = try await server.sql("\(own) = ('ours', 'a sentence of its own', now()) \(app)")
        for path in ["/console", "/console/status"] {
            #expect(try await server.get(path, ("Cookie", cookie)).text.contains("a sentence of its own"), "\(path)")
        }
        _ = try await server.sql("\(own) = (null, null, null) \(app)")
    }

    @Test func `while the store is locked a page gets 503 and says why, and phones are served`() async throws {
        let cookie = try await fill()
        let server = try server()
        try await server.locked("kind_day", seconds: 20) { _ in
            async let statuses = withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await server.get("/console", ("Cookie", cookie)).status } }
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            try await Task.sleep(for: .milliseconds(300))
            let begun = ContinuousClock.now
            #expect(try await server.accepts())
            #expect(ContinuousClock.now - begun < .seconds(2))
            #expect(try await statuses == [503])
            #expect(
                server.logs.text.split(separator: "\n").contains {
                    $0.contains("\"route\": console") && $0.contains("\"code\": store_away")
                })
        }
    }

    @Test(arguments: [("style.css", "text/css"), ("hover.js", "text/javascript")])
    func `the style sheet and the script need no key, and can be cached`(name: String, type: String) async throws {
        let response = try await server().get("/console/\(name)?v=1")
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == "\(type); charset=utf-8")
        #expect(response.headers["x-content-type-options"] == "nosniff")
        #expect(response.headers["cache-control"] == "public, max-age=31536000, immutable")
    }
}
