import EmbeddedPostgres
import Foundation
import PostgresTesting
import Testing

@Suite struct `Analyst commands` {
    @Test func `analysts add prints only the password, once, and never logs it`() async throws {
        let database = try await TestDatabase.migrated()
        var program = Program.onDatabase(database)
        program.environment["CENSUS_LOG_LEVEL"] = "trace"
        let name = "anna_of_\(database.name)"
        let added = try await program.run("analysts", "add", name)
        #expect(added.status == 0)
        #expect(added.output.wholeMatch(of: /[0-9a-f]{48}\n/) != nil)
        #expect(!added.errors.contains(added.output.dropLast()))
        #expect(try await program.run("analysts", "list", "--format", "csv").output.contains("\"\(name)\",0\r\n"))

        let again = try await program.run("analysts", "add", name)
        #expect(again.status == 1)
        #expect(again.output.isEmpty)
        let other = try await TestDatabase.migrated()
        let there = try await Program.onDatabase(other).run("analysts", "add", name)
        #expect(there.status == 0)
        #expect(there.output.isEmpty && there.errors.contains("can now read this database's reports, too"))
        try await other.drop()
        #expect(try await program.run("analysts", "remove", name).output == "removed \(name)\n")
        #expect(try await program.run("analysts", "remove", name).status == 1)
        #expect(try await program.run("analysts", "add", "anna; drop").status == 2)
    }

    @Test func `without role privileges, analysts add prints the SQL that an administrator must run`() async throws {
        let server = try await TestServer.shared()
        let database = try await TestDatabase.create()
        let (owner, analyst) = ("owner_of_\(database.name)", "jan_of_\(database.name)")
        _ = try await server.query(
            "create role \(owner) login; grant create on database \(database.name) to \(owner)",
            database: database.name)
        var program = Program.onDatabase(database)
        program.environment["DATABASE_URL"] = database.connectionString + " user=\(owner)"
        #expect(try await program.run("migrate").status == 0)
        let refused = try await program.run("analysts", "add", analyst)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("create role widget_census_analyst nologin;"))
        for setting in ["statement_timeout = '60s'", "default_transaction_read_only = on", "search_path = report"] {
            #expect(refused.errors.contains(" set \(setting);"))
        }
        #expect(refused.errors.contains("create role \(analyst) login password '…' in role widget_census_analyst;"))

        _ = try await server.query(
            """
            do $$ begin create role widget_census_analyst nologin; exception when duplicate_object or unique_violation then null; end $$;
            create role \(analyst) login password 'x' in role widget_census_analyst
            """, database: database.name)
        let granted = try await program.run("analysts", "add", analyst)
        #expect(granted.status == 0)
        #expect(granted.output.isEmpty)
        #expect(granted.errors.contains("can now read this database's reports"))
        // It also says what only the database's owner can revoke.
        #expect(granted.errors.contains("revoke temporary on database"))
        let mayRead = "select has_table_privilege('\(analyst)', 'report.live_kinds', 'select')"
        #expect(try await server.query(mayRead, database: database.name) == "t")
        let kept = try await program.run("analysts", "remove", analyst)
        #expect(kept.status == 2)
        #expect(kept.errors.contains("  drop role \(analyst);"))
        #expect(!kept.errors.contains("create role"))
        // The service's own role still stores events.
        #expect(try await program.run("apps", "add", "com.example.weather").status == 0)
        let fleet = try await program.run("simulate", "--devices", "2", "--days", "2", "--output", "-").output
        #expect(try await program.run("import", "-", input: fleet).status == 0)

        _ = try await server.query("drop role \(analyst)", database: database.name)
        #expect(try await program.run("analysts", "remove", analyst).status == 1)
    }
}
