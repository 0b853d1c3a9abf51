import EmbeddedPostgres
import Foundation
import PostgresTesting
import Testing

/// Fleets in a database, and the histories of their devices.
@Suite struct `Histories` {
    @Test func `a fleet's truth lies between certain and possible`() async throws {
        let folder = TestFolder()
        defer { folder.remove() }
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let (fleet, truth) = (folder.path + "/fleet.ndjson", folder.path + "/fleet.truth.csv")
        let program = Program.onDatabase(try await TestDatabase.migrated())
        try await program.run("apps", "add", "com.example.weather")
        try await program.run(
            "simulate", "--devices", "60", "--days", "20", "--reinstalls", "0.5", "--output", fleet)
        #expect(try await program.run("import", fleet).status == 0)

        let early = try await program.run("accuracy", "--truth", truth)
        #expect(early.status == 2)
        #expect(early.errors.contains("widget-census nightly"))
        #expect(try await program.run("nightly").status == 0)
        let outcome = try await program.run("accuracy", "--truth", truth, "--format", "csv")
        #expect(outcome.status == 0)
        let cells = outcome.output.split(whereSeparator: \.isNewline).dropFirst()
        #expect(cells.count > 60)
        // Clocks that are minutes off can move an event past midnight.
        #expect(cells.count { $0.hasSuffix(",\"NO\"") } * 50 <= cells.count)
        #expect(outcome.errors.contains("mean error of devices_expected"))

        let told = try String(contentsOfFile: truth, encoding: .utf8)
        // Before truth files named their app, they had a zone; before that, they were all in UTC.
        for end in [",app_id", ",zone,app_id"] {
            let old = told.replacing(end, with: "").replacing(
                ",UTC,com.example.weather", with: end == ",app_id" ? ",UTC" : "")
            try old.replacing("zone,com", with: "zone").write(toFile: truth, atomically: true, encoding: .utf8)
            let nameless = try await program.run("accuracy", "--truth", truth)
            #expect(nameless.status == 2)
            #expect(nameless.errors.contains("give the fleet's app with --app"), "\(nameless.errors)")
            let named = try await program.run(
                "accuracy", "--app", "com.example.weather", "--truth", truth, "--format", "csv")
            #expect(named.output == outcome.output)
        }
        for (one, other) in [(",UTC,", ",Europe/Prague,"), (",UTC,com.example.weather", ",UTC,com.example.other")] {
            try told.replacing(one, with: other, maxReplacements: 1)
                .write(toFile: truth, atomically: true, encoding: .utf8)
            let mixed = try await program.run("accuracy", "--truth", truth)
            #expect(mixed.errors.contains("is not a truth file that `simulate` wrote"))
        }
        try told.write(toFile: truth, atomically: true, encoding: .utf8)
        let strange = try await program.run("accuracy", "--app", "com.example.other", "--truth", truth)
        #expect(strange.status == 2)
        #expect(strange.errors.contains("is the truth of com.example.weather"), "\(strange.errors)")
    }

    @Test(arguments: ["Europe/Prague", "America/Sao_Paulo"])
    func `accuracy only accepts a truth in the app's zone and window`(zone: String) async throws {
        let folder = TestFolder()
        defer { folder.remove() }
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let (fleet, truth) = (folder.path + "/fleet.ndjson", folder.path + "/fleet.truth.csv")
        let program = Program.onDatabase(try await TestDatabase.migrated())
        try await program.run("apps", "add", "com.example.weather")
        try await program.run("apps", "set", "com.example.weather", "--zone", zone)
        let end = Date.now.ISO8601Format()
        func simulate(_ more: String...) async throws {
            let options = ["--devices", "60", "--days", "45", "--seed", "3", "--end", end, "--output", fleet]
            #expect(try await program.start(["simulate"] + options + more).finished().status == 0)
        }
        try await simulate()
        #expect(try await program.run("import", fleet).status == 0)
        #expect(try await program.run("nightly").status == 0)
        let other = try await program.run("accuracy", "--truth", truth)
        #expect(other.status == 2)
        #expect(other.output.isEmpty)
        for claim in ["are in UTC", "counts days in \(zone)", "simulate --zone \(zone)"] {
            #expect(other.errors.contains(claim), "\(other.errors)")
        }

        try await program.run("apps", "set", "com.example.weather", "--window", "14")
        try await simulate("--zone", zone)
        let short = try await program.run("accuracy", "--truth", truth)
        #expect(short.status == 2)
        #expect(short.errors.contains("for 28 days") && short.errors.contains("for 14:"), "\(short.errors)")
        let set = try await program.run("apps", "set", "com.example.weather", "--window", "28")
        #expect(set.errors.contains("Next: widget-census nightly"))
        let outcome = try await program.run("accuracy", "--truth", truth, "--format", "csv")
        #expect(outcome.status == 0)
        let cells = outcome.output.split(whereSeparator: \.isNewline).dropFirst()
        #expect(cells.count > 150)
        // Clocks that are minutes off can move an event past midnight.
        #expect(cells.count { $0.hasSuffix(",\"NO\"") } * 100 <= cells.count, "\(outcome.errors)")
    }

