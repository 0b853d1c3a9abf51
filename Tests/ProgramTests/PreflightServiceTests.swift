import CensusCore
import Foundation
import PostgresTesting
import Testing

/// `preflight --server`: a pipeline without a database.
@Suite struct `Preflight through a service` {
    private static let app = SimulatedFleet.app

    private func withoutCommands(_ text: String) -> String {
        text.replacing(#/widget-census preflight acknowledge [^%\n]*/#, with: "")
    }

    /// A service with a fleet, its URL, and a folder with a release key.
    private func withService(_ body: (Program, _ url: String, _ folder: String) async throws -> Void) async throws {
        try await SimulatedFleet(devices: 60, days: 20).with { program, _, _ in
            let folder = TestFolder()
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            defer { folder.remove() }
            for role in ["release", "manage"] {
                let key = try await program.run("keys", "add", "--app", Self.app, "--role", role, "--holder", "anna")
                    .output
                try key.write(toFile: folder.path + "/\(role).key", atomically: true, encoding: .utf8)
            }
            let service = try program.start(["serve", "--port", "0"])
            #expect(try await service.says("listens on http://127.0.0.1:"))
            let url = try #require(service.said.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+/)?.0)
            try await body(program, String(url), folder.path)
            kill(service.process.processIdentifier, SIGTERM)
            #expect(await service.finished().status == 0)
        }
    }

    @Test func `a service gives the same verdict on a dropped kind as its database`() async throws {
        try await withService { program, url, folder in
            // This program has no database of its own.
            let remote = Program(folder: folder)
            let service = ["--server", url, "--key-file", "release.key"]
            for more in [[], ["--family", "systemSmall"], ["--allow-loss", "100%"], ["--format", "github"]] {
                let drop = ["preflight", "--drop", "weather"] + more
                let local = try await program.start(drop + ["--app", Self.app]).finished()
                let answered = try await remote.start(drop + service).finished()
                #expect(answered.status == local.status && local.status < 2, "\(answered.errors)\(local.errors)")
                // The printed command needs no database either.
                let own = "--server \(url) --key-file manage.key --because "
                #expect(answered.output.contains(own) == (answered.status == 1), "\(answered.output)")
                #expect(withoutCommands(answered.output) == withoutCommands(local.output))
            }
            let named = try await remote.start(
                ["preflight", "--drop", "weather", "--app", Self.app] + service
            ).finished()
            #expect(named.status == 1, "\(named.errors)")
            let other = try await remote.start(
                ["preflight", "--drop", "weather", "--app", "com.example.b"] + service
            ).finished()
            #expect(other.status == 2 && other.errors.contains("wrong_app"))
            let unknown = try await remote.start(["preflight", "--drop", "wether"] + service).finished()
            #expect(unknown.status == 2 && unknown.errors.contains("unknown_kind"))
            let misspelled = ["preflight", "--drop", "weather", "--family", "systemsmall"]
            for (program, more) in [(program, ["--app", Self.app]), (remote, service)] {
                let refused = try await program.start(misspelled + more).finished()
                #expect(
                    refused.status == 2 && refused.errors.contains("did you mean systemSmall?"), "\(refused.errors)")
            }
        }
    }

