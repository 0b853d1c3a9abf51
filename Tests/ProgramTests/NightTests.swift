import EmbeddedPostgres
import Foundation
import PostgresTesting
import Testing

@Suite struct `Nights` {
    private func withFleet(_ devices: Int, _ body: (Program, TestDatabase) async throws -> Void) async throws {
        try await SimulatedFleet(devices: devices, days: 10, isClosed: false).with { program, database, _ in
            try await body(program, database)
        }
    }

    /// What a night records about itself.
    private struct Run: Decodable, Equatable {
        var is_finished = true
        var failure: String?
        var devices: Int?
        var closed_more_than_five_days: Bool
        var has_reconciled = true
        var has_closed = true
    }

    /// Oldest first.
    private func runs(_ database: TestDatabase) async throws -> [Run] {
        let runs = try await TestServer.shared().query(
            """
            select row_to_json(run)
            from (
                select finished_at is not null as is_finished, failure, devices,
                    days_closed > 5 as closed_more_than_five_days, reconcile_seconds > 0 as has_reconciled,
                    close_seconds > 0 as has_closed
                from census.night_run order by run_number
            ) as run
            """, database: database.name)
        return try runs.split(separator: "\n").map { try JSONDecoder().decode(Run.self, from: Data($0.utf8)) }
    }

