import EmbeddedPostgres
import Foundation
import PostgresTesting
import Testing

@Suite struct `Terminal output` {
    private static let app = SimulatedFleet.app

    private func withFleet(_ body: (Program, _ device: String) async throws -> Void) async throws {
        try await SimulatedFleet(devices: 40, days: 20).with { program, _, batches in
            var program = program
            program.environment["TERM"] = "xterm"
            #expect(try await program.run("kinds", "mark", "weather", "--legacy", "--app", Self.app).status == 0)
            let line = try #require(batches.split(separator: "\n").first)
            let device = try #require(line.firstMatch(of: /"device":\{"id":"([^"]+)"/))
            try await body(program, String(device.1))
        }
    }

    private func widest(_ text: String) -> Int {
        let bare = text.replacing(/\u{1B}\[[0-9]*m/, with: "")
        return bare.split(separator: "\n").map(\.count).max() ?? 0
    }

    private static let reports = [
        "live_now", "live_kinds", "live_installs", "changes", "ghosts", "os_quirks", "coverage", "adoption",
        "retirement",
    ]

    @Test func `a report on a terminal is plain CSV with --format csv, and complete with --wide`()
        async throws
    {
        try await withFleet { program, _ in
            let screen = Screen(columns: 80, program: program)
            for report in Self.reports {
                let csv = try await screen.run("report", report, "--format", "csv").text
                let piped = try await program.run("report", report, "--format", "csv").output
                #expect(csv == piped.withoutReturns)
                let wide = try await screen.run("report", report, "--wide")
                #expect(!wide.text.contains("not shown"), "\(report)")
            }
        }
    }

    /// At 80 columns each row of a report was once a block: adoption had 2,659 lines.
    @Test(arguments: [80, 100, 132]) func `reports are tables that fit the screen`(columns: Int) async throws {
        try await withFleet { program, device in
            let screen = Screen(columns: columns, program: program)
            for report in Self.reports {
                let table = try await screen.run("report", report)
                #expect(table.status == 0)
                #expect(table.text.contains("───"), "\(report) at \(columns)")
                #expect(widest(table.text) <= columns, "\(report) at \(columns): \(table.text)")
            }
            for command in [
                ["explain", "--app", Self.app, "--device", device], ["status"], ["apps", "list"],
                ["kinds", "list", "--app", Self.app],
                ["keys", "list"],
            ] {
                let page = try await screen.run(command)
                #expect(page.status == 0)
                #expect(widest(page.text) <= columns, "\(command) at \(columns): \(page.text)")
            }
        }
    }

    @Test func `pages are wrapped, and commands in them are not`() async throws {
        try await withFleet { program, _ in
            let page = try await Screen(columns: 60, program: program).run(
                "kinds", "show", "weather", "--app", Self.app
            ).text
            for line in page.split(separator: "\n") where !line.contains("widget-census ") {
                #expect(widest(String(line)) <= 60, "\(line)")
            }
            #expect(
                page.contains("\nBefore a release drops it: widget-census preflight --drop weather --app \(Self.app)\n")
            )
        }
    }

    @Test func `live_now has a sparkline of 30 days, but only on a terminal`() async throws {
        try await withFleet { program, _ in
            let table = try await Screen(columns: 80, program: program).run("report", "live_now").text
            #expect(table.contains("last_30_days"))
            #expect(table.contains(/~current +[▁▂▃▄▅▆▇█ ]{20,}/), "\(table)")
            #expect(table.contains("~ stands for com.example.weather.\n"))
            for format in ["table", "csv", "json"] {
                let piped = try await program.run("report", "live_now", "--format", format).output
                #expect(!piped.contains("last_30_days"))
                #expect(piped.contains("com.example.weather.current"))
            }
        }
    }

    @Test func `verdicts have colours on a terminal, unless the environment forbids them`() async throws {
        try await withFleet { program, _ in
            let report = ["report", "retirement"]
            let page = ["kinds", "show", "weather", "--app", Self.app]
            for command in [report, page] {
                func isColoured(_ program: Program) async throws -> Bool {
                    try await Screen(columns: 80, program: program).run(command).text.contains("\u{1B}[3")
                }
                #expect(try await isColoured(program))
                let piped = try await program.start(command).finished().output
                #expect(!piped.contains("\u{1B}"))
                for (name, value) in [("NO_COLOR", "1"), ("TERM", "dumb")] {
                    var plain = program
                    plain.environment[name] = value
                    #expect(try await isColoured(plain) == false, "\(name)")
                }
            }
        }
    }

    @Test func `explain can show only changes, or only what happened since a day`() async throws {
        try await withFleet { program, device in
            func steps(_ options: String...) async throws -> [[String: Any]] {
                let json = try await program.start(
                    ["explain", "--app", Self.app, "--device", device, "--format", "json"] + options
                ).finished().output
                let record = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
                return try #require(record?["steps"] as? [[String: Any]])
            }
            let all = try await steps()
            let changes = try await steps("--changes-only")
            #expect(changes.count < all.count)
            #expect(changes.count == all.count { ($0["changes"] as? [Any])?.isEmpty == false })
            let middle = try #require(all[all.count / 2]["at"] as? String).prefix(10)
            let late = try await steps("--since", "\(middle)")
            #expect(late.count == all.count { ($0["at"] as? String ?? "") >= middle })
            #expect(late.count < all.count)
        }
    }

    @Test func `kinds show also prints its verdict, conditions and acts as JSON`() async throws {
        try await withFleet { program, _ in
            let json = try await program.run("kinds", "show", "weather", "--app", Self.app, "--format", "json").output
            let pages = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
            #expect(pages.count == 1)
            #expect(pages[0]["verdict"] as? String == "not ready")
            #expect((pages[0]["conditions"] as? [[String: Any]])?.contains { $0["is_met"] as? Bool == false } == true)
            #expect((pages[0]["acts"] as? [[String: Any]])?.first?["lifecycle"] as? String == "legacy")
            let text = try await program.run("kinds", "show", "weather", "--app", Self.app).output
            #expect(
                text.hasSuffix(
                    "\nBefore a release drops it: widget-census preflight --drop weather --app \(Self.app)\n"))
        }
    }
}
