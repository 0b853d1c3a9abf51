import EmbeddedPostgres
import Foundation
import PostgresTesting
import Testing

@Suite struct `Status of a census` {
    private static let app = "com.example.weather"

    private func run(_ program: Program, _ arguments: String...) async throws -> [String: Any] {
        let outcome = try await program.start(["status", "--format", "json"] + arguments).finished()
        return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    /// Leaves out the warning about the tests' server, which doesn't sync its disk.
    private func attention(_ status: [String: Any]) -> [[String: Any]] {
        (status["attention"] as? [[String: Any]] ?? []).filter { $0["subject"] as? String != "database" }
    }

    private func subjects(_ status: [String: Any]) -> [String] {
        attention(status).compactMap { $0["subject"] as? String }
    }

    /// The commands that the status suggests, as arguments.
    private func commands(_ status: [String: Any]) -> [[String]] {
        attention(status).compactMap { $0["command"] as? String }
            .map { $0.split(separator: " ").dropFirst().map(String.init) }
    }

    @Test func `a healthy census needs no attention, and status shows its figures`() async throws {
        let program = Program.onDatabase(try await TestDatabase.migrated())
        let empty = try await program.run("status")
        #expect(subjects(try await run(program)) == [])
        #expect(empty.output.contains("No app yet: add one with `widget-census apps add APP_ID`\n"))

        try await program.run("apps", "add", Self.app)
        let fleet = try await program.run("simulate", "--devices", "10", "--days", "3", "--output", "-").output
        #expect(try await program.run("import", "-", input: fleet).status == 0)
        #expect(try await program.run("nightly").status == 0)
        let text = try await program.run("status")
        #expect(text.status == 0, "\(text.output)")
        for claim in [
            "PostgreSQL ", ", a server\n", "days closed, 0 restated", "everything in PostgreSQL", Self.app,
        ] {
            #expect(text.output.contains(claim), "\(claim): \(text.output)")
        }
        let status = try await run(program)
        let app = try #require((status["apps"] as? [[String: Any]])?.first)
        #expect(app["devices_active"] as? Int ?? 0 > 5)
        #expect(app["last_closed"] as? String == app["last_ended"] as? String)
        #expect((status["night"] as? [String: Any])?["days_closed"] as? Int ?? 0 > 0)
        #expect(try await program.run("status", "--app", "com.example.other").status == 2)
    }

    @Test func `status reports today's failed reads before a night has counted them`() async throws {
        let program = Program.onDatabase(try await TestDatabase.migrated())
        try await program.run("apps", "add", Self.app)
        let now = Date.now.formatted(.iso8601)
        let batches = (0..<60).map { number in
            let result = number < 30 ? #""error": {"domain": "CHSErrorDomain", "code": 1101}"# : #""widgets": []"#
            return """
                {"received_at": "\(now)", "sent_at": "\(now)", "app": {"id": "\(Self.app)", "version": "1.0"}, \
                "device": {"id": "phone \(number)", "platform": "ios"}, "installation": {"id": "phone \(number) A"}, \
                "events": [{"id": "1", "type": "widgets_reported", "at": "\(now)", \(result)}]}
                """
        }
        #expect(try await program.run("import", "-", input: batches.joined(separator: "\n") + "\n").status == 0)
        let status = try await run(program)
        #expect(subjects(status) == ["reads"])
        let app = try #require((status["apps"] as? [[String: Any]])?.first)
        #expect(app["reads_today"] as? Int == 60)
        #expect(app["reads_failed_today"] as? Int == 30)
    }

    /// Nothing is stored with such a fault, but `--check` used to exit 0.
    @Test(arguments: [
        (
            "PostgreSQL takes no writes", "alter database %I set default_transaction_read_only = on",
            "alter database"
        ),
        (
            "texts sort differently",
            """
            create table public.theirs (name text collate "und-x-icu" primary key); \
            update pg_collation set collversion = '0' where collname = 'und-x-icu'
            """, "reindex database concurrently"
        ),
    ]) func `status names a database's fault and a command that fixes it`(
        sentence: String, fault: String, command: String
    ) async throws {
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        func concern() async throws -> [String: Any]? {
            (try await run(program)["attention"] as? [[String: Any]])?.first {
                ($0["sentence"] as? String)?.contains(sentence) == true
            }
        }
        #expect(try await concern() == nil)
        for part in fault.replacing("%I", with: database.name).split(separator: "; ") {
            _ = try await TestServer.shared().query(String(part), database: database.name)
        }
        let remedy = try #require(try await concern()?["command"] as? String)
        #expect(remedy.contains(command), "\(remedy)")
        let checked = try await program.run("status", "--check")
        #expect(checked.status == 1)
        #expect(checked.output.contains(sentence))
        for statement in remedy.matches(of: /-c '([^']*)'/).map({ String($0.1) }) where !statement.hasPrefix("default_")
        {
            // Sessions on another database can write from the start, like those of the suggested command.
            let place = statement.hasPrefix("alter database") ? "postgres" : database.name
            _ = try await TestServer.shared().query(statement, database: place)
        }
        #expect(try await concern() == nil)
    }

