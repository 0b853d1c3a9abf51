import CensusStore
import EmbeddedPostgres
import Foundation
import IngestServer
import Postgres
import PostgresTesting
import Testing

@testable import widget_census

/// Testing has an `ExitStatus`, too.
private typealias Status = widget_census.ExitStatus

@Suite struct `Exit status` {
    /// Whether systemd restarts a unit after this status.
    private func isStartedAgain(_ unit: String, after status: Status) throws -> Bool {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
        let text = try String(contentsOf: root.appendingPathComponent("deploy/\(unit)"), encoding: .utf8)
        let lines = text.split(separator: "\n")
        try #require(lines.contains("Restart=on-failure"))
        let prevented = lines.compactMap { $0.wholeMatch(of: /RestartPreventExitStatus=([0-9 ]+)/)?.1 }
        try #require(prevented.count == 1)
        return !prevented[0].split(separator: " ").contains("\(status.rawValue)")
    }

    private func check(_ error: any Error, passes: Bool) throws {
        let status = Status(error)
        #expect(status == (passes ? .storeAway : .wrongUsage), "\(error)")
        for unit in ["widget-census.service", "widget-census-nightly.service"] {
            #expect(try isStartedAgain(unit, after: status) == passes, "\(error) in \(unit)")
        }
    }

    @Test(arguments: [
        ("08006", true), ("53100", true), ("53300", true), ("55P03", true), ("57P03", true), ("58030", true),
        ("25006", true), ("40P01", true), ("42501", false), ("28P01", false), ("3D000", false), ("XX001", false),
    ]) func `the status of a PostgreSQL error says whether it can pass by itself`(code: String, passes: Bool) throws {
        let error = PostgresError(.server(SQLState(rawValue: code)))
        try check(error, passes: passes)
        try check(StoreError(error as any Error), passes: passes)
    }

    @Test func `the status of a wrong schema, setting or request says that an operator must act`() throws {
        try check(StoreError(.request, ""), passes: false)
        try check(StoreError(.setUp, ""), passes: false)
        try check(PostgresError(.setUp), passes: false)
        try check(UsageError(""), passes: false)
        try check(StoreError(.away, ""), passes: true)
        try check(PostgresError(.connectFailed), passes: true)
    }

    @Test func `an internal error has its own status`() throws {
        for code in ["42P01", "42601", "23505", "P0001", "XX000"] {
            #expect(Status(StoreError(PostgresError(.server(SQLState(rawValue: code))) as any Error)) == .ours)
        }
        // After a restart the service might get another request, but a night would meet the same.
        #expect(try isStartedAgain("widget-census.service", after: .ours))
        #expect(try !isStartedAgain("widget-census-nightly.service", after: .ours))
    }

    @Test(arguments: [
        (EADDRINUSE, true), (EADDRNOTAVAIL, true), (EMFILE, true), (nil, true), (EACCES, false), (EINVAL, false),
    ]) func `a listen error exits 3 if the address can be free later`(code: Int32?, passes: Bool) throws {
        try check(ListenFailure(code: code), passes: passes)
    }

    @Test(arguments: [
        (EmbeddedServerError.noPrograms(searched: []), false), (.pathTooLong(folder: "", bytes: 1, limit: 1), false),
        (.unusablePath(folder: "", character: ","), false), (.cannotReach(folder: "", blocked: "", account: ""), false),
        (.foreignFolder(folder: "", owner: ""), false), (.notAFolder(path: ""), false),
        (.versionNotInstalled(folder: "", cluster: 1, installed: []), false),
        (.file(path: "", action: "", code: EACCES), false), (.file(path: "", action: "", code: EROFS), false),
        (.file(path: "", action: "", code: ENOTDIR), false), (.file(path: "", action: "", code: ENOSPC), true),
        (.file(path: "", action: "", code: EMFILE), true), (.cannotRun(program: "", code: EACCES), false),
        (.cannotRun(program: "", code: EAGAIN), true), (.busy(folder: "", holder: nil), true),
        (.held(folder: "", processes: []), true), (.startFailed(folder: "", output: "", log: ""), true),
    ]) func `the status of a data folder's error says whether another start can help`(
        error: EmbeddedServerError, passes: Bool
    ) throws {
        try check(error, passes: passes)
    }
}

@Suite struct `Program start` {
    private func started(_ arguments: String...) async throws -> Program.Outcome {
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        return try await program.start(["serve"] + arguments).finished()
    }