    @Test func `explain and forget find a device by the id that the app sends`() async throws {
        let program = Program.onDatabase(try await TestDatabase.migrated())
        try await program.run("apps", "add", "com.example.a")
        let day = Int(Date.now.timeIntervalSince1970) / 86_400 - 20
        func line(_ offset: Int, installation: String, launched: Int, booted: Int, widgets: String) -> String {
            func time(_ day: Int) -> String { Date(timeIntervalSince1970: Double(day) * 86_400).ISO8601Format() }
            let at = time(day + offset)
            return """
                {"received_at": "\(at)", "sent_at": "\(at)", "app": {"id": "com.example.a", "version": "1.0"}, \
                "device": {"id": "phone", "platform": "ios", "os_version": "14.3", "booted_at": "\(time(day + booted))"}, \
                "installation": {"id": "\(installation)", "first_launched_at": "\(time(day + launched))"}, \
                "events": [{"id": "\(offset)", "type": "widgets_reported", "at": "\(at)", "widgets": \(widgets)}]}
                """
        }
        let weather = #"[{"kind": "weather", "family": "systemSmall"}]"#
        let history = [
            line(2, installation: "one", launched: 0, booted: 1, widgets: weather),
            line(5, installation: "two", launched: 4, booted: 1, widgets: weather),
            line(9, installation: "two", launched: 4, booted: 8, widgets: "[]"),
        ]
        #expect(try await program.run("import", "-", input: history.joined(separator: "\n")).status == 0)

        let unknown = try await program.run("explain", "--app", "com.example.a", "--device", "nobody")
        #expect(unknown.status == 1)
        #expect(unknown.errors.contains("no events from that device"))
        let table = try await program.run("explain", "--app", "com.example.a", "--device", "phone")
        #expect(table.status == 0)
        for claim in [
            "R1 report", "R4 reinstall", "R6 reboot", "reinstalled: weather · systemSmall", "1→0", "0→1",
            "suspect; gone later", "settled: the device has booted", "stops counting at",
        ] {
            #expect(table.output.contains(claim), "\(claim)")
        }
        let json = try await program.run(
            "explain", "--app", "com.example.a", "--device", "-", "--format", "json", input: "phone\n")
        let record = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect((record["steps"] as? [Any])?.count == 4)
        #expect((record["spans"] as? [Any])?.count == 2)
        #expect(record["is_settled"] as? Bool == true)

        #expect(try await program.run("forget", "--app", "com.example.a").status == 2)
        #expect(try await program.run("forget", "--app", "com.example.b", "--device", "phone").status == 2)
        #expect(try await program.run("forget", "--app", "com.example.a", "--device", "-").status == 2)
        // The second device used to seem erased, but wasn't.
        let two = try await program.run("forget", "--app", "com.example.a", "--device", "-", input: "phone\nanother\n")
        #expect(two.status == 2)
        let forgotten = try await program.run("forget", "--app", "com.example.a", "--device", "-", input: "phone\n")
        #expect(forgotten.status == 0)
        #expect(forgotten.output == "erased, with 3 events\n")
        let again = try await program.run("forget", "--app", "com.example.a", "--device", "phone")
        #expect(again.status == 0)
        #expect(again.output.hasPrefix("nothing is stored about that device"))
        #expect(try await program.run("explain", "--app", "com.example.a", "--device", "phone").status == 1)
        // Importing the file again restores nothing.
        #expect(try await program.run("import", "-", input: history.joined(separator: "\n")).status == 0)
        let gone = try await program.run("explain", "--app", "com.example.a", "--device", "phone")
        #expect(gone.status == 1)
        #expect(gone.errors.contains("that device was erased"))
        #expect(try await program.run("nightly", "--verify").status == 0)
    }

