import CensusCore
import CensusStore
import HTTPTypes
import PostgresTesting
import Testing

@testable import IngestServer

/// Acts on kinds in the console.
@Suite(.serialized, .server) struct `Console acts` {
    /// Runs a night with one device for each kind, and returns a manager's cookie.
    private func fill(holder: String? = "anna") async throws -> [(String, String)] {
        let server = try server()
        #expect(try await server.accepts(Sample(Sample.reported("weather", at: "2026-11-20T09:30:00Z"))))
        #expect(try await server.accepts(Sample(Sample.reported("radar", at: "2026-11-20T09:30:00Z"))))
        try await server.night()
        _ = try await server.sql("delete from census.kind_act")
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: .manage, holder: holder)
        return [("Cookie", try await server.login(key))]
    }

    private func acts() async throws -> String {
        try await server().sql(
            """
            select kind, lifecycle, actor, coalesce(reason, '-'), devices_possible > 0
            from census.kind_act order by act_number
            """)
    }

    @Test func `an act is previewed with what it does, and recorded when it is confirmed`() async throws {
        let (server, anna) = (try server(), try await fill())
        let preview = try await server.preview(
            "mark", with: ["reason": "one city only; O'Brien asked \u{202E}x", "replaced_by": "radar"], anna)
        #expect(preview.status == 200)
        #expect(
            preview.text.contains(
                /Lets apps hide <span class="name">weather<\/span> from at most \d+ devices? that lacks? it; \d+ devices? keeps? it\./
            ))
        #expect(preview.text.contains("<strong>Signed by:</strong> anna"))
        #expect(try await acts() == "")
        let done = try await server.confirm(preview, anna)
        #expect(done.status == 200)
        #expect(done.text.contains("weather is now legacy: decided by anna when at least "))
        #expect(try await acts() == "weather|legacy|anna|one city only; O'Brien asked \u{202E}x|t")
        #expect(try await server.sql("select replaced_by from census.kind_act") == "radar")
        let page = try await server.get("/console/kind?kind=weather", anna[0])
        #expect(page.text.contains("anna marked it legacy, replaced by radar"))
    }

    @Test func `confirming twice records one act`() async throws {
        let (server, anna) = (try server(), try await fill())
        let preview = try await server.preview("mark", anna)
        for _ in 0..<2 { #expect(try await server.confirm(preview, anna).status == 200) }
        #expect(try await acts() == "weather|legacy|anna|one city only|t")
        #expect(
            try await server.confirm(preview, anna).text.contains("weather is already legacy; nothing was recorded."))
    }

    @Test func `reopening and retiring go by the rules of the command line`() async throws {
        let (server, anna) = (try server(), try await fill())
        _ = try await server.confirm(try await server.preview("mark", anna), anna)
        let early = try await server.preview("retire", anna)
        #expect(early.text.contains("role=\"alert\">The verdict on weather is "))
        #expect(ConsoleForm(to: "/console/act", in: early.text) == nil)
        let anyway = try await server.preview("retire", with: ["reason": "shipped", "anyway": "yes"], anna)
        #expect(anyway.text.contains("The verdict on weather is "), "\(anyway.text)")
        #expect(anyway.text.contains("You retire it all the same."))
        #expect(try await server.confirm(anyway, anna).status == 200)
        #expect(try await server.confirm(try await server.preview("reopen", anna), anna).status == 200)
        #expect(
            try await acts().split(separator: "\n").map { $0.split(separator: "|")[1] }
                == ["legacy", "retired", "active"])
        // A confirmation without its preview is rejected, too.
        _ = try await server.confirm(try await server.preview("mark", anna), anna)
        var forged = try #require(ConsoleForm(to: "/console/act", in: anyway.text))
        forged.fields["entries"] = "reason=shipped"
        forged.fields["seen"] = try await server.sql("select max(act_number) from census.kind_act")
        let refused = try await server.post(form: forged.action, forged.body, anna)
        #expect(refused.status == 409)
        #expect(refused.text.contains("The verdict on weather is "))
        #expect(try await acts().split(separator: "\n").count == 4)
    }

    @Test func `a decision that somebody else made after the preview stops the act`() async throws {
        let (server, anna) = (try server(), try await fill())
        let preview = try await server.preview("mark", anna)
        let app = try await server.store.apps.app(IngestTestServer.app)
        for lifecycle in [Lifecycle.legacy, .active] {
            _ = try await server.store.kinds.mark(
                kind: "weather", KindDecision(lifecycle, by: "bea"), app: app)
        }
        let late = try await server.confirm(preview, anna)
        #expect(late.status == 409)
        #expect(late.text.contains("somebody decided that in the meantime"))
        #expect(try await acts().contains("anna") == false)
    }

    @Test func `a decision with another replacement after the preview stops the act`() async throws {
        let (server, anna) = (try server(), try await fill())
        let preview = try await server.preview("mark", with: ["replaced_by": "radar", "reason": "why"], anna)
        let app = try await server.store.apps.app(IngestTestServer.app)
        _ = try await server.store.kinds.mark(kind: "weather", KindDecision(.legacy, by: "bea"), app: app)
        #expect(try await server.confirm(preview, anna).status == 409)
        #expect(try await acts().contains("anna") == false)
    }

    @Test func `the preview rejects a misspelled replacement`() async throws {
        let (server, anna) = (try server(), try await fill())
        let preview = try await server.preview("mark", with: ["replaced_by": "radr", "reason": "why"], anna)
        #expect(preview.text.contains("the kind radr; did you mean radar?"), "\(preview.text)")
        #expect(ConsoleForm(to: "/console/act", in: preview.text) == nil)
    }

    @Test func `a legacy kind can get another replacement`() async throws {
        let (server, anna) = (try server(), try await fill())
        _ = try await server.confirm(try await server.preview("mark", anna), anna)
        let preview = try await server.preview(
            "replace", with: ["replaced_by": "radar", "reason": "it is ready"], anna)
        #expect(preview.text.contains("<span class=\"name\">radar</span> replaces it"))
        #expect(try await server.confirm(preview, anna).status == 200)
        #expect(
            try await server.sql("select replaced_by from census.kind_act where replaced_by is not null") == "radar")
        #expect(try await acts().split(separator: "\n").map { $0.split(separator: "|")[1] } == ["legacy", "legacy"])
    }

    @Test func `anyone who can read can try limits, which are not stored`() async throws {
        let (server, anna) = (try server(), try await fill())
        let tried = try await server.get("/console/kind?kind=weather&limit=7&limit_share=100%25", anna[0]).text
        #expect(tried.contains("These limits are tried, not stored. At most 7 devices may still have it"))
        // Links to other days keep the limits.
        #expect(tried.contains("limit=7&amp;limit_share=1.0"), "\(tried)")
        #expect(try await server.store.apps.app(IngestTestServer.app).readiness == ReadinessLimits())
        #expect(!(try await server.get("/console/kind?kind=weather", anna[0]).text.contains("are tried")))
        let wrong = try await server.get("/console/kind?kind=weather&limit=many", anna[0])
        #expect(wrong.status == 400 && wrong.text.contains("Limit must be a whole number"))
        for limit in ["limits=5", "limit=5&limit=6", "limit=-1", "limit_share=200%25", "coverage=nan", "ready_days=0"] {
            #expect(try await server.get("/console/kind?kind=weather&" + limit, anna[0]).status == 400, "\(limit)")
        }
    }

    @Test(arguments: ["", "...", String(repeating: "x", count: 1_001)])
    func `an act needs a reason`(reason: String) async throws {
        let (server, anna) = (try server(), try await fill())
        let refused = try await server.preview("mark", with: ["reason": reason], anna)
        #expect(refused.status == 422)
        #expect(refused.text.contains("Give a reason of 1 to 1000 characters"))
        #expect(refused.text.contains("href=\"/console/kind?app="))
        #expect(try await acts() == "")
    }

    @Test func `a reason of 1000 characters in any script is stored`() async throws {
        let (server, anna) = (try server(), try await fill())
        let reason = String(repeating: "\u{20000}", count: 1_000)
        let done = try await server.confirm(try await server.preview("mark", with: ["reason": reason], anna), anna)
        #expect(done.status == 200)
        #expect(try await server.number("select length(reason) from census.kind_act") == 1_000)
    }

    @Test func `an act on a kind that the app never had gets 404`() async throws {
        let (server, anna) = (try server(), try await fill())
        let page = try await server.get("/console/kind?kind=weather", anna[0])
        var form = try #require(ConsoleForm(to: "/console/preview", act: "mark", in: page.text))
        form.action = form.action.replacing("kind=weather", with: "kind=wether")
        form.fields["reason"] = "one city only"
        let refused = try await server.post(form: form.action, form.body, anna)
        #expect(refused.status == 404)
        #expect(refused.text.contains("did you mean weather?"))
    }

    @Test func `a key without a holder signs with its name`() async throws {
        let (server, someone) = (try server(), try await fill(holder: nil))
        _ = try await server.confirm(try await server.preview("mark", someone), someone)
        let keys = try await server.store.keys.listed(app: IngestTestServer.app)
        let name = try #require(keys.first { $0.role == .manage }).name
        #expect(try await acts() == "weather|legacy|key \(name)|one city only|t")
    }
}

