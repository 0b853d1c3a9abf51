import EmbeddedPostgres
import Foundation
import PostgresTesting
import Testing

@testable import widget_census

/// Upgrades a database that an earlier version left (scripts/make-upgrade-dump), and continues with it.
///
/// Every number is compared with what that version itself made of the rest of the data. `explained.json` has every row
/// that today's rules count differently, and why.
@Suite struct `Upgrade rehearsals` {
    static let versions = ["0.1.0"]

    @Test(arguments: versions) func `an upgrade loses or changes no closed number`(version: String) async throws {
        let dump = try UpgradeDump(version)
        let database = try await TestDatabase.create()
        try dump.restore("census.sql.gz", into: database)
        for report in dump.about.reports {
            try await database.query(
                "create schema if not exists before; create table before.\(report) as select * from report.\(report)")
        }
        let devices = try await database.query("select count(*) from census.device")
        let aside = try await database.query("select device_id from census.set_aside order by 1")
        #expect(try await database.query("select count(*) > 20 from census.device_base") == "t")
        #expect(try await database.query("select count(*) > 0 from report.ghosts") == "t")
        #expect(!aside.isEmpty)

        var program = Program.onDatabase(database)
        let migrated = try await program.run("migrate")
        #expect(migrated.status == 0, "\(migrated.errors)")
        for report in dump.about.reports {
            let (was, found) = try await differences("before", report, database)
            #expect(was + found == [], "\(report) after `migrate`")
        }

        // The upgraded node drains what the earlier version spooled.
        let folder = TestFolder()
        defer { folder.remove() }
        program.environment["CENSUS_SPOOL_DIR"] = try dump.unpackSpool(into: folder)
        let service = try program.start(["serve", "--port", "0"])
        #expect(try await service.says("the spool has drained"), "\(service.said)")
        kill(service.process.processIdentifier, SIGTERM)
        #expect(await service.finished().status == 0)
        program.environment["CENSUS_SPOOL_DIR"] = nil

        let night = try await program.run(
            "nightly", "--day", dump.about.closed_later_through, "--verify", "--format", "json")
        #expect(night.output.contains(#""faults":[]"#), "\(night.output) \(night.errors)")
        #expect(try await database.query("select device_id from census.set_aside order by 1") == aside)
        #expect(try await database.query("select count(*) >= \(devices) from census.device") == "t")
        #expect(try await database.query("select count(*) from census.pending_device") == "0")

        // Among these are days that are no longer kept, which must lose nothing under today's rules.
        try dump.restore("expected.sql.gz", into: database)
        for report in dump.about.reports {
            let explained = dump.explained[report]
            let (was, found) = try await differences("expected", report, database)
            #expect(was == explained?.was ?? [], "\(report): rows of that version that this one lacks")
            #expect(found == explained?.is ?? [], "\(report): rows of this one instead")
        }
        try await database.drop()
    }

    /// From every version, with the commands that an operator runs.
    @Test(arguments: versions)
    func `the operations guide's commands upgrade to this version, and back`(version: String)
        async throws
    {
        let database = try await TestDatabase.create()
        try UpgradeDump(version).restore("census.sql.gz", into: database)
        // Observations that today's program can't read would make the night exit 1.
        try await database.query(
            "delete from census.observation where type = 'widget_dreamt'; delete from census.set_aside")
        let facts = """
            select max(version) from census_schema.version;
            select count(*), sum(devices_possible) from report.live_kinds
            """
        let before = try await database.query(facts)

        let folder = TestFolder()
        defer { folder.remove() }
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let blocks = try Self.documentedCommands()
        try #require(blocks.count == 2)
        let said = try await run(blocks[0], in: folder, database)
        #expect(said.status == 0, "\(said)")
        #expect(said.output.contains("the ledger and every report hold"), "\(said)")
        #expect(said.output.contains(/devices_waiting *\n[-]+ *\n *0 *\n/), "\(said)")
        #expect(try await database.query(facts) != before)

        let back = try await run(blocks[1], in: folder, database)
        #expect(back.status == 0, "\(back)")
        let restored = try await TestServer.shared().query(facts, database: "census_before")
        #expect(restored.trimmingCharacters(in: .whitespacesAndNewlines) == before)
        _ = try await TestServer.shared().query("drop database census_before", database: "postgres")
        try await database.drop()
    }

