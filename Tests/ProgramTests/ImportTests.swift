import CensusStore
import Foundation
import Logging
import PostgresTesting
import Testing

@testable import widget_census

@Suite struct `Imports` {
    private func withFleet(
        days: Int, _ body: (Program, _ fleet: String, TestDatabase) async throws -> Void
    ) async throws {
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        try await program.run("apps", "add", "com.example.weather")
        let fleet = try await program.run("simulate", "--devices", "20", "--days", "\(days)", "--output", "-").output
        try await body(program, fleet, database)
        try await database.drop()
    }

    @Test func `import reports a missing file`() async throws {
        let program = Program.onDatabase(try await TestDatabase.migrated())
        let outcome = try await program.run("import", "/nowhere/history.ndjson")
        #expect(outcome.status == 2)
        #expect(outcome.errors == "widget-census: /nowhere/history.ndjson cannot be read: No such file or directory\n")
    }

    @Test func `import reads a folder's files, compressed or not, and names the file of a bad line`() async throws {
        try await withFleet(days: 2) { program, fleet, _ in
            let folder = TestFolder()
            defer { folder.remove() }
            try FileManager.default.createDirectory(atPath: folder.path + "/b/c", withIntermediateDirectories: true)
            let lines = fleet.split(separator: "\n").prefix(3).map { Data("\($0)\n".utf8) }
            try lines[0].write(to: URL(fileURLWithPath: folder.path + "/a.ndjson"))
            // Two members, like the output of `cat a.gz b.gz` or of `unzip -p` on an archive of gzip files.
            try (gzip(lines[1]) + gzip(lines[2] + Data("nonsense\n".utf8)))
                .write(to: URL(fileURLWithPath: folder.path + "/b/c/d.gz"))
            try Data("no batch".utf8).write(to: URL(fileURLWithPath: folder.path + "/.hidden"))
            let outcome = try await program.run("import", folder.path)
            #expect(outcome.output.hasPrefix("3 batches, "), "\(outcome.output)\(outcome.errors)")
            #expect(outcome.errors.contains("/b/c/d.gz:3: not valid JSON"), "\(outcome.errors)")
            try gzip(lines[1]).dropLast(9).write(to: URL(fileURLWithPath: folder.path + "/b/c/d.gz"))
            let short = try await program.run("import", folder.path + "/b")
            #expect(short.status == 2 && short.errors.contains("d.gz is cut short"), "\(short.errors)")
        }
    }

