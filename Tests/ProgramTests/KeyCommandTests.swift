import EmbeddedPostgres
import Foundation
import PostgresTesting
import Testing

@Suite struct `Keys and apps` {
    @Test func `keys list shows the first digits of a key's hash, and keys revoke accepts them`() async throws {
        let program = Program.onDatabase(try await TestDatabase.migrated())
        let app = "com.example.a"
        try await program.run("apps", "add", app)
        let key = try await program.run("keys", "add", "--app", app, "--role", "release").output
        let list = try await program.run("keys", "list", "--format", "csv").output
        let row = try #require(list.firstMatch(of: /"com\.example\.a","release","([0-9a-f]{12})","good",/))
        #expect(!key.contains(row.1))
        let name = String(row.1)
        #expect(try await program.run("keys", "revoke", name).status == 2)
        #expect(try await program.run("keys", "revoke", name, "--app", app).output == "revoked \(name)\n")
        #expect(try await program.run("keys", "revoke", name, "--app", app).status == 1)
        #expect(try await program.run("keys", "list", "--app", app).output.contains("revoked"))
        #expect(try await program.run("keys", "list", "--app", "com.example.b").status == 2)
    }

    @Test func `a manage key without a holder causes a warning that its acts name no person`() async throws {
        let program = Program.onDatabase(try await TestDatabase.migrated())
        let app = "com.example.a"
        try await program.run("apps", "add", app)
        let named = try await program.run("keys", "add", "--app", app, "--role", "manage", "--holder", "Anna Nováková")
        #expect(named.output.wholeMatch(of: /wc_manage_[0-9a-f]{64}\n/) != nil)
        #expect(named.errors == "")
        let unnamed = try await program.run("keys", "add", "--app", app, "--role", "manage")
        #expect(unnamed.output.wholeMatch(of: /wc_manage_[0-9a-f]{64}\n/) != nil)
        #expect(unnamed.errors.contains(/its acts are signed `key [0-9a-f]{12}`; --holder signs them/))
        let list = try await program.run("keys", "list", "--format", "csv").output
        #expect(list.contains(#","Anna Nováková""#), "\(list)")
    }

    /// Without a name that signs an act, or with the name as the role, a person could act anonymously.
    @Test func `a role header needs another header that names the person`() async throws {
        let role = ["CENSUS_CONSOLE_ROLE_HEADER": "X-Role", "CENSUS_CONSOLE_TRUSTED_PROXY": "127.0.0.1"]
        let alone = try await Program(environment: role).run("apps", "list")
        #expect(alone.status == 2)
        #expect(alone.errors.contains("CENSUS_CONSOLE_ROLE_HEADER needs CENSUS_CONSOLE_LOGIN_HEADER"))
        for login in ["X-Role", "x-role"] {
            let same = try await Program(
                environment: role.merging(["CENSUS_CONSOLE_LOGIN_HEADER": login]) { $1 }
            ).run("apps", "list")
            #expect(same.status == 2)
            #expect(same.errors.contains("must be different headers"), "\(same.errors)")
        }
        // Every client sends this header, with a value of its choice or the server's name.
        let host = try await Program(
            environment: role.merging(["CENSUS_CONSOLE_LOGIN_HEADER": "Host"]) { $1 }
        ).run("apps", "list")
        #expect(host.status == 2 && host.errors.contains("Host, which browsers send"), "\(host.errors)")
    }

    @Test func `an app can only be removed without data and without a valid key`() async throws {
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        let app = "com.example.weather"
        try await program.run("apps", "add", app)
        let key = try await program.run("keys", "add", "--app", app).output
        let held = try await program.run("apps", "remove", app)
        #expect(held.status == 2)
        #expect(held.errors.contains("1 key of \(app) is valid"))
        #expect(try await program.run("keys", "revoke", input: key).status == 0)
        // A server might not know of the revocation yet.
        #expect(try await program.run("apps", "remove", app).status == 2)
        _ = try await TestServer.shared().query(
            "update census.api_key set revoked_at = now() - interval '2 minutes'", database: database.name)
        try await program.run("apps", "set", app, "--window", "30")
        #expect(try await program.run("apps", "remove", app).output == "removed \(app)\n")
        #expect(try await program.run("apps", "list", "--format", "json").output == "[]\n")
        let left = "select (select count(*) from census.api_key) + (select count(*) from census.setting_act)"
        #expect(try await TestServer.shared().query(left, database: database.name).hasPrefix("0"))
        #expect(try await program.run("apps", "remove", app).status == 2)

        try await program.run("apps", "add", app)
        let fleet = try await program.run("simulate", "--devices", "1", "--days", "1", "--output", "-").output
        #expect(try await program.run("import", "-", input: fleet).status == 0)
        let refused = try await program.run("apps", "remove", app)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("\(app) has data"))
    }
}
