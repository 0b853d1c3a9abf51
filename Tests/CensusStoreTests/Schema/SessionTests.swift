import CensusCore
import Fleet
import Nightly
import Postgres
import PostgresTesting
import Testing

@testable import CensusStore

@Suite struct `Sessions` {
    /// Regression: a session with a lost client kept its locks for hours, and redeliveries of its events got 503.
    @Test func `sessions have timeouts for idle transactions and lost clients`() async throws {
        try await TestStore.with { test in
            let settings = try await test.lines(
                """
                select current_setting('idle_in_transaction_session_timeout'),
                    current_setting('client_connection_check_interval')
                """)
            #expect(settings == ["1min|500ms"])
        }
    }

    /// Settings of a role that could break the store: short timeouts, other formats of values, other transactions,
    /// another search path, and commits that a crash loses.
    private static let oddities = [
        ("statement_timeout", "50ms"), ("lock_timeout", "1ms"), ("idle_in_transaction_session_timeout", "1ms"),
        ("idle_session_timeout", "10s"), ("exit_on_error", "on"), ("default_transaction_isolation", "serializable"),
        ("default_transaction_deferrable", "on"), ("synchronous_commit", "off"), ("search_path", "nowhere"),
        ("client_encoding", "LATIN1"), ("standard_conforming_strings", "off"), ("backslash_quote", "off"),
        ("array_nulls", "off"), ("transform_null_equals", "on"), ("datestyle", "German, DMY"),
        ("intervalstyle", "sql_standard"), ("timezone", "Asia/Kathmandu"), ("bytea_output", "escape"),
        ("extra_float_digits", "-10"), ("quote_all_identifiers", "on"), ("row_security", "on"),
        ("session_replication_role", "replica"), ("check_function_bodies", "off"), ("client_min_messages", "error"),
        ("client_connection_check_interval", "0"), ("lc_numeric", "C.UTF-8"),
    ]

    /// Regression: a role's statement_timeout of 50 ms broke `nightly --verify`.
    @Test(.disabled(if: TestDatabase.isOnCluster, "Citus has its own sessions on workers"))
    func `a role with odd settings ingests, closes, verifies and reports like any other`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            let sane = try await test.heldSettings(by: test.store)
            for (number, (name, value)) in Self.oddities.enumerated() {
                try await test.execute("alter role census in database \(test.database.name) set \(name) = '\(value)'")
                let odd = Store(
                    connectionString: test.database.connectionString, acquireDeadline: TestDatabase.acquireDeadline,
                    logger: .quiet)
                do {
                    #expect(try await test.heldSettings(by: odd) == sane, "\(name)")
                    try await test.exercise(odd, number)
                    #expect(try await test.reports(of: odd) == test.reports(of: test.store), "\(name)")
                } catch {
                    Issue.record(error, "\(name) = \(value)")
                }
                await odd.shutdown()
                try await test.execute("alter role census in database \(test.database.name) reset \(name)")
            }
            #expect(try await test.value(Int.self, "select count(*) from census.device") == Self.oddities.count)
        }
    }

    @Test func `a read-only session is an error that names the setting, and reports still run`() async throws {
        try await TestStore.with { test in
            try await test.execute("alter database \(test.database.name) set default_transaction_read_only = on")
            try await test.withSecondStore { store in
                let error = try await #require(throws: StoreError.self) { try await store.deployment.requireWritable() }
                #expect(error.fault == .away)
                #expect(error.description.contains("default_transaction_read_only"))
                _ = try await test.reports(of: store)
            }
        }
    }

    @Test func `a session without a privilege names the missing one`() async throws {
        try await TestStore.with { test in
            try await test.store.deployment.requireWritable()
            let role = "lacks_rights_\(test.database.name)"
            try await test.execute(
                """
                create role \(role) login;
                grant usage on schema census, census_schema to \(role);
                grant select, insert, update, delete on all tables in schema census to \(role);
                grant select on all tables in schema census_schema to \(role)
                """)
            let string = test.database.connectionString.replacing("user=census", with: "user=\(role)")
            let store = Store(connectionString: string, acquireDeadline: TestDatabase.acquireDeadline, logger: .quiet)
            try await store.deployment.requireWritable()
            try await test.execute("revoke insert on census.observation from \(role)")
            let error = try await #require(throws: StoreError.self) { try await store.deployment.requireWritable() }
            #expect(error.fault == .setUp)
            #expect(error.description.contains("insert on census.observation"))
            var phone = Phone("phone")
            phone.reports(["weather"], .day(1))
            let batches = test.batches(of: phone)
            let refused = try await #require(throws: StoreError.self) { _ = try await store.log.append(batches) }
            #expect(refused.fault == .setUp && refused.takesPerson)
            await store.shutdown()
            try await test.execute("drop owned by \(role); drop role \(role)")
        }
    }
}

extension TestStore {
    fileprivate func heldSettings(by store: Store) async throws -> [String] {
        let names = Store.sessionSettings.keys.sorted()
        let rows = try await store.pool.queryText(
            Statement(
                "held", "select name || '=' || coalesce(current_setting(name, true), '') from unnest($1::text[]) name"),
            [names])
        return rows.rows.map { $0[0] ?? "" }
    }

    /// Stores a phone's report, reconciles it, closes its day, and verifies.
    fileprivate func exercise(_ store: Store, _ number: Int) async throws {
        var phone = Phone("phone \(number)")
        phone.reports(["weather", "kind \(number)"], .day(number % 3))
        #expect(try await store.log.append(batches(of: phone)).stored == 1)
        #expect(try await Reconciler(store: store, logger: .quiet).drain().setAside == 0)
        let job = NightlyJob(store: store, logger: .quiet)
        #expect(try await job.run(day: .first + 3, verifies: true).verification?.holds == true)
    }

    fileprivate func reports(of store: Store) async throws -> [String] {
        var texts: [String] = []
        for name in ReportReader.names.sorted() {
            texts.append(contentsOf: try await store.reports.read(name, ReportFilter()).rows.map { "\($0)" })
        }
        return texts
    }
}