    private func gzip(_ data: Data) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/gzip")
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        input.fileHandleForWriting.write(data)
        try input.fileHandleForWriting.close()
        let compressed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return compressed
    }

    /// The size of links and pipes is unknown before they are read, or is another file's.
    @Test func `import reads links and pipes, and its progress stops at 100%`() async throws {
        try await withFleet(days: 2) { program, fleet, _ in
            let folder = TestFolder()
            defer { folder.remove() }
            try FileManager.default.createDirectory(atPath: folder.path + "/b", withIntermediateDirectories: true)
            try Data(fleet.utf8).write(to: URL(fileURLWithPath: folder.path + "/b/fleet.ndjson"))
            symlink("b/fleet.ndjson", folder.path + "/link.ndjson")
            symlink("b", folder.path + "/folder")
            for path in ["link.ndjson", "folder", "b"] {
                let outcome = try await program.run("import", "\(folder.path)/\(path)")
                #expect(outcome.status == 0 && outcome.output.contains("0 bad lines"), "\(path): \(outcome.errors)")
            }
            let piped = try await program.run("import", "/dev/stdin", input: fleet)
            #expect(piped.status == 0 && piped.output.contains("0 bad lines"), "\(piped.errors)")
            #expect(ProgressBar.line(1.7, after: 3, "x").contains("100%"))
        }
    }

    /// An import for an app that nobody had added once printed 100,102 equal lines.
    @Test func `import reports bad lines with one reason together`() async throws {
        let program = Program.onDatabase(try await TestDatabase.migrated())
        let fleet = try await program.run("simulate", "--devices", "9", "--days", "9", "--output", "-").output
        let lines = fleet.split(separator: "\n")
        let outcome = try await program.run("import", "-", input: "not JSON\n" + fleet)
        #expect(outcome.status == 1)
        let errors = outcome.errors.split(separator: "\n")
        try #require(errors.count == 3, "\(outcome.errors)")
        #expect(errors[0].hasPrefix("-:1: "))
        #expect(errors[1].hasPrefix("-:2: unknown app"))
        #expect(
            errors[2].hasPrefix(
                "-:2 and \(lines.count - 1) more, through line \(lines.count + 1): unknown app"))
    }

    @Test func `import reports damaged gzip, archives and text that isn't UTF-8`() async throws {
        let folder = TestFolder()
        defer { folder.remove() }
        let program = Program.onDatabase(try await TestDatabase.migrated())
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try Data([0x1F, 0x8B, 8, 0, 10, 1]).write(to: URL(fileURLWithPath: folder.path + "/a.gz"))
        let damaged = try await program.run("import", folder.path + "/a.gz")
        #expect(damaged.status == 2)
        #expect(damaged.errors.contains("a.gz is cut short"), "\(damaged.errors)")
        for (start, hint) in [("PK\u{3}\u{4}", "unzip -p"), ("PAR1", "JSON lines or CSV")] {
            try Data("\(start) and more\n".utf8).write(to: URL(fileURLWithPath: folder.path + "/a"))
            let archive = try await program.run("import", folder.path + "/a")
            #expect(archive.status == 2 && archive.errors.contains(hint), "\(archive.errors)")
        }
        try Data([0x22, 0xFF, 0x22, 10]).write(to: URL(fileURLWithPath: folder.path + "/b"))
        let latin = try await program.run("import", folder.path + "/b")
        #expect(latin.status == 1)
        #expect(latin.errors.contains("UTF-8"), "\(latin.errors)")
    }

    @Test func `import accepts a byte order mark, and names UTF-16`() async throws {
        try await withFleet(days: 2) { program, fleet, _ in
            let lines = fleet.split(separator: "\n").prefix(2).map { "\u{FEFF}\($0)\n" }
            let marked = try await program.run("import", "-", input: lines.joined())
            #expect(marked.status == 0, "\(marked.errors)")
            #expect(marked.output.hasPrefix("2 batches, "))
            let bad = try await program.run("import", "-", input: "nonsense\n")
            #expect(bad.errors.hasPrefix("-:1: not valid JSON: ") && !bad.errors.contains("()"), "\(bad.errors)")
            let folder = TestFolder()
            defer { folder.remove() }
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            try Data([0xFF, 0xFE, 0x7B, 0]).write(to: URL(fileURLWithPath: folder.path + "/a"))
            let wide = try await program.run("import", folder.path + "/a")
            #expect(wide.status == 2 && wide.errors.contains("UTF-16: iconv "))
        }
    }

    /// The days of dropped events have no partition. The events once got into the default one, and their devices were
    /// folded again for nothing.
    @Test func `a repeated import leaves out dropped events and counts them`() async throws {
        try await withFleet(days: 30) { program, fleet, database in
            #expect(try await program.run("import", "-", input: fleet).status == 0)
            #expect(try await program.run("nightly").status == 0)
            #expect(try await program.run("keep", "--days", "10", "--drop").status == 0)
            let numbers = """
                select * from report.coverage order by day;
                select * from report.live_kinds order by 1, 2, 3, 4
                """
            let before = try await database.query(numbers)
            let kept = try await database.query("select count(*) from census.observation")

            let again = try await program.run("import", "-", input: fleet)
            #expect(again.status == 0)
            #expect(again.output.contains(": 0 new, "), "\(again.output)")
            #expect(again.output.contains(/[1-9][0-9,]* older than the retention; 0 bad lines\n/), "\(again.output)")
            #expect(again.errors.contains("Import the oldest events first"), "\(again.errors)")
            #expect(try await database.query("select count(*) from census.observation") == kept)
            #expect(try await database.query("select count(*) from census.observation_other") == "0")
            #expect(try await database.query("select count(*) from census.pending_device") == "0")
            #expect(try await program.run("nightly", "--verify").status == 0)
            #expect(try await database.query(numbers) == before)
        }
    }

    /// An import once read the start of the retention only when it began, so a long one restored what a night dropped.
    @Test func `import leaves out events that are dropped while it runs`() async throws {
        try await withFleet(days: 30) { program, fleet, database in
            #expect(try await program.run("import", "-", input: fleet).status == 0)
            #expect(try await program.run("nightly").status == 0)
            let folder = TestFolder()
            defer { folder.remove() }
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            try fleet.write(toFile: folder.path + "/fleet", atomically: true, encoding: .utf8)
            let store = Store(
                connectionString: database.connectionString, acquireDeadline: TestDatabase.acquireDeadline,
                logger: Logger(label: "test"))
            let importer = Importer(
                store: store, secret: try Secret(try #require(program.environment["CENSUS_SECRET"])),
                retention: try await store.upkeep.retention())

            #expect(try await program.run("keep", "--days", "10", "--drop").status == 0)
            let kept = try await database.query("select count(*) from census.observation")
            let summary = try await importer.run(InputFiles([folder.path + "/fleet"])) { _ in
            } progress: { _ in
            }
            await store.shutdown()
            #expect(summary.past > 0)
            #expect(summary.stored == 0)
            #expect(try await database.query("select count(*) from census.observation") == kept)
        }
    }

    /// Even a night that drops nothing records from which day on everything is kept.
    @Test func `import accepts the whole history of new devices, even if the app is live`() async throws {
        try await withFleet(days: 120) { program, fleet, database in
            let live = try await program.run(
                "simulate", "--devices", "5", "--days", "3", "--seed", "7", "--output", "-"
            ).output
            #expect(try await program.run("import", "-", input: live).status == 0)
            #expect(try await program.run("nightly").status == 0)
            let keptFrom = try await database.query("select kept_from from census.retention")
            #expect(keptFrom != "")

            let outcome = try await program.run("import", "-", input: fleet)
            #expect(outcome.status == 0)
            #expect(!outcome.output.contains("older than the retention"), "\(outcome.output)")
            let old = "select count(*) > 100 from census.observation where corrected_at < date '\(keptFrom)'"
            #expect(try await database.query(old) == "t")
            #expect(try await program.run("nightly", "--verify").status == 0)
        }
    }

    /// A mapping, and a GA4 export with a list, a sign of use, and events that don't count.
    @Test func `a GA4 export is tried first, then stored, and a repeat changes nothing`() async throws {
        let program = Program.onDatabase(try await TestDatabase.migrated())
        let folder = TestFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        defer { folder.remove() }
        let mapping = folder.path + "/mapping.yaml"
        try """
        events:
          application_opened: {type: widgets_reported, list: widgets, item: "{kind}-{family}"}
          session_start: app_opened
          widget_removed: {type: widget_removed, kind: kind}
        ignore: [first_open]
        """.write(toFile: mapping, atomically: true, encoding: .utf8)
        func record(_ name: String, _ hour: Int, _ parameters: String = "") -> String {
            #"{"event_name":"\#(name)","event_timestamp":"\#(1_772_445_600_000_000 + hour * 3_600_000_000)","#
                + #""event_params":[\#(parameters)],"user_pseudo_id":"A1","platform":"IOS","#
                + #""app_info":{"id":"com.example.weather","version":"20.1"}}"#
        }
        let list = #"{"key":"widgets","value":{"string_value":"store-info-systemSmall"}}"#
        let export = [
            record("application_opened", 0, list), record("session_start", 1), record("first_open", 2),
            record("screen_view", 3), record("application_opened", 4), "nonsense",
        ].joined(separator: "\n")
        let command = ["import", "-", "--from", "ga4", "--mapping", mapping]
        let tried = try await Program(folder: folder.path).start(command + ["--dry-run"], input: export).finished()
        #expect(
            tried.output == """
                event               records  counted  refused  ignored  failed  example                                   remark
                ──────────────────  ───────  ───────  ───────  ───────  ──────  ────────────────────────────────────────  ─────────────────────────────────────
                application_opened        2        1        0        0       1  widgets_reported: store-info systemSmall  -:5: the event has no list `widgets`
                (no name)                 1        0        0        0       1  -                                         -:6: the line is not JSON
                first_open                1        0        0        1       0  -                                         ignored by the mapping
                screen_view               1        0        0        1       0  -                                         not in the mapping
                session_start             1        1        0        0       0  app_opened                                -
                widget_removed            0        0        0        0       0  -                                         in the mapping, but not in the export

                kind        family       events
                ──────────  ───────────  ──────
                store-info  systemSmall       1

                would store at most 2 events of 2026-03-02, 0 refused; 2 ignored; 2 bad lines; nothing was stored

                """, "\(tried.output)\(tried.errors)")
        #expect(tried.status == 1)
        try await program.run("apps", "add", "com.example.weather")
        for stored in ["2 new, 0 already known", "0 new, 2 already known"] {
            let outcome = try await program.start(command, input: export).finished()
            #expect(outcome.output.contains(stored), "\(outcome.output)\(outcome.errors)")
        }
        #expect(try await program.run("nightly").status == 0)
        let live = try await program.run(
            "report", "live_kinds", "--since", "2026-03-02", "--until", "2026-03-02", "--format", "csv"
        ).output
        #expect(live.contains(#""widget","store-info",1,1,"#), "\(live)")
        try "events: {a: {type: widget_instaled}}".write(toFile: mapping, atomically: true, encoding: .utf8)
        let wrong = try await program.start(command, input: export).finished()
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("mapping.yaml: line 1: events.a.type must be an event type; did you mean"))
    }
}
