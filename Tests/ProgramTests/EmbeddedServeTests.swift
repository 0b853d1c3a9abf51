import Foundation
import PostgresTesting
import Testing

@Suite struct `Serve with its own PostgreSQL` {
    @Test func `the next start takes over after kill -9, and SIGTERM ends both servers with 0`() async throws {
        let folder = TestFolder()
        let program = Program.embedded(in: folder.path + "/data")
        let killed = try program.start(["serve", "--port", "0"])
        #expect(try await killed.says("listens on http://127.0.0.1:"))
        try await program.run("apps", "add", "com.example.a")
        kill(killed.process.processIdentifier, SIGKILL)
        _ = await killed.finished()

        let next = try program.start(["serve", "--port", "0"])
        #expect(try await next.says("listens on http://127.0.0.1:"))
        #expect(try await program.run("apps", "list").output.contains("com.example.a"))
        kill(next.process.processIdentifier, SIGTERM)
        #expect(await next.finished().status == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/postgres/postmaster.pid"))
    }

    @Test func `serve restarts a PostgreSQL that was killed`() async throws {
        let (program, folder) = try await Program.embedded()
        defer { folder.remove() }
        let service = try program.start(["serve", "--port", "0"])
        #expect(try await service.says("listens on http://127.0.0.1:"))
        let file = try String(contentsOfFile: folder.path + "/data/postgres/postmaster.pid", encoding: .utf8)
        let postmaster = try #require(file.split(separator: "\n").first.flatMap { Int32($0) })
        kill(postmaster, SIGKILL)
        #expect(try await service.says("private PostgreSQL started", times: 2))
        #expect(try await program.run("apps", "add", "com.example.b").status == 0)
        kill(service.process.processIdentifier, SIGTERM)
        #expect(await service.finished().status == 0)
    }

    /// The signal once ended the process at once while it created the schema, and its PostgreSQL stayed behind.
    @Test func `SIGTERM before serve listens ends its PostgreSQL, too, with status 0`() async throws {
        let folder = TestFolder()
        let service = try Program.embedded(in: folder.path + "/data").start(["serve", "--port", "0"])
        #expect(try await service.says("private PostgreSQL started"))
        kill(service.process.processIdentifier, SIGTERM)
        #expect(await service.finished().status == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/postgres/postmaster.pid"))
    }

    @Test func `the secret is created once, and only its owner can read it`() async throws {
        let folder = TestFolder()
        let program = Program.embedded(in: folder.path + "/data")
        try await program.run("apps", "add", "com.example.a")
        let path = folder.path + "/data/secret"
        let first = try String(contentsOfFile: path, encoding: .utf8)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try await program.run("apps", "add", "com.example.a")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == first)
    }

    /// A wrong folder was once taken for an empty census in which nothing needed attention.
    @Test(arguments: [["status"], ["migrate"], ["nightly"], ["keys", "list", "--app", "com.example.a"]])
    func `a command creates no census where none exists`(command: [String]) async throws {
        let folder = TestFolder()
        let outcome = try await Program.embedded(in: folder.path + "/data").start(command).finished()
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("There is no census in \(folder.path)/data"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data"))
    }

    /// `status` of a newer program once migrated the database under an older service, which couldn't start again.
    @Test func `a command that only reads doesn't migrate`() async throws {
        let (program, folder) = try await Program.embedded()
        defer { folder.remove() }
        let service = try program.start(["serve", "--port", "0"])
        #expect(try await service.says("listens on http://127.0.0.1:"))
        let psql = Process()
        psql.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        psql.arguments = [
            "psql", "-h", folder.path + "/data/run", "-U", "census", "-d", "census", "-qAtXc",
            "update census_schema.version set digest = 'older' where version = 0",
        ]
        try psql.run()
        psql.waitUntilExit()
        #expect(psql.terminationStatus == 0)
        for command in [["status"], ["config", "check"], ["apps", "list"]] {
            let outcome = try await program.start(command).finished()
            #expect(outcome.status == 2, "\(command)")
            #expect(outcome.errors.contains("run `widget-census migrate`"), "\(command)")
        }
        #expect(try await program.run("migrate").status == 0)
        #expect(try await program.run("status").status == 0)
        kill(service.process.processIdentifier, SIGTERM)
        #expect(await service.finished().status == 0)
    }

    @Test func `a missing or empty secret is an error, and no other is created`() async throws {
        let (program, folder) = try await Program.embedded()
        defer { folder.remove() }
        let path = folder.path + "/data/secret"
        let secret = try String(contentsOfFile: path, encoding: .utf8)
        try FileManager.default.removeItem(atPath: path)
        let missing = try await program.run("status")
        #expect(missing.status == 2)
        #expect(missing.errors.contains("the secret of this census is missing: \(path)"))
        #expect(!FileManager.default.fileExists(atPath: path))
        try Data().write(to: URL(fileURLWithPath: path))
        let empty = try await program.run("status")
        #expect(empty.status == 2)
        #expect(empty.errors.contains("\(path) is empty"))
        try Data(secret.utf8).write(to: URL(fileURLWithPath: path))
        #expect(try await program.run("status").status == 0)
    }

    /// A first run as root once left a secret that the folder's owner could not read.
    @Test(.enabled(if: geteuid() == 0)) func `root gives new files to the folder's owner`() async throws {
        let folder = TestFolder()
        defer { folder.remove() }
        let data = folder.path + "/data"
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let owner = try #require(getpwnam("nobody")?.pointee.pw_uid)
        #expect(chown(data, owner, owner) == 0)
        #expect(try await Program.embedded(in: data).run("apps", "add", "com.example.a").status == 0)
        for name in try FileManager.default.contentsOfDirectory(atPath: data) {
            let user = try FileManager.default.attributesOfItem(atPath: data + "/" + name)[.ownerAccountID] as? Int
            #expect(user == Int(owner), "\(name)")
        }
    }
}
