import Fleet
import SeedTesting
import SeededRandom
import Testing

@testable import CensusCore

/// A state that was stored and read back. A failure names its seed.
@Suite struct `Checkpoint properties` {
    static let chunks = Seeds.of(0..<10_000, by: 1_250)

    @Test(arguments: chunks) func `folding onto a checkpoint equals folding from the start`(seeds: Range<UInt64>) throws
    {
        for seed in seeds {
            let history = RandomHistory(seed)
            let fold = DeviceFold(window: history.window)
            let sorted = history.observations.sorted()
            let expected = history.fold(sorted)
            var random = Seeded(~seed)
            let time = random.pick(sorted).at
            let earlier = history.fold(sorted.filter { $0.at <= time })
            let later = sorted.filter { $0.at > time }

            let start = try #require(fold.state(checkpoint: fold.checkpoint(of: earlier)), "seed \(seed)")
            var restored = history.fold(later, onto: start)
            let fixed = earlier.spans.filter(earlier.isFixed)
            #expect(Set(fixed + fold.spans(of: restored)) == Set(fold.spans(of: expected)), "seed \(seed)")
            #expect(fixed.count + restored.spans.count == expected.spans.count, "seed \(seed)")
            let fixedPhases = earlier.phases.filter(start.isFixed)
            #expect(fixedPhases + restored.phases == expected.phases, "seed \(seed)")
            // Everything else is equal.
            restored.history = expected.history
            restored.phaseHistory = expected.phaseHistory
            #expect(restored == expected, "seed \(seed)")
        }
    }

    @Test func `a checkpoint of a fold with other settings is not read`() throws {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        let bytes = DeviceFold().checkpoint(of: device.state)
        #expect(DeviceFold().state(checkpoint: bytes) == device.state)
        #expect(DeviceFold(window: ActivityWindow(days: 7)).state(checkpoint: bytes) == nil)
        #expect(DeviceFold(doubtedBuilds: ["18A5301v"]).state(checkpoint: bytes) == nil)
        // A base can't be made again from observations, so every fold reads it.
        for fold in [
            DeviceFold(), DeviceFold(window: ActivityWindow(days: 7)), DeviceFold(doubtedBuilds: ["18A5301v"]),
        ] {
            #expect(try fold.state(base: bytes) == device.state)
            #expect(try DeviceFold().state(base: fold.checkpoint(of: device.state)) == device.state)
        }
    }
}