/// Acts on incidents and limits, and acknowledgements before a release.
@Suite(.serialized, .server) struct `Console acts on losses and limits` {
    private static let incident = """
        insert into census.loss_version (app_number, to_version, first_day, place, kinds, false_alarms)
        select app_number, '20.13', current_date, 1, 1, 0.01 from census.app;
        insert into census.loss_watch (
            app_number, surface, kind, to_version, chance, tolerance, state, upgraders, lost, opened_on, judged_on)
        select app_number, 'widget', 'radar', '20.13', 0.1, 1, 'open', 27, 21, current_date, current_date from census.app
        """

    /// Runs a night with two kinds, adds an incident, and returns Anna's cookie.
    private func fill() async throws -> [(String, String)] {
        let server = try server()
        for kind in ["weather", "radar"] {
            #expect(try await server.accepts(Sample(Sample.reported(kind, at: "2026-11-20T09:30:00Z"))))
        }
        try await server.night()
        _ = try await server.sql(
            """
            truncate census.kind_act, census.loss_act, census.loss_watch, census.loss_version, census.setting_act,
                census.acknowledgement cascade
            """)
        _ = try await server.sql(Self.incident)
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: .manage, holder: "anna")
        return [("Cookie", try await server.login(key))]
    }

    private func previewLoss(_ act: String, _ anna: [(String, String)]) async throws -> RawResponse {
        let server = try server()
        let page = try await server.get("/console/losses", anna[0])
        return try await server.submit(
            ConsoleForm(to: "/console/preview", act: act, in: page.text), ["reason": "20.13.1 brought it back"], anna)
    }

    @Test func `a loss is acknowledged, then closed, with its figures`() async throws {
        let (server, anna) = (try server(), try await fill())
        let preview = try await previewLoss("acknowledge", anna)
        #expect(preview.text.contains("Of 27 devices that held radar and updated to 20.13, 21 (78%) lost it"))
        #expect(try await server.number("select count(*) from census.loss_act") == 0)
        for _ in 0..<2 { #expect(try await server.confirm(preview, anna).status == 200) }
        let closing = try await previewLoss("close", anna)
        #expect(closing.text.contains("It never opens again"))
        #expect(
            try await server.confirm(closing, anna).text.contains(
                "the loss of radar in updates to 20.13 is now closed: 21 of 27 devices lost it; decided by anna."))
        #expect(
            try await server.sql(
                "select state, actor, reason, figures ->> 'lost' from census.loss_act order by act_number")
                == "acknowledged|anna|20.13.1 brought it back|21\nclosed|anna|20.13.1 brought it back|21")
        // A closed incident has no forms. Its acts stay on the kind's page and chart.
        #expect(ConsoleForm(to: "/console/preview", in: try await server.get("/console/losses", anna[0]).text) == nil)
        let page = try await server.get("/console/kind?kind=radar&days=30", anna[0]).text
        let figures = #"updates to <span class="name">20.<wbr>13</span> (21 of 27 devices had lost it)"#
        #expect(page.contains("anna acknowledged the loss in \(figures)"))
        #expect(page.contains("anna closed the loss in \(figures)"))
        #expect(page.contains("<path class=\"act\""))
        let late = try await server.confirm(preview, anna)
        #expect(late.status == 404)
        #expect(late.text.contains("is already closed"))
    }

    @Test func `a preview that is older than another act on the loss can't close it`() async throws {
        let (server, anna) = (try server(), try await fill())
        let preview = try await previewLoss("close", anna)
        let app = try await server.store.apps.app(IngestTestServer.app)
        _ = try await server.store.losses.act(
            .acknowledged, kind: "radar", version: "20.13", by: "bea", because: "known", app: app)
        let late = try await server.confirm(preview, anna)
        #expect(late.status == 409)
        #expect(late.text.contains("Somebody decided something in the meantime"))
        #expect(try await server.sql("select state from census.loss_act") == "acknowledged")
    }

    @Test func `an old confirmation does not repeat an act that somebody undid`() async throws {
        let (server, anna) = (try server(), try await fill())
        let app = try await server.store.apps.app(IngestTestServer.app)
        let limit = try await server.preview(
            "limit",
            with: ["limit": "12", "limit_share": "50%", "ready_days": "1", "coverage": "0.5", "reason": "why"], anna)
        #expect(try await server.confirm(limit, anna).status == 200)
        var before = AppSettings()
        (before.limitDevices, before.limitShare) = (app.readiness.devices, app.readiness.share)
        (before.readyDays, before.minimumCoverage) = (app.readiness.days, app.readiness.coverage)
        _ = try await server.store.apps.set(app.id, before, by: "bea", because: "too early")
        #expect(try await server.confirm(limit, anna).status == 409)
        #expect(try await server.store.apps.app(app.id).readiness == app.readiness)

        let until = ReportingZone.utc.day(of: .now) + 30
        let drop = try await server.preview(
            "acknowledge-drop",
            with: ["release": "21.0", "max_loss": "500", "until": until.description, "reason": "why"], anna)
        #expect(try await server.confirm(drop, anna).status == 200)
        let fingerprint = try await server.sql("select fingerprint from census.acknowledgement")
        try await server.store.acknowledgements.add(
            fingerprint, maximumLoss: 0, until: until, by: "bea", reason: "too early", change: nil, app: app)
        #expect(try await server.confirm(drop, anna).status == 409)
        #expect(
            try await server.sql("select maximum_loss from census.acknowledgement order by acknowledgement_number")
                == "500\n0")
    }

    @Test func `new limits are previewed with the verdicts that they give`() async throws {
        let (server, anna) = (try server(), try await fill())
        _ = try await server.confirm(try await server.preview("mark", anna), anna)
        let entries = ["limit": "12", "limit_share": "50%", "ready_days": "1", "reason": "a small team"]
        let preview = try await server.preview("limit", with: entries, anna)
        #expect(preview.text.contains("Changes the limit in devices from 1,000 to 12, for every kind of the app."))
        #expect(
            preview.text.contains(
                "Changes the limit as a share of the active devices from 0.03% to 50%, for every kind of the app."))
        #expect(preview.text.contains("<span class=\"name\">weather</span> stays "))
        #expect(try await server.store.apps.app(IngestTestServer.app).readiness.devices == 1_000)
        for _ in 0..<2 { #expect(try await server.confirm(preview, anna).status == 200) }
        #expect(try await server.store.apps.app(IngestTestServer.app).readiness.devices == 12)
        #expect(try await server.sql("select actor, reason from census.setting_act") == "anna|a small team")
        // A form from before the change.
        var other = try #require(ConsoleForm(to: "/console/act", in: preview.text))
        other.fields["entries"] = "limit=5&limit_share=1&ready_days=1&coverage=0&reason=why"
        #expect(try await server.post(form: other.action, other.body, anna).status == 409)
        for wrong in [
            ["limit": "-1"], ["limit": "many"], ["limit_share": "2"], ["coverage": "nan"], ["ready_days": "0"],
        ] {
            let refused = try await server.preview("limit", with: wrong.merging(["reason": "why"]) { $1 }, anna)
            #expect(refused.status == 422, "\(wrong)")
        }
    }

    @Test func `an act acknowledges the loss of dropping a kind up to a number of devices`() async throws {
        let (server, anna) = (try server(), try await fill())
        let until = (ReportingZone.utc.day(of: .now) + 30).description
        var entries = ["release": "21.0", "max_loss": "0", "until": until, "reason": "announced"]
        entries["max_loss"] = "1000000001"
        #expect(try await server.preview("acknowledge-drop", with: entries, anna).status == 422)
        entries["max_loss"] = "500"
        let preview = try await server.preview("acknowledge-drop", with: entries, anna)
        #expect(preview.text.contains("as long as at most 500 devices would lose it"))
        for _ in 0..<2 { #expect(try await server.confirm(preview, anna).status == 200) }
        #expect(
            try await server.sql(
                "select maximum_loss, acknowledged_by, rule, kind, app_version from census.acknowledgement")
                == "500|anna|kind_dropped|weather|21.0")
        let page = try await server.get("/console/kind?kind=weather", anna[0]).text
        #expect(page.contains("anna acknowledged kind_dropped in 21.0, up to 500 devices until"))
        // Reopening the kind doesn't withdraw the acknowledgement.
        _ = try await server.confirm(try await server.preview("mark", anna), anna)
        let reopening = try await server.preview("reopen", anna)
        #expect(reopening.text.contains("Preflight still accepts that up to 500 devices lose it, until \(until)"))
    }
}