    /// Each fault is written to the tables, where status would find it.
    @Test(arguments: [
        ("night", "update census.night_run set failure = 'the disk was full'"),
        ("night", "update census.night_run set finished_at = null, started_at = now() - interval '7 hours'"),
        (
            "night",
            "update census.app_night set fault = 'ours', failure = 'a sentence', failed_at = now()"
        ),
        (
            "night",
            """
            delete from census.closed_day where day > current_date - 4;
            update census.known_name set first_seen_at = now() - interval '9 days'
            """
        ),
        (
            "night",
            """
            insert into census.app_night (app_number, is_doubted) select app_number, true from census.app
            on conflict (app_number) do update set is_doubted = true
            """
        ),
        (
            "night",
            "insert into census.closed_day (app_number, day) select app_number, current_date + 3 from census.app"
        ),
        (
            "loss",
            """
            insert into census.loss_version (app_number, to_version, first_day, place, kinds, false_alarms)
            select app_number, '20.13', current_date, 1, 1, 0.01 from census.app;
            insert into census.loss_watch (app_number, surface, kind, to_version, chance, tolerance, state)
            select app_number, 'widget', 'radar', '20.13', 0.1, 1, 'open' from census.app
            """
        ),
        (
            "set_aside",
            """
            insert into census.set_aside (device_id, app_number, reason)
            select device_id, app_number, 'a state that can''t be read' from census.device limit 1
            """
        ),
        (
            "reconciliation",
            """
            insert into census.pending_device (device_id, app_number, queued_at)
            select device_id, app_number, now() - interval '1 hour' from census.device
            """
        ),
        (
            "refused",
            """
            insert into census.refused (device_id, refused_on, digest, app_number, received_at, code, message, event)
            select device_id, (now() at time zone 'UTC')::date, '', app_number, now(), 'too_old', 'too old', ''
            from census.device limit 1
            """
        ),
        (
            "webhooks",
            """
            insert into census.webhook (app_number, url, secret, allows_private, added_by, failing_since)
            select app_number, 'https://hooks.example.com', '', false, 'anna', now() from census.app
            """
        ),
    ]) func `status names what needs attention, with a valid command`(subject: String, fault: String) async throws {
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        try await program.run("apps", "add", Self.app)
        let fleet = try await program.run("simulate", "--devices", "5", "--days", "12", "--output", "-").output
        #expect(try await program.run("import", "-", input: fleet).status == 0)
        #expect(try await program.run("nightly").status == 0)
        #expect(subjects(try await run(program)) == [])
        _ = try await TestServer.shared().query(fault, database: database.name)

        let status = try await run(program)
        #expect(subjects(status) == [subject], "\(status["attention"] ?? "")")
        let checked = try await program.run("status", "--check")
        #expect(checked.status == 1)
        #expect(checked.output.contains(" need attention:\n"))
        #expect(try await program.run("status").status == 0)
        for command in commands(status) {
            let outcome = try await program.start(command).finished()
            // `losses show` needs figures that this fault lacks.
            #expect(outcome.status == 0 || subject == "loss", "\(command): \(outcome.errors)")
        }
    }

