import ArgumentParser
import CensusCore
import Foundation
import GalleryTrial
import PostgresTesting

/// Counts the devices that were told to hide a kind that they held, and the devices without it that were told to hide it.
@main
struct GalleryBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "Benchmarks/decision/gallery")

    @Option(help: "Device-days: days on which a device asks.") var deviceDays = 10_000_000
    @Option(help: "Stop after this many minutes.") var minutes: Int?
    @Option(help: "Days to simulate.") var days = 120
    @Option(help: "The random seed of the fleet and of everything that happens to it.") var seed: UInt64 = 1
    @Option(help: "How often the app is opened, relative to a weather app.") var opening = 0.07
    @Option(help: "Reinstalls per device and month; by default few, often by some.") var reinstalls: Double?
    @Option(help: "The share of devices whose events name only a kind.") var unnamed = 0.1
    @Option(help: "Compare one read in this many with the server's answer.") var spots = 200

    func run() async throws {
        let begun = ContinuousClock.now
        // A fifth more than if all phones were there from the start, because some join late and some never.
        let plan = GalleryTrial.Plan(
            seed: seed, devices: max(10, deviceDays * 12 / 10 / days), days: days, opening: opening,
            reinstallsAMonth: reinstalls, unnamedShare: unnamed, spots: spots)
        let (wanted, limit) = (deviceDays, minutes)
        let tally = try await GalleryTrial.run(plan, on: TestDatabase.create()) { tally in
            if tally.deviceDays > 0 { note("\(tally.deviceDays) device-days, \(tally.wrongHides) wrong") }
            return tally.deviceDays >= wanted || limit.map { ContinuousClock.now - begun > .seconds($0 * 60) } ?? false
        }
        let seconds = (ContinuousClock.now - begun) / .seconds(1)
        print(
            """
            seed \(seed): \(tally.deviceDays) device-days in \(Int(seconds)) s; \(tally.batches) batches of \(tally.events) \
            events at two nodes, \(tally.acts) acts on kinds, \(tally.forgotten) devices forgotten, \(tally.givenUp) commits \
            and reads cancelled
            \(tally.readings) reads of the store; \(tally.spotChecks) answers of the server were compared with them
            told to hide a kind held at the last report: \(tally.wrongHides)
            held, but hidden by an app that follows the contract: \(tally.wronglyHidden)
            of \(tally.lacking) device-days and kinds with a report in the window that lacks the kind:
              told to hide it          \(GalleryBenchmark.share(tally.hides, tally.lacking))
              hidden by an app that asks every third day \(GalleryBenchmark.share(tally.hiddenByClients, tally.lacking))
            """)
        for (reason, count) in tally.answers.sorted(by: { $0.value > $1.value }) where reason.answer == .show {
            print("  shown: \(reason.rawValue)".padded(27) + GalleryBenchmark.share(count, tally.lacking))
        }
        let hideable = tally.lacking - (tally.answers[.ios14] ?? 0)
        print(
            "  if the OS can hide a single kind: told to hide " + GalleryBenchmark.share(tally.hides, hideable))
        for finding in tally.findings { print("FOUND seed \(seed): \(finding)") }
        if tally.wrongHides + tally.wronglyHidden > 0 { throw ExitCode(1) }
    }

    private func note(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }

    private static func share(_ count: Int, _ all: Int) -> String {
        let thousandths = all > 0 ? Int((Double(count) / Double(all) * 100_000).rounded()) : 0
        let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
        return "\(count) (\(whole).\(String(rest + 1_000).dropFirst())%)"
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