    /// The late event was once folded onto the base, as if it were newer than everything in it.
    @Test func `explain leaves out an event that arrived after its day was dropped, and says so`() async throws {
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        try await program.run("apps", "add", "com.example.a")
        let today = Int(Date.now.timeIntervalSince1970) / 86_400
        let history = (0..<20).map { daysAgo in
            let at = Date(timeIntervalSince1970: Double(today - daysAgo) * 86_400).ISO8601Format()
            return """
                {"received_at": "\(at)", "sent_at": "\(at)", "app": {"id": "com.example.a", "version": "1.0"}, \
                "device": {"id": "phone", "platform": "ios", "os_version": "14.3"}, "installation": {"id": "one"}, \
                "events": [{"id": "\(daysAgo)", "type": "widgets_reported", "at": "\(at)", "widgets": [{"kind": "weather"}]}]}
                """
        }
        #expect(try await program.run("import", "-", input: history.joined(separator: "\n")).status == 0)
        #expect(try await program.run("nightly").status == 0)
        #expect(try await program.run("keep", "--days", "5", "--drop").status == 0)
        func explained(_ format: String) async throws -> String {
            let outcome = try await program.run(
                "explain", "--app", "com.example.a", "--device", "phone", "--format", format)
            #expect(outcome.status == 0)
            return outcome.output
        }
        func record() async throws -> [String: Any] {
            try #require(
                try JSONSerialization.jsonObject(with: Data(try await explained("json").utf8)) as? [String: Any])
        }
        let before = try await record()
        _ = try await TestServer.shared().query(
            """
            insert into census.observation
            select device_id, 'late', occurred_at - interval '10 days', corrected_at - interval '10 days', now(),
                app_number, installation_id, 'widget_installed', surface, source, platform, os_version, os_build,
                app_version, channel, booted_at, first_launched_at, gallery_policy, '{"widget": {"kind": "search"}}'
            from census.observation where event_id = '2'
            """, database: database.name)

        let table = try await explained("table")
        let line = try #require(table.split(separator: "\n").first { $0.contains("widget_installed search") })
        #expect(line.contains("left out: "), "\(table)")
        #expect(!table.contains("installed: search"), "\(table)")
        #expect(table.contains("T23:59:59Z are final: they are not folded again"), "\(table)")
        let after = try await record()
        #expect(after["spans"] as? [NSDictionary] == before["spans"] as? [NSDictionary])
        let leftOut = try #require(after["steps"] as? [[String: Any]]).filter { $0["is_left_out"] as? Bool == true }
        #expect(leftOut.map { ($0["heard"] as? [String: Any])?["id"] as? String } == ["late"])
        #expect(after["folded_through"] is String)
    }

    /// kill -9 at any point loses and duplicates nothing: finished work is stored, and the rest is still queued.
    @Test func `a night that is killed repeatedly ends with the same reports as one that isn't`() async throws {
        let fleet = try await Program().run(
            "simulate", "--devices", "300", "--days", "25", "--end", "2026-11-21T00:00:00Z", "--output", "-"
        ).output
        var answers: [String] = []
        for kills in [0, 12] {
            let program = Program.onDatabase(try await TestDatabase.migrated())
            try await program.run("apps", "add", "com.example.weather")
            try await program.run("import", "-", input: fleet)
            var killed = 0
            for attempt in 0..<kills {
                let night = try program.start(["nightly", "--day", "2026-11-20"])
                try await Task.sleep(for: .milliseconds(50 + 40 * attempt))
                kill(night.process.processIdentifier, SIGKILL)
                if await night.finished().status != 0 { killed += 1 }
            }
            #expect(killed >= kills / 4, "\(killed) were killed at work")
            let last = try await program.run("nightly", "--day", "2026-11-20", "--verify")
            #expect(last.status == 0, "\(last.output)")
            var answer = ""
            for report in ["live_kinds", "live_installs", "changes", "ghosts", "os_quirks", "coverage", "adoption"] {
                answer += try await program.run("report", report, "--format", "csv").output
            }
            answers.append(answer)
        }
        #expect(answers[0].split(whereSeparator: \.isNewline).count > 100)
        #expect(answers[0] == answers[1])
    }
}