    /// A private PostgreSQL syncs its disk, so nothing is wrong.
    @Test func `status names a private PostgreSQL's folder, and nothing needs attention`() async throws {
        let (program, folder) = try await Program.embedded()
        defer { folder.remove() }
        let outcome = try await program.run("status", "--check")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("Nothing needs attention.\n"))
        #expect(outcome.output.contains("private, in") && outcome.output.contains(folder.path))
    }

    @Test func `status sorts by urgency what needs attention, and --app limits it to one app`() async throws {
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        for app in [Self.app, "com.example.search"] { try await program.run("apps", "add", app) }
        _ = try await TestServer.shared().query(
            """
            insert into census.webhook (app_number, url, secret, allows_private, added_by, gone_at)
            select app_number, 'https://hooks.example.com', '', false, 'anna', now() from census.app;
            insert into census.loss_version (app_number, to_version, first_day, place, kinds, false_alarms)
            select app_number, '20.13', current_date, 1, 1, 0.01 from census.app;
            insert into census.loss_watch (app_number, surface, kind, to_version, chance, tolerance, state)
            select app_number, 'widget', 'radar', '20.13', 0.1, 1, 'open' from census.app where app_id like '%weather'
            """, database: database.name)
        #expect(subjects(try await run(program)) == ["loss", "webhooks", "webhooks"])
        #expect(subjects(try await run(program, "--app", "com.example.search")) == ["webhooks"])
    }

    /// The last night's failure names every app that failed.
    @Test func `status --app ignores another app's failed night`() async throws {
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        for app in [Self.app, "com.example.search"] { try await program.run("apps", "add", app) }
        _ = try await TestServer.shared().query(
            """
            insert into census.app_night (app_number, fault, failure, failed_at)
            select app_number, 'ours', 'a sentence', now() from census.app where app_id like '%search';
            insert into census.night_run (finished_at, failure, apps_failed)
            values (now(), 'com.example.search could not be closed: a sentence', 1)
            """, database: database.name)
        #expect(subjects(try await run(program)) == ["night"])
        #expect(subjects(try await run(program, "--app", Self.app)) == [])
    }

    @Test func `status reports a spool that another process has open`() async throws {
        let folder = TestFolder()
        defer { folder.remove() }
        var program = Program.onDatabase(try await TestDatabase.migrated())
        program.environment["CENSUS_SPOOL_DIR"] = folder.path
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        // The length of the last file is the number of batches.
        for (name, size) in [("", 19 << 20), ("-wal", 1 << 20), ("-batches", 5_000)] {
            try Data(count: size).write(to: URL(fileURLWithPath: folder.path + "/00000042.sqlite" + name))
        }
        // A file and its log count as one.
        for name in ["00000041.sqlite.damaged-1", "00000041.sqlite.damaged-1-wal", "spool.sqlite.unread-2-wal"] {
            try Data().write(to: URL(fileURLWithPath: folder.path + "/" + name))
        }
        let status = try await run(program)
        #expect(subjects(status) == ["spool", "spool"])
        let spool = try #require(status["spool"] as? [String: Any])
        #expect(spool["bytes"] as? Int == 20 << 20)
        #expect(spool["batches"] as? Int == 5_000)
        #expect(spool["files_put_aside"] as? Int == 2)
        let text = try await program.run("status").output
        #expect(text.contains("5,000 batches are in the spool"), "\(text)")
        #expect(text.contains("5,000 batches, 20 MiB of "), "\(text)")
    }

    /// Status once ignored a spool below 8 MiB.
    @Test func `status reports a single batch in the spool`() async throws {
        let folder = TestFolder()
        defer { folder.remove() }
        var program = Program.onDatabase(try await TestDatabase.migrated())
        program.environment["CENSUS_SPOOL_DIR"] = folder.path
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        #expect(subjects(try await run(program)) == [])
        for (name, size) in [("", 4_096), ("-wal", 12_392), ("-batches", 1)] {
            try Data(count: size).write(to: URL(fileURLWithPath: folder.path + "/00000042.sqlite" + name))
        }
        #expect(subjects(try await run(program)) == ["spool"])
        let checked = try await program.run("status", "--check")
        #expect(checked.status == 1)
        #expect(checked.output.contains("1 batch is in the spool"), "\(checked.output)")
    }
}
