import EmbeddedPostgres
import Foundation
import PostgresTesting
import Testing

/// A standby, or a database that was made read-only because a disk is nearly full.
@Suite struct `Read-only databases` {
    private func withReadOnlyFleet(_ body: (Program, TestDatabase) async throws -> Void) async throws {
        try await SimulatedFleet(devices: 5, days: 10).with { program, database, _ in
            try await setReadOnly(database)
            try await body(program, database)
        }
    }

    private func setReadOnly(_ database: TestDatabase) async throws {
        _ = try await TestServer.shared().query(
            "alter database \(database.name) set default_transaction_read_only = on", database: database.name)
    }

    /// An insert once checked the secret's fingerprint, so all of these exited 3 while the primary was away.
    @Test func `commands that only read accept a read-only database`() async throws {
        try await withReadOnlyFleet { program, database in
            let device = try await TestServer.shared().query(
                "select device_id from census.device limit 1", database: database.name
            ).trimmingCharacters(in: .whitespacesAndNewlines)
            for command in [
                ["report", "live_now"], ["report", "live_kinds"], ["report", "coverage"], ["report", "retirement"],
                ["explain", "--app", "com.example.weather", "--pseudonym", device], ["apps", "list"],
                ["kinds", "list", "--app", "com.example.weather"], ["status"], ["keys", "list"], ["analysts", "list"],
                ["keep"],
                ["manifests", "list", "--app", "com.example.weather"],
                ["preflight", "acks", "--app", "com.example.weather"],
            ] {
                let outcome = try await program.start(command).finished()
                #expect(outcome.status == 0, "\(command): \(outcome.errors)")
                #expect(!outcome.output.isEmpty, "\(command)")
            }
        }
    }

    @Test func `commands that write exit 3, and another secret is still rejected`() async throws {
        try await withReadOnlyFleet { program, _ in
            for command in [
                ["apps", "add", "com.example.a"], ["keep", "--days", "30"], ["nightly"],
            ] {
                let outcome = try await program.start(command).finished()
                #expect(outcome.status == 3, "\(command): \(outcome.errors)")
                #expect(outcome.errors.contains("read-only transaction"), "\(command): \(outcome.errors)")
            }
            var other = program
            other.environment["CENSUS_SECRET"] = "another secret, long enough"
            #expect(try await other.run("report", "live_now").status == 2)
        }
    }

    @Test func `a database that has no secret yet can be read`() async throws {
        let database = try await TestDatabase.create()
        var program = Program.onDatabase(database)
        program.environment["CENSUS_SECRET"] = nil
        #expect(try await program.run("migrate").status == 0)
        try await setReadOnly(database)
        program.environment["CENSUS_SECRET"] = "a secret of the tests"
        #expect(try await program.run("apps", "list").status == 0)
        #expect(try await program.run("apps", "add", "com.example.a").status == 3)
    }
}
