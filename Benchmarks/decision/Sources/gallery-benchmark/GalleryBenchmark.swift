import ArgumentParser
import CensusCore
import Foundation
import GalleryTrial
import PostgresTesting

/// Says how many devices were told to hide a kind that they held, and how many of those who lack it were told so.
@main
struct GalleryBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "Benchmarks/decision/gallery")

    @Option(help: "How many days on which a device asks.") var deviceDays = 10_000_000
    @Option(help: "End after so many minutes, with what there is by then.") var minutes: Int?
    @Option(help: "Days that the fleet lives.") var days = 120
    @Option(help: "Chooses the fleet and all that happens to it.") var seed: UInt64 = 1
    @Option(help: "How often the app is opened, as a share of how often a weather app is.") var opening = 0.07
    @Option(help: "Reinstalls a device a month; by default few, and a few owners who often do.") var reinstalls: Double?
    @Option(help: "Of the devices, those whose events name only a kind.") var unnamed = 0.1
    @Option(help: "One in so many readings is asked of the handler, too.") var spots = 200

    func run() async throws {
        let begun = ContinuousClock.now
        // Some phones come late, and some never: a fifth more than would do if all were there from the start.
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
            and readings given up
            \(tally.readings) readings of the store; \(tally.spotChecks) answers of the handler were compared with them
            told to hide what it held at its last report: \(tally.wrongHides)
            hidden by an app that goes by the contract, and held: \(tally.wronglyHidden)
            of \(tally.lacking) kinds and days with a report within the window that lacks the kind:
              told to hide it          \(GalleryBenchmark.share(tally.hides, tally.lacking))
              hidden by an app that asks every third day \(GalleryBenchmark.share(tally.hiddenByClients, tally.lacking))
            """)
        for (reason, count) in tally.answers.sorted(by: { $0.value > $1.value }) where reason.answer == .show {
            print("  shown: \(reason.rawValue)".padded(27) + GalleryBenchmark.share(count, tally.lacking))
        }
        let hideable = tally.lacking - (tally.answers[.ios14] ?? 0)
        print(
            "  where the system can hide one kind alone: told to hide " + GalleryBenchmark.share(tally.hides, hideable))
        for finding in tally.findings { print("FOUND seed \(seed): \(finding)") }
        if tally.wrongHides + tally.wronglyHidden > 0 { throw ExitCode(1) }
    }

    private func note(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }

    private static func share(_ count: Int, _ all: Int) -> String {
        let thousandths = all > 0 ? Int((Double(count) / Double(all) * 100_000).rounded()) : 0
        let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1_000)
        return "\(count) (\(whole).\(String(rest + 1_000).dropFirst()) %)"
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