    @Test func `serve on a taken port exits 3`() async throws {
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        let first = try program.start(["serve", "--port", "0"])
        #expect(try await first.says("listens on http://127.0.0.1:"))
        let port = try #require(first.said.firstMatch(of: /127\.0\.0\.1:([0-9]+)/)?.1)
        let second = try await program.run("serve", "--port", "\(port)")
        #expect(second.status == 3)
        #expect(
            second.errors.hasSuffix(
                "widget-census: cannot listen on 127.0.0.1:\(port): Address already in use: widget-census (process "
                    + "\(first.process.processIdentifier)) uses the port; stop it, or choose another with --port\n"
            ))
        kill(first.process.processIdentifier, SIGTERM)
        #expect(await first.finished().status == 0)
    }

    /// 192.0.2.0/24 is reserved for documentation, and `.invalid` never resolves.
    @Test(arguments: ["192.0.2.1", "nowhere.invalid"]) func `serve on an unavailable address exits 3`(
        host: String
    ) async throws {
        let outcome = try await started("--host", host, "--port", "0")
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("widget-census: cannot listen on \(host):0"))
    }

    /// 99999 once became port 34463.
    @Test(arguments: ["99999", "65536"]) func `serve on an invalid port exits 2`(port: String) async throws {
        let outcome = try await Program().run("serve", "--port", port)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("it must be a port number from 0 to 65535"))
    }

    @Test func `a command with an empty setting exits 2`() async throws {
        let folder = TestFolder()
        defer { folder.remove() }
        for name in ["CENSUS_DATA_DIR", "CENSUS_HOST", "CENSUS_SECRET"] {
            let outcome = try await Program(environment: [name: ""]).run("apps", "list")
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("\(name) is empty"))
        }
        #expect(try await Program().run("apps", "list", "--data-dir", "").status == 2)
    }

    @Test(arguments: ["", "/below"]) func `a command with a file as its data folder says so and exits 2`(
        rest: String
    ) async throws {
        let outcome = try await Program.embedded(in: "/etc/passwd" + rest).run("apps", "list")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("/etc/passwd is not a folder"))
        #expect(!outcome.errors.contains("chmod"))
    }

    @Test(arguments: ["LATIN1", "SQL_ASCII"]) func `a command on a database in another encoding exits 2`(
        encoding: String
    ) async throws {
        let server = try await TestServer.shared()
        let name = "other_\(encoding.lowercased())"
        _ = try await server.query(
            "create database \(name) encoding '\(encoding)' locale 'C' template template0", database: "postgres")
        let program = Program(environment: [
            "DATABASE_URL": server.connectionString(database: name), "CENSUS_SECRET": "a secret of the tests",
        ])
        for command in [["migrate"], ["serve", "--port", "0"], ["apps", "add", "com.example.a"]] {
            let outcome = try await program.start(command).finished()
            #expect(outcome.status == 2, "\(command)")
            #expect(outcome.errors.contains("encoding is \(encoding) and must be UTF8"), "\(command)")
        }
    }

    @Test(.enabled(if: Pgbouncer.isInstalled)) func `migrate behind a shared-session pooler exits 2`() async throws {
        let database = try await TestDatabase.create()
        for (mode, status) in [("transaction", Int32(2)), ("session", 0)] {
            let pooler = try Pgbouncer(database, mode: mode)
            let program = Program(environment: [
                "DATABASE_URL": pooler.connectionString, "CENSUS_SECRET": "a secret of the tests",
            ])
            let outcome = try await program.run("migrate")
            #expect(outcome.status == status, "\(outcome.errors)")
            #expect(outcome.errors.contains("pool_mode = session") == (status == 2))
        }
    }

    @Test func `a command of a role without privileges exits 2`() async throws {
        let database = try await TestDatabase.migrated()
        let server = try await TestServer.shared()
        let role = "without_rights_\(database.name)"
        _ = try await server.query("create role \(role) login", database: database.name)
        let string = database.connectionString.replacing("user=census", with: "user=\(role)")
        let program = Program(environment: ["DATABASE_URL": string, "CENSUS_SECRET": "a secret of the tests"])
        for command in [["migrate"], ["nightly"], ["serve", "--port", "0"]] {
            let outcome = try await program.start(command).finished()
            #expect(outcome.status == 2, "\(command): \(outcome.errors)")
            #expect(outcome.errors.contains("permission denied"))
        }
    }
}