    @Test func `a loss can be acknowledged through a service, and the key's holder signs`() async throws {
        try await withService { program, url, folder in
            let remote = Program(folder: folder)
            let dropped = try await program.start(["preflight", "--drop", "weather", "--app", Self.app]).finished()
            let fingerprint = try #require(dropped.output.firstMatch(of: /acknowledge ([0-9a-f]{12})/)?.1)
            let until = (ReportingZone.utc.day(of: .now) + 10).description
            func acknowledge(_ loss: String, _ more: [String], key: String = "manage") async throws -> Program.Outcome {
                let what = [
                    "preflight", "acknowledge", String(fingerprint), "--max-loss", loss, "--because", "a+b & c",
                ]
                return try await remote.start(what + more + ["--server", url, "--key-file", "\(key).key"]).finished()
            }
            let drop = ["--until", until, "--drop", "weather", "--release", "99.0"]
            let few = try await acknowledge("1", drop)
            #expect(few.status == 2 && few.errors.contains("409 loss_too_large: at most "), "\(few.errors)")
            let wrong = try await acknowledge("60", drop, key: "release")
            #expect(wrong.status == 2 && wrong.errors.contains("403 wrong_role"), "\(wrong.errors)")
            let signed = try await acknowledge("60", drop + ["--by", "bea"])
            #expect(signed.status == 2 && signed.errors.contains("the key's holder signs"))
            for _ in 0..<2 {
                let done = try await acknowledge("60", drop)
                #expect(
                    done.output == "acknowledged kind_dropped of weather: up to 60 devices, until \(until)\n",
                    "\(done.errors)")
            }
            let withdrawn = try await acknowledge("0", [])
            #expect(
                withdrawn.output == "withdrew the acknowledgement of kind_dropped of weather\n", "\(withdrawn.errors)")
            let list = try await program.run("preflight", "acknowledgements", "--app", Self.app, "--format", "csv")
            #expect(list.output.split(separator: "\r\n").count == 3, "\(list.output)")
            #expect(list.output.contains(#"","withdrawn",60,\#(until),"anna","a+b & c","#), "\(list.output)")
        }
    }

    @Test func `a step of GitHub Actions also gets its summary from a service`() async throws {
        try await withService { program, url, folder in
            let manifest = #"{"app": {"id": "\#(Self.app)", "version": "21.0"}, "kinds": [{"kind": "weather"}]}"#
            try manifest.write(toFile: folder + "/manifest.json", atomically: true, encoding: .utf8)
            var remote = Program(folder: folder)
            remote.environment["GITHUB_STEP_SUMMARY"] = folder + "/summary.md"
            var local = program
            local.folder = folder
            local.environment["GITHUB_STEP_SUMMARY"] = folder + "/local.md"
            let command = ["preflight", "--manifest", "manifest.json", "--format", "github"]
            let answered = try await remote.start(
                command + ["--server", url, "--key-file", "release.key"]
            ).finished()
            #expect(answered.status == 1 && answered.output.hasPrefix("::error "), "\(answered.errors)")
            #expect(try await local.start(command).finished().status == 1)
            let summary = try String(contentsOfFile: folder + "/summary.md", encoding: .utf8)
            #expect(summary.hasPrefix("## Preflight of com.example.weather 21.0\n\n**FAIL: "))
            let own = try String(contentsOfFile: folder + "/local.md", encoding: .utf8)
            #expect(withoutCommands(summary) == withoutCommands(own))
        }
    }

    @Test func `an unreachable service leaves preflight undecided in every format`() async throws {
        let folder = TestFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        defer { folder.remove() }
        try "key".write(toFile: folder.path + "/release.key", atomically: true, encoding: .utf8)
        var program = Program(folder: folder.path)
        program.environment["GITHUB_STEP_SUMMARY"] = folder.path + "/summary.md"
        let command = ["preflight", "--drop", "a", "--server", "http://127.0.0.1:1", "--key-file", "release.key"]
        for (format, sign) in [
            ("text", "UNDECIDED: "), ("json", #""passed":false"#), ("junit", "<error "), ("github", "::error "),
            ("markdown", "**UNDECIDED: "),
        ] {
            let outcome = try await program.start(command + ["--format", format]).finished()
            #expect(outcome.status == 3 && outcome.output.contains(sign), "\(format): \(outcome.output)")
        }
        // Only the format for annotations writes a summary.
        let summary = try String(contentsOfFile: folder.path + "/summary.md", encoding: .utf8)
        #expect(summary.components(separatedBy: "UNDECIDED").count == 2)
        program.environment["GITHUB_STEP_SUMMARY"] = "/nowhere/summary.md"
        let unwritten = try await program.start(command + ["--format", "github"]).finished()
        #expect(unwritten.status == 3 && unwritten.errors.contains("the summary could not be written"))
    }
}
