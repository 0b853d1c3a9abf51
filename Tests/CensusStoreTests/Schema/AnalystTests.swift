import CensusCore
import CensusStore
import Fleet
import Nightly
import Postgres
import PostgresTesting
import Testing

@Suite struct `Analysts` {
    private func withAnalyst(_ body: (TestStore, AnalystSession) async throws -> Void) async throws {
        try await TestStore.with { test in
            try await test.withAnalyst { try await body(test, $0) }
        }
    }

    private func views(_ test: TestStore) async throws -> [String] {
        try await test.lines(
            "select oid::regclass from pg_class where relnamespace = 'report'::regnamespace and relkind in ('v', 'm')")
    }

    @Test func `an analyst may read every view of the schema report`() async throws {
        try await withAnalyst { test, analyst in
            let views = try await views(test)
            #expect(views.count >= ReportReader.names.count)
            for view in views { #expect(await analyst.failure("select * from \(view)") == nil, "\(view)") }
            #expect(await analyst.failure("select * from live_kinds") == nil)
        }
    }

    @Test func `an analyst may read no other relation of ours`() async throws {
        try await withAnalyst { test, analyst in
            let relations = try await test.lines(
                """
                select format('%I.%I', nspname, relname)
                from pg_class
                join pg_namespace
                    on pg_namespace.oid = relnamespace
                where nspname in ('census', 'census_schema')
                    and relkind in ('r', 'p', 'v', 'm', 'S')
                """)
            #expect(relations.count > 20)
            for relation in relations {
                #expect(await analyst.failure("select * from \(relation)") == .insufficientPrivilege, "\(relation)")
            }
        }
    }

    /// The role's sessions begin read-only, but can switch that off.
    @Test func `an analyst may write nothing, not even outside read-only transactions`() async throws {
        try await withAnalyst { test, analyst in
            #expect(await analyst.failure("create temporary table x ()") == .readOnlyTransaction)
            #expect(await analyst.failure("set default_transaction_read_only = off") == nil)
            for attempt in [
                "create temporary table x ()", "create table report.x ()", "create table public.x ()",
                "create table census.x ()", "create schema x", "create view report.x as select 1",
                "insert into census.app (app_id) values ('x')", "delete from census.observation",
                "update census.night_run set failure = 'x'", "truncate census.span", "drop view report.live_kinds",
                "insert into report.live_kinds (app_id) values ('x')", "delete from report.live_now",
                "create function report.x() returns int language sql as 'select 1'",
                "create function pg_temp.x() returns int language sql as 'select 1'", "select lo_create(0)",
                "select lo_from_bytea(0, 'x')", "select lo_creat(-1)", "create role x", "set role census",
                "set session authorization census", "alter role \(analyst.name) superuser",
                "grant select on census.app to \(analyst.name)", "copy report.live_kinds to '/tmp/x'",
                "copy (select 1) to program 'true'", "create extension dblink", "alter system set fsync = off",
                "create publication x", "grant widget_census_analyst to pg_monitor", "alter schema census rename to x",
            ] {
                let state = await analyst.failure(attempt)
                // PostgreSQL rejects writes to views that sum, and extensions that are not on the server, before it
                // checks privileges.
                let isRefused =
                    state == .insufficientPrivilege || state?.rawValue == "55000"
                    || attempt.hasPrefix("create extension") && state?.rawValue == "0A000"
                #expect(isRefused, "\(attempt): \(state?.rawValue ?? "done")")
            }
        }
    }

    @Test func `an analyst may still read views that a migration made again`() async throws {
        try await withAnalyst { test, analyst in
            try await test.execute(
                """
                drop view report.live_kinds;
                create view report.live_kinds as select 1 as app_id, 2 as naive;
                update census_schema.version set digest = 'x' where version = 0
                """)
            #expect(await analyst.failure("select * from report.live_kinds") == .insufficientPrivilege)
            #expect(try await Migrator(store: test.store, logger: .quiet).migrate() == ["views"])
            for view in try await views(test) {
                #expect(await analyst.failure("select * from \(view)") == nil, "\(view)")
            }
        }
    }

    @Test func `an analyst of one database may not read another's reports on the same server`() async throws {
        try await withAnalyst { _, analyst in
            try await TestStore.with { other in
                _ = try await Migrator(store: other.store, logger: .quiet).migrate()
                let stranger = try await AnalystSession.open(analyst.name, other)
                #expect(await stranger.failure("select * from report.live_kinds") == .insufficientPrivilege)
                await stranger.connection.close()
            }
        }
    }

    @Test func `the server stores a verifier, and sessions begin with a timeout and a search path`() async throws {
        try await withAnalyst { test, analyst in
            let isVerifier = try await test.value(
                Bool.self, "select rolpassword like 'SCRAM-SHA-256$%' from pg_authid where rolname = $1",
                [analyst.name])
            #expect(isVerifier)
            #expect(try await analyst.rows("show statement_timeout").rows == [["1min"]])
            #expect(try await analyst.rows("show search_path").rows == [["report"]])
        }
    }

    @Test(arguments: ["", "Anna", "anna;", "an\"na", "1anna", "pg_anna", "public", "widget_census_analyst"])
    func `an analyst's name must be plain`(name: String) async throws {
        try await TestStore.with { test in
            let error = await #expect(throws: StoreError.self) { _ = try await test.store.analysts.add(name) }
            #expect(error?.fault == .request)
        }
    }

    @Test func `a role with another purpose is neither made an analyst nor removed`() async throws {
        try await TestStore.with { test in
            let error = await #expect(throws: StoreError.self) { _ = try await test.store.analysts.add("census") }
            #expect(error?.description.contains("choose another name") == true)
            let isRemoved = try await test.store.analysts.remove("census")
            #expect(!isRemoved)
        }
    }

    /// Any role may take advisory locks, and the names of ours are public.
    @Test func `an analyst's advisory locks delay no night, setting, erasure, partition or migration`()
        async throws
    {
        try await withAnalyst { test, analyst in
            let phone = try await test.toldPhone()
            try await test.store.upkeep.setRetention(days: 400)
            for name in ["widget-census settings", "widget-census partitions", "widget-census migrate"] {
                _ = try await analyst.rows("select pg_advisory_lock(hashtextextended('\(name)', 0))")
            }
            for name in ["kinds", "losses"] {
                _ = try await analyst.rows(
                    "select pg_advisory_lock(hashtextextended('\(name)', app)) from generate_series(1, 9) as app")
            }
            let session = try #require(try await analyst.rows("select pg_backend_pid()").rows[0][0])
            let blocked = "select count(*) from pg_stat_activity where \(session) = any(pg_blocking_pids(pid))"
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await test.night()
                    try await test.store.apps.set(TestStore.appID, AppSettings())
                    try await test.forget(phone)
                    try await PartitionKeeper(store: test.store, logger: .quiet).keep(from: .today, through: .today + 1)
                    _ = try await Migrator(store: test.store, logger: .quiet).migrate()
                }
                group.addTask {
                    while try await test.lines(blocked) == ["0"] { try await Task.sleep(for: .milliseconds(100)) }
                    Issue.record("somebody waits for an analyst")
                    await analyst.connection.close()
                }
                _ = try await group.next()
                group.cancelAll()
            }
        }
    }

    @Test func `status names an analyst who blocks a session of the census, without the query`() async throws {
        try await withAnalyst { test, analyst in
            #expect(try await test.store.status.read().blockers.filter { $0.role == analyst.name } == [])
            _ = try await analyst.rows("begin")
            _ = try await analyst.rows("select count(*) from report.live_kinds")
            async let blocked: Void = test.execute("alter table census.kind_day add column probe integer")
            let isNamed = try await eventually {
                try await test.store.status.read().blockers.contains { $0.role == analyst.name }
            }
            #expect(isNamed)
            let status = try await test.store.status.read()
            let blocker = try #require(status.blockers.first)
            #expect(blocker.waiting == 1)
            let concern = try #require(status.concerns.first { $0.sentence.contains("role \(analyst.name) blocks") })
            #expect(concern.command == "psql -c 'select pg_terminate_backend(\(blocker.pid))'")
            #expect(!concern.sentence.contains("select"))
            _ = try await analyst.rows("rollback")
            try await blocked
        }
    }

    @Test func `an analyst has limited connections and temporary files`() async throws {
        try await withAnalyst { test, analyst in
            let limits = try await test.lines(
                "select rolconnlimit, 'temp_file_limit=4GB' = any(rolconfig) from pg_roles where rolname = $1",
                [analyst.name])
            #expect(limits == ["20|t"])
            #expect(await analyst.failure("set temp_file_limit = -1") == .insufficientPrivilege)
            try await test.execute("alter role \(analyst.name) connection limit 3")
            _ = try await test.store.analysts.add(analyst.name)
            let chosen = try await test.lines(
                "select rolconnlimit from pg_roles where rolname = $1", [analyst.name])
            #expect(chosen == ["3"])
        }
    }

    /// Regression: a role that owned something could not be dropped, and kept reading.
    @Test func `an analyst who can't be dropped loses the login, and is dropped once that is possible`() async throws {
        try await TestStore.with { test in
            let name = "owner_of_\(test.database.name)"
            _ = try await test.store.analysts.add(name)
            try await test.execute("create schema theirs authorization \(name)")
            let error = await #expect(throws: StoreError.self) { _ = try await test.store.analysts.remove(name) }
            #expect(error?.description.contains("drop owned by") == true)
            let mayLogIn = try await test.value(
                Bool.self, "select rolcanlogin from pg_roles where rolname = $1", [name])
            #expect(!mayLogIn)
            try await test.execute("drop owned by \(name)")
            #expect(try await test.store.analysts.remove(name))
            let isGone = try await test.value(Bool.self, "select to_regrole($1) is null", [name])
            #expect(isGone)
        }
    }

    /// Phones' events pass through temporary tables, which a role may create only because everybody may.
    @Test func `adding an analyst doesn't cost a role of the service its temporary tables`() async throws {
        try await TestStore.with { test in
            let service = "service_of_\(test.database.name)"
            try await test.execute("create role \(service) login; grant usage on schema census to \(service)")
            try await test.withAnalyst { _ in }
            let other = try await AnalystSession.open(service, test)
            #expect(await other.failure("create temporary table x ()") == nil)
            await other.connection.close()
        }
    }
}

extension TestStore {
    fileprivate func toldPhone() async throws -> Phone {
        var phone = Phone("phone")
        phone.reports(["weather"], .day(0))
        try await tell(phone)
        return phone
    }
}
