import EmbeddedPostgres
import Foundation
import PostgresTesting
import Testing

@Suite struct `Commands` {
    @Test func `invalid usage exits 2 and suggests a correction`() async throws {
        let program = Program(environment: ["CENSUS_PROT": "80"])
        let typo = try await program.run("apps", "list")
        #expect(typo.status == 2)
        #expect(typo.errors.contains("unknown variable CENSUS_PROT in the environment (did you mean CENSUS_PORT?)"))
        #expect(typo.errors.contains("CENSUS_PORT"))

        let report = try await Program().run("report", "live_kind")
        #expect(report.status == 2)
        #expect(report.errors.contains("did you mean live_kinds?"))
        // It once suggested ghosts.
        #expect(
            try await Program().run("report", "foo").errors
                .contains("there is no report foo. The reports are live_now, "))

        #expect(try await Program().run("nonsense").status == 2)

        let closed = try await Program().run("losses", "close", "radar", "--to", "20.13", "--app", "a")
        #expect(closed.status == 2)
        #expect(closed.errors.contains("give a reason with --because"))
    }

    /// The status used to be 3, as if the store were away, which is retried forever.
    @Test(arguments: [
        "", "garbage", "localhost:5432/census", "http://db/census", "host=db port=many", "postgresql://db:1:2/x",
    ])
    func `an invalid DATABASE_URL exits 2`(url: String) async throws {
        let program = Program(environment: ["DATABASE_URL": url, "CENSUS_SECRET": "a secret of the tests"])
        let outcome = try await program.run("report", "live_now")
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains("widget-census: "))
        #expect(url.isEmpty || !outcome.errors.contains(url))
    }

    @Test func `a store that is away exits 3`() async throws {
        let program = Program(environment: [
            "DATABASE_URL": "postgresql://127.0.0.1:1/census", "CENSUS_SECRET": "a secret of the tests",
        ])
        let outcome = try await program.run("report", "live_now")
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("widget-census:"))
    }

    @Test func `serve rejects a database without the schema and says what to run`() async throws {
        let program = Program.onDatabase(try await TestDatabase.create())
        let outcome = try await program.run("serve", "--port", "0")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("run `widget-census migrate`"))
    }

    @Test func `a secret other than the first is rejected`() async throws {
        let database = try await TestDatabase.migrated()
        var program = Program.onDatabase(database)
        program.environment["CENSUS_SECRET"] = "another secret, long enough"
        let outcome = try await program.run("apps", "list")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("CENSUS_SECRET is not the secret"))
    }

    @Test func `keys add prints only the key, and keys revoke accepts it once`() async throws {
        let program = Program.onDatabase(try await TestDatabase.migrated())
        #expect(try await program.run("keys", "add", "--app", "com.example.a").status == 2)
        #expect(try await program.run("apps", "add", "com.example.a").output == "added com.example.a\n")
        let key = try await program.run("keys", "add", "--app", "com.example.a")
        #expect(key.status == 0)
        #expect(key.output.wholeMatch(of: /wc_write_[0-9a-f]{64}\n/) != nil)
        #expect(try await program.run("keys", "revoke", input: key.output).status == 0)
        #expect(try await program.run("keys", "revoke", input: key.output).status == 1)
    }

    /// A secret printed to a full disk was once lost, with exit status 0.
    @Test(arguments: [["keys", "add", "--app", "com.example.a"], ["apps", "list"], ["--help"]])
    func `output that can't be written exits 3 with an error`(command: [String]) async throws {
        var program = Program.onDatabase(try await TestDatabase.migrated())
        try await program.run("apps", "add", "com.example.a")
        program.outputPath = "/dev/full"
        let lost = try await program.start(command).finished()
        #expect(lost.status == 3)
        #expect(lost.errors.contains("standard output could not be written: No space left on device"))
    }

    @Test func `an error quotes an argument without its terminal control characters`() async throws {
        let program = Program.onDatabase(try await TestDatabase.migrated())
        try await program.run("apps", "add", "com.example.a")
        let refused = try await program.run("kinds", "show", "\u{1B}[31mred", "--app", "com.example.a")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("com.example.a has no kind \u{FFFD}[31mred; "))
    }

    /// One used to say `legacy` where the other said `retire_ready`.
    @Test func `the list and the report agree that a legacy kind is ready`() async throws {
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        let app = "com.example.weather"
        try await program.run("apps", "add", app)
        let fleet = try await program.run("simulate", "--devices", "20", "--days", "9", "--output", "-").output
        try await program.run("import", "-", input: fleet)
        try await program.run(
            "apps", "set", app, "--limit-share", "1", "--ready-days", "1", "--coverage", "0")
        try await program.run("kinds", "mark", "weather", "--legacy", "--app", app)
        _ = try await TestServer.shared().query(
            "update census.kind_act set acted_at = acted_at - interval '100 days'", database: database.name)
        #expect(try await program.run("nightly").status == 0)
        #expect(try await program.run("kinds", "show", "weather", "--app", app, "--check").status == 0)
        let list = try await program.run("kinds", "list", "--app", app, "--format", "csv").output
        #expect(list.contains(/"weather","retire_ready","widget",\d+,\d+,\d+,\d+,"yes"/), "\(list)")
        #expect(
            list.contains(/"com.example.weather.forecast","active","widget",\d+,\d+,\d+,\d+,"once marked"/), "\(list)")
        let report = try await program.run("report", "retirement", "--format", "csv").output
        #expect(report.contains(#""weather","retire_ready","#), "\(report)")
    }

    /// As text, 20.9 is after 20.12.
    @Test func `a report sorts versions by their numbers`() async throws {
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        try await program.run("apps", "add", "com.example.a")
        _ = try await TestServer.shared().query(
            """
            insert into census.loss_version (app_number, to_version, first_day, place, kinds, false_alarms)
            select app_number, version, current_date, 1, 1, 0.01
            from census.app, unnest(array['20.12', '20.9', '20.13', 'beta']) as version;
            insert into census.loss_watch (app_number, surface, kind, to_version, chance, tolerance, judged_on)
            select app_number, 'widget', 'radar', to_version, 0.1, 1, current_date from census.loss_version;
            insert into census.loss_origin (
                app_number, surface, kind, to_version, from_version, upgraders, lost, exposed_seconds, others, others_lost,
                others_seconds, evidence, devices_at_risk)
            select app_number, 'widget', 'radar', '20.13', version, 0, 0, 0, 0, 0, 0, 1, 0 from census.app, unnest(array['20.12', '20.9']) as version
            """, database: database.name)
        let report = try await program.run("report", "mass_losses", "--format", "csv").output
        let updates = report.split(separator: "\r\n").dropFirst().map { row in
            row.split(separator: ",", omittingEmptySubsequences: false)[3...4].joined(separator: " to ")
        }
        #expect(
            updates == [
                #""20.9" to "20.13""#, #""20.12" to "20.13""#, #" to "20.9""#, #" to "20.12""#, #" to "20.13""#,
                #" to "beta""#,
            ])
    }

    @Test func `simulate only drops a kind that its app has`() async throws {
        for kind in ["", "radar"] {
            let refused = try await Program().run("simulate", "--drop", kind, "--output", "-")
            #expect(refused.status == 2)
            #expect(refused.errors.contains("one of the app's kinds: com.example.weather.CurrentWidgetProvider, "))
        }
    }

    @Test func `kinds show has an active kind's holders, and a reopened kind's decisions`() async throws {
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        let app = "com.example.weather"
        try await program.run("apps", "add", app)
        let fleet = try await program.run("simulate", "--devices", "20", "--days", "5", "--output", "-").output
        try await program.run("import", "-", input: fleet)
        try await program.run("nightly")
        let active = try await program.run("kinds", "show", "weather", "--app", app)
        #expect(active.status == 0)
        let beginning =
            /weather of com\.example\.weather: ACTIVE: it can't be dropped: \d+ devices might still have it, and the limit is 3\n\nDevices with it now:/
        #expect(active.output.prefixMatch(of: beginning) != nil, "\(active.output)")
        for part in [
            "\nIf it were marked legacy today:\n", "It is not marked legacy yet", "going_by", "the last 28 days",
            "At most 3 devices may still have it, as in every small app: ",
            "To mark it as legacy:      widget-census kinds mark weather --legacy",
            "Before a release drops it: widget-census preflight --drop weather --app \(app)\n",
        ] { #expect(active.output.contains(part), "\(part)") }
        let tried = try await program.run("kinds", "show", "weather", "--app", app, "--limit-share", "1").output
        #expect(tried.contains("These limits are tried, not stored. At most "))
        let share = /100% of \d+ active devices \(`--limit-share`\), which is less than/
        #expect(tried.contains(share))
        #expect(try await program.run("apps", "set", app, "--limit", "200").errors.contains("as in every small app"))
        #expect(try await program.run("kinds", "show", "weather", "--app", app, "--check").status == 1)

        // If devices have the kind on a surface that nobody marked, it can't be dropped.
        _ = try await TestServer.shared().query(
            """
            insert into census.kind_act (app_number, surface, kind, lifecycle, actor, devices_certain, devices_possible)
            select app_number, 'control', 'weather', 'retired', 'bea', 0, 0 from census.app
            """, database: database.name)
        #expect(try await program.run("kinds", "show", "weather", "--app", app, "--check").status == 1)
        _ = try await TestServer.shared().query("delete from census.kind_act", database: database.name)

        try await program.run("kinds", "mark", "weather", "--legacy", "--app", app, "--by", "anna")
        let set = try await program.run(
            "apps", "set", app, "--limit-share", "100%", "--by", "bea", "--because", "a trial")
        #expect(set.errors.contains(share))
        #expect(set.output == "changed \(app): limit_share from 0.0003 to 1.0\n")
        #expect(
            try await program.run("apps", "set", app, "--limit-share", "1").output
                == "\(app) already had these settings\n")
        try await program.run("kinds", "reopen", "weather", "--app", app, "--by", "carl", "--because", "we keep it")
        let reopened = try await program.run("kinds", "show", "weather", "--app", app).output
        let droppable =
            /: ACTIVE: it can be dropped once it has been marked legacy for 90 days: \d+ devices might still have it, and the limit is \d+\n/
        #expect(reopened.contains(droppable), "\(reopened)")
        for line in [
            " anna marked it legacy (", " bea changed the app's limit_share from 0.0003 to 1.0, because: a trial\n",
            " carl reopened it (",
        ] { #expect(reopened.contains(line)) }
    }

    @Test func `a simulated fleet is imported, closed and reported, and a repeat changes nothing`() async throws {
        let program = Program.onDatabase(try await TestDatabase.migrated())
        try await program.run("apps", "add", "com.example.weather")
        let fleet = try await program.run("simulate", "--devices", "20", "--days", "5", "--output", "-").output

        let first = try await program.run("import", "-", input: fleet)
        #expect(first.status == 0)
        #expect(first.output.contains(" 0 bad lines"))
        let again = try await program.run("import", "-", input: fleet)
        #expect(again.output.contains(": 0 new, "))

        #expect(try await program.run("nightly").output.contains("com.example.weather: closed"))
        let report = try await program.run("report", "live_kinds", "--format", "csv").output
        #expect(report.split(separator: "\r\n").count > 5)
        #expect(try await program.run("nightly").output.contains(" 0 numbers (day, kind) new or changed"))
        #expect(try await program.run("report", "live_kinds", "--format", "csv").output == report)

        let mark = ["kinds", "mark", "weather", "--legacy", "--app", "com.example.weather"]
        let effect = #/  Lets apps hide weather from at most \d+ devices? that lacks? it; /#
        let tried = try await program.start(mark + ["--dry-run"]).finished()
        #expect(tried.output.hasPrefix("Nothing was changed (--dry-run). This decision:\n"), "\(tried.errors)")
        #expect(tried.output.contains(effect), "\(tried.output)")
        let marked = try await program.start(mark).finished()
        #expect(marked.output.hasPrefix("weather is now legacy: decided by "))
        #expect(marked.output.contains(effect), "\(marked.output)")
        #expect(marked.output.contains("\n  You can reopen it at any time.\n"))
        let verdict = try await program.run("report", "retirement", "--format", "json").output
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(verdict.utf8)) as? [[String: Any]])
        #expect(rows.first?["verdict"] as? String == "not ready")
        #expect(rows.first?["limit_devices"] as? Int == 3)
    }

    @Test func `the first migration doesn't mention queued devices`() async throws {
        let migrated = try await Program.onDatabase(try await TestDatabase.create()).run("migrate")
        #expect(migrated.status == 0)
        #expect(!migrated.errors.contains("every device is queued"))
    }

    /// The schema was once created anyway, and couldn't be distributed when workers were added.
    @Test func `migrate --distributed rejects a single PostgreSQL and writes nothing to it`() async throws {
        let database = try await TestDatabase.create()
        let program = Program.onDatabase(database)
        let refused = try await program.run("migrate", "--distributed")
        #expect(refused.status == 2)
        // The machine might have Citus although the test's server doesn't use it.
        let refusals = ["has no Citus; install it", "run `create extension citus` in it"]
        #expect(refusals.contains { refused.errors.contains($0) })
        #expect(try await database.query("select count(*) from pg_namespace where nspname ~ 'census|report'") == "0")
        #expect(try await program.run("migrate").status == 0)
        #expect(try await program.run("status", "--format", "json").output.contains("\"form\" : \"server\""))
    }

    @Test func `an error names five of many apps and counts the others`() async throws {
        let program = Program.onDatabase(try await TestDatabase.migrated())
        for name in ["a", "b", "c", "d", "e"] { try await program.run("apps", "add", name) }
        let unknown = try await program.run("kinds", "list", "--app", "x")
        #expect(unknown.errors.contains("The known apps are: a, b, c, d, e. Add"))
        for name in ["f", "g"] { try await program.run("apps", "add", name) }
        let refused = try await program.run("kinds", "list", "--app", "x")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("there is no app x. The known apps are: a, b, c, d, e and 2 more. Add"))
    }

    @Test func `a decision on a kind with several surfaces is printed for each`() async throws {
        let program = Program.onDatabase(try await TestDatabase.migrated())
        try await program.run("apps", "add", "com.example.weather")
        let fleet = try await program.run("simulate", "--devices", "5", "--days", "3", "--output", "-").output
        let reported = #""type":"widgets_reported""#
        let controls = fleet.replacingOccurrences(of: reported, with: #""surface":"control","# + reported)
            .replacingOccurrences(of: #""device":{"id":""#, with: #""device":{"id":"other "#)
        try #require(controls != fleet)
        for lines in [fleet, controls] { #expect(try await program.run("import", "-", input: lines).status == 0) }
        #expect(try await program.run("nightly").status == 0)

        func mark() async throws -> String {
            try await program.run(
                "kinds", "mark", "weather", "--legacy", "--app", "com.example.weather", "--by", "anna"
            ).output
        }
        let marked = try await mark().split(separator: "\n")
        #expect(marked.first?.hasPrefix("weather is now legacy on control: decided by anna when ") == true)
        #expect(marked.dropFirst().first?.hasPrefix("weather is now legacy on widget: decided by anna when ") == true)
        #expect(try await mark() == "weather is already legacy; nothing was recorded\n")
        let list = try await program.run("kinds", "list", "--app", "com.example.weather", "--format", "csv").output
        #expect(
            list.contains(
                /"weather","legacy","control",\d+,\d+,0,3,"unknown"\r\n"weather","legacy","widget",\d+,\d+,0,3,"unknown"\r\n/
            ))
    }

    /// A release that took a kind from all of its few holders used to go unreported.
    @Test func `losses list reports a likely loss that isn't an incident`() async throws {
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        try await program.run("apps", "add", "com.example.weather")
        try await database.query(
            """
            insert into census.loss_version (app_number, to_version, first_day, place, kinds, false_alarms)
            select app_number, '20.13', current_date, 1, 1, 0.01 from census.app;
            insert into census.loss_watch (app_number, surface, kind, to_version, chance, tolerance, state, upgraders, lost, judged_on)
            select app_number, 'widget', kind, '20.13', 0.1, 1, 'watched', 27, lost, current_date
            from census.app, (values ('radar', 27), ('weather', 4), ('hourly', 13)) as kinds (kind, lost)
            """)
        let list = try await program.run("losses", "list", "--app", "com.example.weather")
        #expect(list.status == 0)
        #expect(
            list.errors.contains(
                "27 of 27 devices that updated to 20.13 lost radar; see widget-census losses show radar --to 20.13 --app com.example.weather"
            ))
        #expect(!list.errors.contains("weather:") && !list.errors.contains("hourly"))
        let page = try await program.run("losses", "show", "radar", "--app", "com.example.weather")
        #expect(page.output.contains("even a total loss would not be beyond doubt"), "\(page.output)")
        try await database.query("update census.loss_watch set unmatched_with_os = 20, late = 7")
        let told = try await program.run("losses", "show", "radar", "--app", "com.example.weather").output
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(!told.contains("too few updates"), "\(told)")
        #expect(told.contains("20 updated devices don't count as evidence: the OS was updated, too"), "\(told)")
        #expect(told.contains("7 updated devices don't count as evidence: the next report came only after"), "\(told)")
    }

    @Test func `import skips a bad line and reports its number`() async throws {
        let program = Program.onDatabase(try await TestDatabase.migrated())
        try await program.run("apps", "add", "com.example.weather")
        let fleet = try await program.run("simulate", "--devices", "1", "--days", "2", "--output", "-").output
        let lines = fleet.split(separator: "\n")
        let spoiled = ([lines[0], "{\"sent_at\": 1}"] + lines.dropFirst()).joined(separator: "\n")
        let outcome = try await program.run("import", "-", input: spoiled)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("-:2: "))
        #expect(outcome.output.hasPrefix("\(lines.count) batches"))
        #expect(outcome.output.contains("1 bad line\n"))
    }
}
