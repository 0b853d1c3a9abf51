import CensusCore
import CensusStore
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

    @Test func `may read every view of the schema report`() async throws {
        try await withAnalyst { test, analyst in
            let views = try await views(test)
            #expect(views.count >= ReportReader.names.count)
            for view in views { #expect(await analyst.failure("select * from \(view)") == nil, "\(view)") }
            #expect(await analyst.failure("select * from live_kinds") == nil)
        }
    }

    @Test func `may read nothing else of ours`() async throws {
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

    /// The role begins read only, and may say that it would rather not.
    @Test func `may write nothing, not even outside read-only transactions`() async throws {
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
                // Views that sum can't be written to by anybody, which is noticed before the rights are; so are extensions that
                // are not on the server.
                let isRefused =
                    state == .insufficientPrivilege || state?.rawValue == "55000"
                    || attempt.hasPrefix("create extension") && state?.rawValue == "0A000"
                #expect(isRefused, "\(attempt): \(state?.rawValue ?? "done")")
            }
        }
    }

    @Test func `still may read after a migration made the views again`() async throws {
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

    @Test func `of one database may not read the reports of another on the same server`() async throws {
        try await withAnalyst { _, analyst in
            try await TestStore.with { other in
                _ = try await Migrator(store: other.store, logger: .quiet).migrate()
                let stranger = try await AnalystSession.open(analyst.name, other)
                #expect(await stranger.failure("select * from report.live_kinds") == .insufficientPrivilege)
                await stranger.connection.close()
            }
        }
    }

    @Test func `are kept by the server as a verifier, and begin read only with a limit on time`() async throws {
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
    func `have plain names`(name: String) async throws {
        try await TestStore.with { test in
            let error = await #expect(throws: StoreError.self) { _ = try await test.store.analysts.add(name) }
            #expect(error?.fault == .request)
        }
    }

    @Test func `are not made of roles that are there for something else, nor are those removed`() async throws {
        try await TestStore.with { test in
            let error = await #expect(throws: StoreError.self) { _ = try await test.store.analysts.add("census") }
            #expect(error?.description.contains("choose another name") == true)
            let isRemoved = try await test.store.analysts.remove("census")
            #expect(!isRemoved)
        }
    }

    /// Phones' events pass through temporary tables, and a role has the right to make some only from everybody's.
    @Test func `do not cost a role of the service its temporary tables`() async throws {
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
