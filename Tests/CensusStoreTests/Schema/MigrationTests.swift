import CensusCore
import CensusStore
import Foundation
import Logging
import Postgres
import PostgresTesting
import Testing

@Suite struct `Migrations` {
    private func withEmptyDatabase(_ body: (Store, Migrator) async throws -> Void) async throws {
        try await Turnstile.shared.pass { try await withOwnDatabase(body) }
    }

    private func withOwnDatabase(_ body: (Store, Migrator) async throws -> Void) async throws {
        let database = try await TestDatabase.create()
        let store = Store(
            connectionString: database.connectionString, maximumConnections: 16,
            acquireDeadline: TestDatabase.acquireDeadline, logger: .quiet)
        do {
            try await body(store, Migrator(store: store, logger: .quiet))
        } catch {
            await store.shutdown()
            throw error
        }
        await store.shutdown()
        try await database.drop()
    }

    private func execute(_ script: String, on store: Store) async throws {
        try await store.pool.execute(script: Statement("test", script))
    }

    private func lines(_ text: String, on store: Store) async throws -> [[String?]] {
        try await store.pool.queryText(Statement("test", text)).rows
    }

    /// The folder's files in order, then the views.
    private let names: [String]

    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../sql/migrations")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        names = files.filter { $0.hasSuffix(".sql") }.map { String($0.dropLast(4)) }.sorted() + ["views"]
        // A missing folder must not pass as an empty list.
        try #require(names.count > 20 && names[0] == "0001_census")
    }

    private let versions = "select * from census_schema.version order by version"

    @Test func `an empty database becomes current`() async throws {
        try await withEmptyDatabase { _, migrator in
            #expect(try await migrator.state() == .empty)
            let applied = try await migrator.migrate()
            #expect(applied == names)
            #expect(try await migrator.state() == .current)
            try await migrator.requireCurrent()
        }
    }

    @Test func `a second run changes nothing`() async throws {
        try await withEmptyDatabase { store, migrator in
            _ = try await migrator.migrate()
            let before = try await lines(versions, on: store)
            #expect(try await migrator.migrate() == [])
            #expect(try await lines(versions, on: store) == before)
        }
    }

    @Test func `eight migrators at once apply each migration once`() async throws {
        try await withEmptyDatabase { store, migrator in
            let applied = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<8 { group.addTask { try await migrator.migrate() } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(applied.sorted() == names)
            #expect(try await migrator.state() == .current)
        }
    }

    @Test func `a newer database is rejected`() async throws {
        try await withEmptyDatabase { store, migrator in
            _ = try await migrator.migrate()
            try await execute("insert into census_schema.version values (99, '0099_later', 'x')", on: store)
            #expect(try await migrator.state() == .newer(version: 99))
            let errors = [
                await #expect(throws: StoreError.self) { try await migrator.requireCurrent() },
                await #expect(throws: StoreError.self) { _ = try await migrator.migrate() },
            ]
            for error in errors {
                #expect(error?.fault == .request)
                #expect(error?.description.contains("run a newer program") == true)
            }
        }
    }

    /// A restore makes the tables first and fills them later.
    @Test(arguments: ["drop schema census_schema cascade", "delete from census_schema.version"])
    func `a half-restored database is rejected at start and by a migration`(spoil: String) async throws {
        try await withEmptyDatabase { store, migrator in
            _ = try await migrator.migrate()
            try await execute(spoil, on: store)
            let error = await #expect(throws: StoreError.self) { _ = try await migrator.migrate() }
            #expect(error?.fault == .request)
            #expect(error?.description.contains("restore it again") == true)
            let refused = await #expect(throws: StoreError.self) { try await migrator.requireCurrent() }
            #expect(refused?.fault == .request)
        }
    }

    @Test func `a database with a foreign schema named report is rejected`() async throws {
        try await withEmptyDatabase { store, migrator in
            try await execute("create schema report", on: store)
            let error = await #expect(throws: StoreError.self) { _ = try await migrator.migrate() }
            #expect(error?.fault == .request)
            #expect(error?.description.contains("Take another database") == true)
        }
    }

    @Test func `a database without the newest migration is rejected with the command to run`() async throws {
        try await withEmptyDatabase { store, migrator in
            _ = try await migrator.migrate()
            try await execute(
                "delete from census_schema.version where version = (select max(version) from census_schema.version)",
                on: store)
            let error = await #expect(throws: StoreError.self) { try await migrator.requireCurrent() }
            #expect(error?.fault == .request)
            #expect(error?.description.contains("widget-census migrate") == true)
        }
    }

    /// Otherwise the program would set every device aside, one by one.
    @Test func `states of a newer format are rejected at start and by a migration`() async throws {
        try await withEmptyDatabase { store, migrator in
            _ = try await migrator.migrate()
            try await execute(
                "update census_schema.version set digest = '\(DeviceFold.format + 1) 1' where version = -1", on: store)
            #expect(try await migrator.state() == .newerStates(format: Int(DeviceFold.format) + 1))
            let before = try await lines(versions, on: store)
            let errors = [
                await #expect(throws: StoreError.self) { try await migrator.requireCurrent() },
                await #expect(throws: StoreError.self) { _ = try await migrator.migrate() },
            ]
            for error in errors {
                #expect(error?.fault == .request)
                #expect(error?.description.contains("run a newer program") == true)
            }
            #expect(try await lines(versions, on: store) == before)
        }
    }

    /// If changed rules queued no device, they would apply to each only when it is next heard from.
    @Test func `changed rules queue every device once`() async throws {
        try await withEmptyDatabase { store, migrator in
            _ = try await migrator.migrate()
            try await execute(
                """
                insert into census.device (
                    device_id, app_number, installation_id, is_settled, is_cloned, platform, app_version, first_heard_at,
                    last_heard_at, silent_at, zone)
                select gen_random_uuid(), 1, gen_random_uuid(), true, false, 'ios', '1', now(), now(), now() + '1 day', 'UTC'
                from generate_series(1, 3);
                update census_schema.version set digest = '2 \(DeviceFold.rules - 1)' where version = -1
                """, on: store)
            #expect(try await migrator.state() == .olderStates)
            let error = await #expect(throws: StoreError.self) { try await migrator.requireCurrent() }
            #expect(error?.description.contains("widget-census migrate") == true)
            for _ in 0..<2 {
                #expect(try await migrator.migrate() == [])
                #expect(try await migrator.state() == .current)
                let queued = "select count(*), count(earliest_at) from census.pending_device"
                #expect(try await lines(queued, on: store) == [["3", "0"]])
            }
            // A node of the previous version can restart while others run the next.
            try await execute(
                "update census_schema.version set digest = '2 \(DeviceFold.rules + 1)' where version = -1", on: store)
            _ = try await migrator.migrate()
            #expect(try await migrator.state() == .current)
            let digest = "select digest from census_schema.version where version = -1"
            #expect(try await lines(digest, on: store) == [["\(DeviceFold.format) \(DeviceFold.rules + 1)"]])
        }
    }

    @Test(arguments: [
        // The same columns with another meaning.
        "create or replace view census.suspect_share as select * from (values (0, '', '', 1::bigint, 1::bigint, 1.0)) "
            + "as v (app_number, platform, os_version, settled, still_there, share)",
        // Other columns: `create or replace` can't turn them into ours.
        "drop view report.live_kinds; create view report.live_kinds as select 1 as app_id, 2 as naive",
        "drop view report.retirement; drop view report.live_now; create view report.live_now as select 1 as kind",
    ])
    func `a migration makes views of an earlier program again`(spoil: String) async throws {
        try await withEmptyDatabase { store, migrator in
            let definitions = """
                select schemaname, viewname, definition from pg_views where schemaname in ('census', 'report') order by 2
                """
            _ = try await migrator.migrate()
            let before = try await lines(definitions, on: store)
            try await execute("update census_schema.version set digest = 'x' where version = 0", on: store)
            try? await execute(spoil, on: store)
            #expect(try await migrator.state() == .staleViews)
            let error = await #expect(throws: StoreError.self) { try await migrator.requireCurrent() }
            #expect(error?.description.contains("widget-census migrate") == true)

            #expect(try await migrator.migrate() == ["views"])
            #expect(try await migrator.state() == .current)
            #expect(try await lines(definitions, on: store) == before)
        }
    }

    /// Leaves the keys as migrations before 0021 did.
    private func sortByCollation(_ store: Store) async throws {
        try await execute(
            """
            do $$
            declare
                altered record;
            begin
                execute (
                    select 'drop view ' || string_agg(oid::regclass::text, ', ')
                    from pg_class
                    where relnamespace in ('census'::regnamespace, 'report'::regnamespace)
                        and relkind = 'v');
                for altered in
                    select
                        pg_class.oid::regclass as name,
                        string_agg(distinct format('alter column %I type text collate "default"', attname), ', ') as columns
                    from pg_index
                    join pg_class
                        on pg_class.oid = indrelid
                    join pg_attribute
                        on attrelid = indrelid
                        and attnum = any(indkey::smallint[])
                    where relnamespace = 'census'::regnamespace
                        and not relispartition
                        and attcollation = 'pg_catalog."C"'::regcollation
                        and atttypid = 'text'::regtype
                    group by pg_class.oid
                loop
                    execute format('alter table %s %s', altered.name, altered.columns);
                end loop;
            end $$;
            delete from census_schema.version where version between 22 and 25;
            drop table census.settings_lock, census.partitions_lock, census.kinds_lock, census.losses_lock;
            """, on: store)
    }

    /// Stores a row a second time, as if the index missed the first one.
    private func missing(_ index: String, _ insertion: String, on store: Store) async throws {
        let hide = "update pg_index set indisready = %, indisvalid = % where indexrelid = '\(index)'::regclass"
        try await execute(hide.replacing("%", with: "false"), on: store)
        try await execute(insertion, on: store)
        try await execute(hide.replacing("%", with: "true"), on: store)
    }

    @Test func `a migration makes keys sort by bytes and changes nothing else`() async throws {
        try await withEmptyDatabase { store, migrator in
            _ = try await migrator.migrate()
            _ = try await store.apps.add("com.example.weather")
            let schema = """
                select indexrelid::regclass, pg_get_indexdef(indexrelid), indcollation
                from pg_index join pg_class on pg_class.oid = indrelid
                where relnamespace = 'census'::regnamespace order by indexrelid::regclass::text
                """
            let before = try await lines(schema, on: store)
            try await sortByCollation(store)
            #expect(try await lines(schema, on: store) != before)
            #expect(
                try await migrator.migrate() == [
                    "0022_keys_by_bytes", "0023_locks", "0024_counted_views", "0025_comments", "views",
                ])
            #expect(try await lines(schema, on: store) == before)
            let doubted = "select count(*) from census.app_night where is_doubted"
            #expect(try await lines(doubted, on: store) == [["0"]])
        }
    }

    /// After an upgrade of the operating system, an index missed rows, and duplicates of them were stored.
    @Test func `a migration removes rows with a duplicate key and marks the ledger for a recount`()
        async throws
    {
        try await withEmptyDatabase { store, migrator in
            _ = try await migrator.migrate()
            _ = try await store.apps.add("com.example.weather")
            let app = try await store.apps.app("com.example.weather").number
            try await sortByCollation(store)
            let cell = """
                insert into census.kind_day
                select \(app), '2026-01-01', 'widget', 'weather', 1, 1, 0, 1, 1, 1, 1, 1
                """
            try await execute(cell, on: store)
            try await missing("census.kind_day_pkey", cell, on: store)
            let name = "insert into census.known_name (app_number, dimension, name) select \(app), 'kind', 'weather'"
            try await execute(name, on: store)
            try await missing("census.known_name_pkey", name, on: store)

            #expect(
                try await migrator.migrate() == [
                    "0022_keys_by_bytes", "0023_locks", "0024_counted_views", "0025_comments", "views",
                ])
            let rows = "select (select count(*) from census.kind_day), (select count(*) from census.known_name)"
            #expect(try await lines(rows, on: store) == [["1", "1"]])
            let doubted = "select app_number, is_doubted from census.app_night"
            #expect(try await lines(doubted, on: store) == [["\(app)", "t"]])
        }
    }

    /// An absent intent and null used to be the same, and stored alike.
    @Test func `a migration keeps the static intents of stored manifests`() async throws {
        try await withEmptyDatabase { store, migrator in
            _ = try await migrator.migrate()
            _ = try await store.apps.add("com.example.weather")
            let app = try await store.apps.app("com.example.weather")
            try await execute(
                """
                delete from census_schema.version where name = '0029_stated_intents';
                alter table census.manifest_kind drop column states_intent;
                insert into census.manifest (app_number, app_version, added_by, digest, source)
                select app_number, '1.0', 'tester', '', '' from census.app;
                insert into census.manifest_kind (app_number, app_version, surface, kind, intent, migrates_from)
                select app_number, '1.0', 'widget', kind, intent, '{}'
                from census.app cross join (values ('a', null), ('b', 'CityIntent')) as declared (kind, intent);
                """, on: store)
            #expect(try await migrator.migrate() == ["0029_stated_intents", "views"])
            let stored = try await store.manifests.all(app: app).flatMap(\.manifest.kinds)
            #expect(stored.map(\.intent) == [.static, "CityIntent"])
        }
    }

    @Test func `a migration fails with the names of others' views that read ours`() async throws {
        try await withEmptyDatabase { store, migrator in
            _ = try await migrator.migrate()
            try await sortByCollation(store)
            try await execute("delete from census_schema.version where version = 0", on: store)
            // 0021 left the views as they were.
            try await execute("create schema theirs; create view census.suspect_share as select 1 as one", on: store)
            try await execute("create view theirs.kinds as select * from census.suspect_share", on: store)
            let error = await #expect(throws: StoreError.self) { _ = try await migrator.migrate() }
            #expect(error?.fault == .request)
            #expect(error?.description.contains("theirs.kinds") == true)
            try await execute("drop view theirs.kinds", on: store)
            #expect(try await migrator.migrate().last == "views")
        }
    }

    @Test func `a view that is dropped and made again keeps its readers`() async throws {
        try await withEmptyDatabase { store, migrator in
            _ = try await migrator.migrate()
            try await execute("grant select on report.live_kinds to pg_monitor, public", on: store)
            try await execute("update census_schema.version set digest = 'x' where version = 0", on: store)
            try await execute("alter view report.live_kinds rename column kind to its_kind", on: store)
            #expect(try await migrator.migrate() == ["views"])
            let isReadable = "select has_table_privilege('pg_monitor', 'report.live_kinds', 'select')"
            #expect(try await lines(isReadable, on: store) == [["t"]])
        }
    }

    @Test func `a view that is replaced keeps its readers`() async throws {
        try await withEmptyDatabase { store, migrator in
            _ = try await migrator.migrate()
            try await execute(
                """
                grant select on report.live_kinds to pg_monitor;
                update census_schema.version set digest = 'x' where version = 0
                """, on: store)
            _ = try await migrator.migrate()
            let isReadable = "select has_table_privilege('pg_monitor', 'report.live_kinds', 'select')"
            #expect(try await lines(isReadable, on: store) == [["t"]])
        }
    }

    /// Regression: of two nodes that started at once on a new database, one was told that its secret was wrong.
    @Test func `eight nodes that start at once agree on their secret`() async throws {
        try await withEmptyDatabase { store, migrator in
            _ = try await migrator.migrate()
            for attempt in 0..<10 {
                let secret = try Secret("secret number \(attempt) of the tests")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 { group.addTask { try await store.deployment.require(secret) } }
                    try await group.waitForAll()
                }
                let error = await #expect(throws: StoreError.self) {
                    try await store.deployment.require(Secret("another secret of the tests"))
                }
                #expect(error?.fault == .request)
                try await execute("delete from census.deployment", on: store)
            }
        }
    }
}