/// Who may act in the console, and from which pages.
@Suite(.serialized, .server) struct `Console act access` {
    private func manager(_ holder: String = "anna") async throws -> [(String, String)] {
        let server = try server()
        #expect(try await server.accepts(Sample(Sample.reported("weather", at: "2026-11-20T09:30:00Z"))))
        try await server.night()
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: .manage, holder: holder)
        return [("Cookie", try await server.login(key))]
    }

    private func expectNoAct() async throws {
        #expect(try await server().number("select count(*) from census.kind_act") == 0)
    }

    @Test func `a read key sees no forms, and its posts get 403`() async throws {
        let (server, anna) = (try server(), try await manager())
        let reader = [("Cookie", try await server.login())]
        let page = try await server.get("/console/kind?kind=weather", reader[0])
        #expect(page.status == 200)
        #expect(ConsoleForm(to: "/console/preview", in: page.text) == nil)
        let preview = try await server.preview("mark", anna)
        let form = try #require(ConsoleForm(to: "/console/act", in: preview.text))
        for path in [form.action, form.action.replacing("/console/act", with: "/console/preview")] {
            let refused = try await server.post(form: path, form.body, reader)
            #expect(refused.status == 403)
            #expect(refused.text.contains("<code>keys add --role manage</code>"))
        }
        try await expectNoAct()
    }

    @Test func `without a session a post leads to the login`() async throws {
        let (server, anna) = (try server(), try await manager())
        let form = try #require(ConsoleForm(to: "/console/act", in: try await server.preview("mark", anna).text))
        let response = try await server.post(form: form.action, form.body)
        #expect(response.status == 303)
        #expect(response.headers["location"] == "/console/login")
        try await expectNoAct()
    }

    @Test func `a manage key acts on its own app only, and opens nothing besides the console`() async throws {
        let (server, anna) = (try server(), try await manager())
        _ = try await IngestTestServer.addApp("com.example.other", to: server.store)
        let preview = try await server.preview("mark", anna)
        var form = try #require(ConsoleForm(to: "/console/act", in: preview.text))
        form.action = form.action.replacing(IngestTestServer.app, with: "com.example.other")
        #expect(try await server.post(form: form.action, form.body, anna).status == 403)
        try await expectNoAct()
    }

    @Test(arguments: ["/console/preview", "/console/act"]) func `no GET changes anything`(path: String) async throws {
        let (server, anna) = (try server(), try await manager())
        let preview = try await server.preview("mark", anna)
        let form = try #require(ConsoleForm(to: "/console/act", in: preview.text))
        let query = try #require(form.action.split(separator: "?").last)
        let response = try await server.get("\(path)?\(query)&\(form.body)", anna[0])
        #expect(response.status == 405)
        #expect(response.headers["allow"] == "POST")
        try await expectNoAct()
    }

    @Test(arguments: [
        [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")], [("Origin", "https://evil.example")],
        [("Origin", "null")], [], [("Sec-Fetch-Site", "cross-site"), ("Origin", "http://localhost")],
    ]) func `an act that another site's page might have sent gets 403`(headers: [(String, String)]) async throws {
        let (server, anna) = (try server(), try await manager())
        let form = try #require(ConsoleForm(to: "/console/act", in: try await server.preview("mark", anna).text))
        let response = try await server.send(
            RawRequest(
                path: form.action,
                headers: headers + [("Content-Type", "application/x-www-form-urlencoded")] + anna,
                body: Array(form.body.utf8)))
        #expect(response.status == 403)
        try await expectNoAct()
    }

    @Test func `a form's token is its session's own, and is in no cookie and no URL`() async throws {
        let (server, anna, bea) = (try server(), try await manager(), try await manager("bea"))
        let preview = try await server.preview("mark", anna)
        let form = try #require(ConsoleForm(to: "/console/act", in: preview.text))
        let token = try #require(form.fields["token"])
        #expect(!form.action.contains(token))
        #expect(!anna[0].1.contains(token.split(separator: ".")[1]))
        let parts = token.split(separator: ".")
        for forged in ["", ".", token + "0", "\(parts[0]).", "9999999999.\(parts[1])", String(anna[0].1.suffix(64))] {
            var other = form
            other.fields["token"] = forged
            let refused = try await server.post(form: other.action, other.body, anna)
            #expect(refused.status == 403, "\(forged)")
            #expect(refused.text.contains("Open its page again"), "\(forged)")
        }
        #expect(try await server.post(form: form.action, form.body, bea).status == 403)
        try await expectNoAct()
    }

    @Test func `a session and its forms end when the key is revoked`() async throws {
        let server = try server()
        _ = try await manager()
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: .manage, holder: "anna")
        let anna = [("Cookie", try await server.login(key))]
        let preview = try await server.preview("mark", anna)
        #expect(try await server.store.keys.revoke(key))
        let deadline = ContinuousClock.now + .seconds(60)
        while try await server.get("/console", anna[0]).status == 200, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(100))
        }
        #expect(try await server.confirm(preview, anna).status == 303)
        try await expectNoAct()
    }
}