    /// The blocks of commands in the chapter on upgrading.
    private static func documentedCommands() throws -> [String] {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/guides/operations.md")
        let chapters = try String(contentsOf: page, encoding: .utf8).split(separator: "\n## ")
        let chapter = try #require(chapters.first { $0.hasPrefix("Upgrading\n") })
        return chapter.matches(of: /\n```sh\n([^`]*)```/).map { String($0.output.1) }
    }

    /// Runs commands like a person who has named the database in the environment.
    private func run(
        _ commands: String, in folder: TestFolder, _ database: TestDatabase
    ) async throws -> (status: Int32, output: String) {
        var environment = Program.onDatabase(database).environment
        for pair in database.connectionString.split(separator: " ") {
            let words = pair.split(separator: "=", maxSplits: 1).map { String($0).trimmingCharacters(in: ["'"]) }
            guard words.count == 2, ["host", "port", "user"].contains(words[0]) else { continue }
            environment["PG" + words[0].uppercased()] = words[1]
        }
        let programs = URL(filePath: Program.path).deletingLastPathComponent().path
        environment["PATH"] = programs + ":/usr/local/bin:/usr/bin:/bin"
        environment["HOME"] = NSHomeDirectory()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-e", "-c", commands]
        process.currentDirectoryURL = URL(filePath: folder.path)
        process.environment = environment
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    @Test func `every dumped version is rehearsed`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: UpgradeDump.folder.path)
        #expect(folders.filter { !$0.hasPrefix(".") }.sorted() == Self.versions)
        for version in Self.versions { #expect(try UpgradeDump(version).about.program == version) }
    }

    @Test func `every earlier version in CHANGELOG.md has a dump`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../CHANGELOG.md")
        let changes = try String(contentsOf: page, encoding: .utf8)
        let versions = changes.matches(of: #/\n## (\d+\.\d+\.\d+) /#).map { String($0.output.1) }
        #expect(versions.count > 1)
        #expect(Set(versions).subtracting(Self.versions + [WidgetCensus.version]) == [])
    }

    /// The rows of a report that have changed, and what replaces them, in the columns that the earlier version knew.
    private func differences(
        _ schema: String, _ report: String, _ database: TestDatabase
    ) async throws -> (was: [String], found: [String]) {
        let columns = try await database.query(
            """
            select string_agg(column_name, ', ' order by ordinal_position) from information_schema.columns
            where table_schema = '\(schema)' and table_name = '\(report)'
            """)
        func rows(of one: String, without other: String) async throws -> [String] {
            try await database.query(
                "select \(columns) from \(one).\(report) except all select \(columns) from \(other).\(report) order by 1, 2, 3, 4"
            ).split(separator: "\n").map(String.init)
        }
        return (try await rows(of: schema, without: "report"), try await rows(of: "report", without: schema))
    }
}

/// The files that `scripts/make-upgrade-dump` wrote.
private struct UpgradeDump {
    struct About: Decodable {
        var program: String
        var closed_later_through: String
        var reports: [String]
    }

    /// Why a report differs from what that version makes of the same data, with every row that differs.
    struct Explained: Decodable {
        var because: String
        var was: [String]
        var `is`: [String]
    }

    struct Failed: Error {
        var command: String
    }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Upgrades")

    let about: About
    let explained: [String: Explained]
    private let folder: URL

    init(_ version: String) throws {
        folder = UpgradeDump.folder.appending(path: version)
        about = try JSONDecoder().decode(About.self, from: Data(contentsOf: folder.appending(path: "about.json")))
        explained = try JSONDecoder().decode(
            [String: Explained].self, from: Data(contentsOf: folder.appending(path: "explained.json")))
    }

    func restore(_ file: String, into database: TestDatabase) throws {
        try run(
            "gzip -dc \"$1\" | psql -X -q -w -v ON_ERROR_STOP=1 -d \"$2\" >/dev/null",
            folder.appending(path: file).path, database.connectionString)
    }

    /// - Returns: the spool's folder.
    func unpackSpool(into target: TestFolder) throws -> String {
        try run(
            "mkdir -p \"$2\" && tar -xzf \"$1\" -C \"$2\"", folder.appending(path: "spool.tar.gz").path, target.path)
        return target.path + "/spool"
    }

    private func run(_ command: String, _ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-o", "pipefail", "-c", command, "rehearsal"] + arguments
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(command: command) }
    }
}
