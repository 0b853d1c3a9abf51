import Foundation
import Testing

@Suite struct `Simulation` {
    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("simulation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test func `simulate writes the truth beside the batches, and the same files for the same end`() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var written: [[Data]] = []
        for name in ["one", "other"] {
            let path = folder.appendingPathComponent("\(name).ndjson").path
            let outcome = try await Program().run(
                "simulate", "--devices", "10", "--days", "4", "--end", "2026-11-21T10:00:00Z", "--output", path)
            #expect(outcome.status == 0)
            #expect(outcome.errors.contains("wrote the truth to "))
            written.append(
                try ["\(name).ndjson", "\(name).truth.csv"].map {
                    try Data(contentsOf: folder.appendingPathComponent($0))
                })
        }
        #expect(written[0] == written[1])
        let truth = String(decoding: written[0][1], as: UTF8.self).split(separator: "\n")
        #expect(truth.first == "day,surface,kind,devices,widgets,zone,app_id")
        #expect(truth.dropFirst().allSatisfy { $0.hasPrefix("2026-11-1") || $0.hasPrefix("2026-11-20,widget,") })
        #expect(truth.count > 10)
    }

    @Test func `the truth of one fleet follows the days of the chosen zone`() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        var written: [[String]] = []
        for zone in ["UTC", "Asia/Tokyo"] {
            let path = folder.appendingPathComponent("fleet.ndjson").path
            let outcome = try await Program().run(
                "simulate", "--devices", "10", "--days", "4", "--end", "2026-11-21T17:00:00Z", "--zone", zone,
                "--output", path)
            #expect(outcome.status == 0)
            written.append(
                try ["fleet.ndjson", "fleet.truth.csv"].map {
                    try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
                })
        }
        #expect(written[0][0] == written[1][0])
        // In Tokyo it is already the 22nd.
        #expect(!written[0][1].contains("2026-11-21,") && written[1][1].contains("2026-11-21,"))
        #expect(
            written[1][1].split(separator: "\n").dropFirst().allSatisfy {
                $0.hasSuffix(",Asia/Tokyo,com.example.weather")
            })
    }

    @Test func `simulate writes no truth beside standard output unless asked`() async throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("truth.csv").path
        let quiet = try await Program().run("simulate", "--devices", "3", "--days", "2", "--output", "-")
        #expect(quiet.errors.isEmpty)
        let asked = try await Program().run(
            "simulate", "--devices", "3", "--days", "2", "--output", "-", "--truth", path)
        #expect(asked.errors.contains(path))
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test(arguments: [
        ["--differences", "none"], ["--differences", "before"], ["--unnamed", "1"], ["--taps", "0.9"],
    ])
    func `options change how the simulated app behaves`(options: [String]) async throws {
        let fleet = ["simulate", "--devices", "20", "--days", "4", "--end", "2026-11-21T10:00:00Z", "--output", "-"]
        let usual = try await Program().start(fleet).finished()
        let other = try await Program().start(fleet + options).finished()
        #expect(other.status == 0)
        #expect(other.output != usual.output)
        let named = try await Program()
            .start(fleet + ["--differences", "after", "--unnamed", "0", "--taps", "0.12"]).finished()
        #expect(named.output == usual.output)
    }

    @Test(arguments: [
        (["--android", "1.5"], "from 0 to 1"), (["--reinstalls", "-1"], "--reinstalls"),
        (["--unnamed", "1.1"], "it must be a share from 0 to 1"),
        (["--taps", "2"], "it must be a share from 0 to 1"),
        (["--differences", "first"], "'none', 'after' or 'before'"),
        (["--zone", "CET"], "--zone"), (["--zone", "Europe/Prag"], "--zone"),
        (["--ghosts", "15.1"], "no phone of the fleet runs iOS 15.1"), (["--ghosts", "newest"], "--ghosts"),
    ])
    func `simulate rejects impossible options`(options: [String], complaint: String) async throws {
        let outcome = try await Program().start(["simulate", "--output", "-"] + options).finished()
        #expect(outcome.status == 2)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains(complaint))
    }
}