    @Test func `each night prints a summary and is recorded`() async throws {
        try await withFleet(20) { program, database in
            let night = try await program.run("nightly", "--format", "json")
            #expect(night.status == 0)
            #expect(night.output.filter { $0 == "\n" }.count == 1)
            let summary = try #require(
                try JSONSerialization.jsonObject(with: Data(night.output.utf8)) as? [String: Any])
            let devices = try #require(summary["devices"] as? Int)
            #expect(devices > 10)
            #expect((summary["observations"] as? Int ?? 0) > devices)
            #expect((summary["spans_changed"] as? Int ?? 0) > 0)
            #expect(summary["devices_set_aside"] as? Int == 0)
            #expect((summary["seconds"] as? [String: Double])?["reconciling"] != nil)
            let app = try #require((summary["apps"] as? [[String: Any]])?.first)
            #expect(app["app_id"] as? String == "com.example.weather")
            #expect(app["through"] is String)
            #expect((app["days_closed"] as? Int ?? 0) > 5)
            #expect(app["days_restated"] as? Int == 0)

            let again = try await program.run("nightly")
            #expect(again.output.contains("com.example.weather: closed"))
            #expect(again.output.contains("reconciled 0 devices and 0 observations; 0 spans changed\nreconciling "))
            let first = Run(devices: devices, closed_more_than_five_days: true)
            #expect(try await runs(database) == [first, Run(devices: 0, closed_more_than_five_days: false)])
        }
    }

    @Test func `nightly --verify finds a wrong ledger, and the next night recounts it`() async throws {
        try await withFleet(20) { program, database in
            let good = try await program.run("nightly", "--verify")
            #expect(good.status == 0)
            #expect(good.output.contains("the ledger and every report hold"))
            _ = try await TestServer.shared().query(
                "update census.kind_day set widgets_reported = widgets_reported + 1", database: database.name)
            let bad = try await program.run("nightly", "--verify")
            #expect(bad.status == 1)
            #expect(bad.output.contains("THE LEDGER DOES NOT HOLD"))
            #expect(bad.output.contains("com.example.weather: kind_day of 20"))
            // Nobody has to request the recount.
            let mended = try await program.run("nightly", "--verify", "--format", "json")
            #expect(mended.status == 0)
            #expect(mended.output.contains(#""faults":[]"#))
            #expect(mended.output.contains(#""recounted":true"#))
            let rebuilt = try await program.run("nightly", "--rebuild", "--verify", "--format", "json")
            #expect(rebuilt.status == 0)
            #expect(rebuilt.output.contains(#""recounted":true"#))
        }
    }

    @Test func `a night that can't close an app exits 1 and closes the others; the next one catches up`() async throws {
        try await withFleet(5) { program, database in
            let server = try await TestServer.shared()
            try await program.run("apps", "add", "com.example.another")
            _ = try await server.query(
                "alter table census.closed_day add constraint nothing_fits check (app_number <> 1) not valid",
                database: database.name)
            let night = try await program.run("nightly")
            #expect(night.status == 1)
            #expect(night.output.contains("com.example.another: nothing to close yet"))
            #expect(night.output.contains("FAILED: com.example.weather could not be closed: "))
            #expect(night.errors.contains("com.example.weather could not be closed: "))
            _ = try await server.query(
                "alter table census.closed_day drop constraint nothing_fits", database: database.name)
            let next = try await program.run("nightly", "--verify")
            #expect(next.status == 0)
            #expect(next.output.contains("its ledger was recounted from the spans"))
        }
    }

    @Test func `a night drops observations that are older than the retention`() async throws {
        try await withFleet(20) { program, database in
            #expect(try await program.run("nightly").status == 0)
            #expect(try await program.run("keep").output.contains("observations are kept for 90 days\n"))
            #expect(try await program.run("keep", "--days", "0").status == 2)
            let shortened = try await program.run("keep", "--days", "3")
            #expect(shortened.status == 0)
            #expect(shortened.errors.contains("running services apply it within seconds"))
            #expect(shortened.output.contains(" are older: the next nights or `keep --drop` will drop them\n"))
            let night = try await program.run("nightly", "--verify")
            #expect(night.status == 0)
            #expect(night.output.contains(" dropped\n"))
            let oldest = try await TestServer.shared().query(
                "select min(corrected_at) > now() - interval '6 days' from census.observation", database: database.name)
            #expect(oldest.hasPrefix("t"))
            let device = try await TestServer.shared().query(
                "select device_id from census.device_base limit 1", database: database.name)
            let pseudonym = device.trimmingCharacters(in: .whitespacesAndNewlines)
            let explained = try await program.run(
                "explain", "--app", "com.example.weather", "--pseudonym", pseudonym)
            #expect(explained.status == 0)
        }
    }

    /// The tables hold the devices of all apps, so a command for one app once erased another's device.
    @Test func `a pseudonym only names a device of its own app`() async throws {
        try await withFleet(2) { program, database in
            try await program.run("nightly")
            let server = try await TestServer.shared()
            let device = try await server.query(
                "select min(device_id::text) from census.device", database: database.name
            )
            .trimmingCharacters(in: .whitespacesAndNewlines)
            try await program.run("apps", "add", "com.example.other")
            for command in ["forget", "explain", "tail"] {
                let outcome = try await program.run(command, "--app", "com.example.other", "--pseudonym", device)
                #expect(outcome.status == 2)
                #expect(outcome.errors.contains("a device of another app, not of com.example.other"))
            }
            let kept = try await server.query(
                "select count(*) > 0 from census.device where device_id = '\(device)'", database: database.name)
            #expect(kept.hasPrefix("t"))
        }
    }

    @Test func `a night for an unfinished day or an unknown app is rejected before it begins`() async throws {
        try await withFleet(2) { program, database in
            let early = try await program.run("nightly", "--day", "2999-01-01")
            #expect(early.status == 2)
            #expect(early.errors.contains("has not ended yet"))
            #expect(try await program.run("nightly", "--app", "com.example.none").status == 2)
            #expect(try await runs(database) == [])
        }
    }

    @Test func `a night exits 1 while devices are set aside, and closes the days of the others`() async throws {
        try await withFleet(5) { program, database in
            let server = try await TestServer.shared()
            _ = try await server.query(
                """
                update census.observation set type = 'not known' where device_id = (select min(device_id::text)::uuid
                from census.pending_device)
                """, database: database.name)
            let night = try await program.run("nightly")
            #expect(night.status == 1)
            #expect(night.errors.contains("1 device is set aside because reconciling them failed"))
            #expect(night.output.contains("com.example.weather: closed"))
        }
    }

    /// A fleet in a data folder whose server is down. It is so large that its night lasts until the signal arrives.
    private static let imported = Task {
        let folder = TestFolder()
        let program = Program.embedded(in: folder.path + "/data")
        try await program.run("apps", "add", "com.example.weather")
        let fleet = try await program.run("simulate", "--devices", "800", "--days", "15", "--output", "-").output
        #expect(try await program.run("import", "-", input: fleet).status == 0)
        return folder
    }

    /// Runs a night, and sends it a signal soon after its server has started.
    private static func ended(by signal: Int32) async throws -> (folder: TestFolder, outcome: Program.Outcome) {
        let folder = try await imported.value.copy()
        let night = try Program.embedded(in: folder.path + "/data").start(["nightly"])
        let postmaster = folder.path + "/data/postgres/postmaster.pid"
        for _ in 0..<600 where !FileManager.default.fileExists(atPath: postmaster) {
            try await Task.sleep(for: .milliseconds(20))
        }
        try await Task.sleep(for: .milliseconds(100))
        kill(night.process.processIdentifier, signal)
        return (folder, await night.finished())
    }

    @Test(arguments: [(SIGTERM, 143), (SIGINT, 130)] as [(Int32, Int32)])
    func `a signal ends a night and its private PostgreSQL, and the next night succeeds`(
        signal: Int32, status: Int32
    ) async throws {
        var (folder, outcome) = try await Nights.ended(by: signal)
        // On a busy machine, the night can be over before the test sends the signal.
        for _ in 0..<4 where outcome.status == 0 {
            folder.remove()
            (folder, outcome) = try await Nights.ended(by: signal)
        }
        defer { folder.remove() }
        let program = Program.embedded(in: folder.path + "/data")
        let postmaster = folder.path + "/data/postgres/postmaster.pid"
        #expect(outcome.status == status)
        #expect(outcome.errors.contains("widget-census: ended by \(signal == SIGINT ? "SIGINT" : "SIGTERM")"))
        #expect(!FileManager.default.fileExists(atPath: postmaster))
        #expect(try await program.run("nightly").status == 0)
    }

    @Test func `a short night without a terminal logs no progress`() async throws {
        try await withFleet(2) { program, _ in
            let night = try await program.run("nightly", "--log-format", "json")
            #expect(night.errors.isEmpty)
        }
    }
}
