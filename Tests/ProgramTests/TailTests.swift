import CensusCore
import CensusStore
import Foundation
import PostgresTesting
import SeededRandom
import Testing

@testable import widget_census

@Suite struct `Tail` {
    private static let app = "com.example.weather"

    private func line(_ id: String, device: String = "phone", channel: String = "production", _ event: String) -> String
    {
        let now = Timestamp.now
        return """
            {"received_at":"\(now)","sent_at":"\(now)","app":{"id":"\(Self.app)","version":"1.0","channel":"\(channel)"},\
            "device":{"id":"\(device)","platform":"ios","os_version":"iOS 17"},"installation":{"id":"A"},\
            "events":[{"id":"\(id)","at":"\(now)",\(event)}]}\n
            """
    }

    private let report = #""type":"widgets_reported","widgets":[{"kind":"weather"}]"#

    private func program(importing lines: String) async throws -> Program {
        let program = Program.onDatabase(try await TestDatabase.migrated())
        try await program.run("apps", "add", Self.app)
        #expect(try await program.run("import", "-", input: lines).status == 0)
        return program
    }

    @Test func `tail shows an event with its verdict, its warnings, and what it changed by which rule`() async throws {
        let program = try await program(
            importing: line("1", report) + line("2", #""type":"widget_danced""#)
                + line("3", device: "other", channel: "debug", report))
        let all = try await program.run("tail", "--app", Self.app, "--no-follow")
        #expect(all.status == 0)
        #expect(all.output.contains("widgets_reported [weather]"))
        #expect(all.output.contains("R1 report: installed: weather, certain 0→1, possible 0→1"))
        #expect(all.output.contains("warning os_version at /device/os_version: "))
        #expect(all.output.contains("refused 2 as unknown_type: "))
        #expect(all.output.contains("not counted, because its channel is debug; if it were counted:"))

        let one = try await program.run("tail", "--app", Self.app, "--device", "other", "--no-follow").output
        #expect(one.split(separator: "\n").count { $0.contains(" device ") } == 1)
        #expect(!one.contains("unknown_type") && one.contains("installed: weather"))
        #expect(try await program.run("tail", "--app", Self.app, "--last", "0", "--no-follow").output == "")
        #expect(try await program.run("tail", "--app", "com.example.none", "--no-follow").status == 2)
    }

    @Test func `tail waits for new events, and ends when it is interrupted`() async throws {
        let program = try await program(importing: line("1", report))
        let running = try program.start(["tail", "--app", Self.app, "--last", "0"])
        let deadline = ContinuousClock.now + .seconds(60)
        // Events before its first read don't count as new.
        var number = 1
        while !running.written.contains("widgets_reported"), ContinuousClock.now < deadline {
            number += 1
            _ = try await program.run("import", "-", input: line("\(number)", report))
            try await Task.sleep(for: .milliseconds(300))
        }
        running.process.interrupt()
        let ended = await running.finished()
        #expect(ended.status == 0)
        #expect(ended.output.contains("widgets_reported"))
        #expect(ended.errors.split(separator: "\n").count == 1)
    }

    /// Commits are late, within the time that the server waits, and every read sees what is committed by then.
    @Test(arguments: 0..<50) func `tail shows each arrival once, even if it is committed late`(seed: UInt64) {
        var random = Seeded(seed)
        let begin = Timestamp.now
        let devices = (0..<7).compactMap { Pseudonym(bytes: Array(repeating: $0, count: 16)) }
        let arrivals = (0..<200).map { number in
            Arrived(
                receivedAt: begin + .milliseconds(Int64(random.below(60_000))),
                device: devices[number % 7],
                outcome: .accepted(id: "\(number)", at: begin))
        }
        let committed = arrivals.map { ($0, $0.receivedAt + .milliseconds(Int64(random.below(14_000)))) }
        var reel = TailReel(after: begin - .seconds(1))
        var shown: [Arrived] = []
        var now = begin
        while now < begin + .seconds(90) {
            now = now + .milliseconds(Int64(500 + random.below(4_500)))
            let after = reel.readFrom
            shown += reel.take(committed.filter { $1 <= now && $0.receivedAt > after }.map { $0.0 })
        }
        #expect(shown.count == 200)
        #expect(Set(shown).count == 200)
    }
}