/// Acts behind a proxy that names the person.
@Suite struct `Console act settings` {
    private static let sample = Sample(Sample.reported("weather", at: "2026-11-20T09:30:00Z"))

    private func open(
        trusting address: String = "127.0.0.1", role: String? = "X-Role",
        _ body: @Sendable (IngestTestServer) async throws -> Void
    ) async throws {
        var options = ServerOptions()
        options.console.trustedProxies = [address]
        options.console.loginHeader = HTTPField.Name("X-Forwarded-User")
        options.console.roleHeader = role.flatMap { HTTPField.Name($0) }
        try await IngestTestServer.open(options: options) { server in
            #expect(try await server.accepts(Self.sample))
            try await server.night()
            try await body(server)
        }
    }

    @Test func `a proxy's role lets a person act, under the name that the proxy gives`() async throws {
        try await open { server in
            let anna = [("X-Forwarded-User", "anna"), ("X-Role", "manage")]
            let preview = try await server.preview("mark", anna)
            #expect(try await server.confirm(preview, anna).status == 200)
            #expect(try await server.sql("select actor, lifecycle from census.kind_act") == "anna|legacy")
            let form = try #require(ConsoleForm(to: "/console/act", in: preview.text))
            // Another person's browser can't use the form.
            let bea = [("X-Forwarded-User", "bea"), ("X-Role", "manage")]
            #expect(try await server.post(form: form.action, form.body, bea).status == 403)
        }
    }

    @Test(arguments: [
        [], [("X-Role", "read")], [("X-Role", "Manage")], [("X-Role", "manage,read")], [("X-Role", "")],
        [("X-Role", "manage"), ("X-Role", "manage")],
    ]) func `any other role only reads`(role: [(String, String)]) async throws {
        try await open { server in
            let anna = [("X-Forwarded-User", "anna")]
            let page = try await server.send(
                RawRequest(
                    method: "GET", path: "/console/kind?app=\(IngestTestServer.app)&kind=weather", headers: anna + role)
            )
            #expect(page.status == 200)
            #expect(ConsoleForm(to: "/console/preview", in: page.text) == nil)
            let path = "/console/act?app=\(IngestTestServer.app)&act=mark&kind=weather"
            #expect(try await server.post(form: path, "reason=x", anna + role).status == 403)
        }
    }

    @Test func `a role header from another address, or without a setting, means nothing`() async throws {
        let anna = [("X-Forwarded-User", "anna"), ("X-Role", "manage")]
        let path = "/console/act?app=\(IngestTestServer.app)&act=mark&kind=weather"
        try await open(trusting: "192.0.2.1") { (server: IngestTestServer) async throws in
            #expect(try await server.post(form: path, "reason=x", anna).status == 303)
        }
        try await open(role: nil) { (server: IngestTestServer) async throws in
            #expect(try await server.post(form: path, "reason=x", anna).status == 403)
        }
    }

    @Test func `where the console is open, nobody acts`() async throws {
        var options = ServerOptions()
        options.console.access = .open
        try await IngestTestServer.open(options: options) { server in
            #expect(try await server.accepts(Self.sample))
            try await server.night()
            let key = try await server.store.keys.add(app: IngestTestServer.app, role: .manage)
            let cookie = [("Cookie", try await server.login(key))]
            let page = try await server.get("/console/kind?app=\(IngestTestServer.app)&kind=weather", cookie[0])
            #expect(page.status == 200)
            #expect(ConsoleForm(to: "/console/preview", in: page.text) == nil)
        }
    }
}
