import Fleet
import SeedTesting
import SeededRandom
import Testing

@testable import CensusCore

/// A device's state doesn't depend on how its observations arrived. A failure names its seed.
@Suite struct `Order properties` {
    static let chunks = Seeds.of(0..<10_000, by: 500)
    /// For properties that check every step of a history.
    static let few = Seeds.of(0..<3_000, by: 250)

    @Test(arguments: chunks) func `arrival order doesn't change the state`(seeds: Range<UInt64>) {
        for seed in seeds {
            let history = RandomHistory(seed)
            let expected = history.fold(history.observations)
            var random = Seeded(~seed)
            let shuffled = history.fold(history.observations.shuffled(using: &random))
            let isSame = shuffled == expected && shuffled.spans == expected.spans
            #expect(isSame, "seed \(seed)")
            let isSameReversed = history.fold(history.observations.reversed()) == expected
            #expect(isSameReversed, "seed \(seed)")
        }
    }

    @Test(arguments: chunks) func `duplicates don't change the state`(seeds: Range<UInt64>) {
        for seed in seeds {
            let history = RandomHistory(seed)
            var random = Seeded(~seed)
            var twice = history.observations
            for observation in history.observations where random.chance(40) {
                twice += Array(repeating: observation, count: random.below(3) + 1)
            }
            let isSame = history.fold(twice.shuffled(using: &random)) == history.fold(history.observations)
            #expect(isSame, "seed \(seed)")
        }
    }

    /// Each delivery's clock correction depends on how long it took.
    @Test func `redeliveries with slightly different clock corrections count once`() {
        var device = Device(.android)
        device.adds(Placement(kind: "W"), .day(1))
        var twice = device.observations
        for observation in device.observations {
            var again = observation
            again.at = again.at + .milliseconds(500)
            twice.append(again)
        }
        #expect(DeviceFold().fold(twice) == DeviceFold().fold(device.observations))
    }

    @Test(arguments: chunks) func `folding in steps equals folding at once`(seeds: Range<UInt64>) {
        for seed in seeds {
            let history = RandomHistory(seed)
            let sorted = history.observations.sorted()
            let expected = history.fold(sorted)
            var random = Seeded(~seed)
            let instants = history.instants
            let split = random.below(instants.count + 1)
            let half = history.fold(instants[..<split].joined().shuffled(using: &random))
            let isSame = history.fold(instants[split...].joined(), onto: half) == expected
            #expect(isSame, "seed \(seed) split \(split)")
            guard seed % 8 == 0 else { continue }
            let isSameStepwise = instants.reduce(DeviceState()) { history.fold($1, onto: $0) } == expected
            #expect(isSameStepwise, "seed \(seed)")
        }
    }

    @Test(arguments: few) func `other channels don't change the state`(seeds: Range<UInt64>) {
        for seed in seeds {
            let history = RandomHistory(seed)
            let production = history.observations.filter { $0.circumstances.channel == "production" }
            var random = Seeded(~seed)
            let others = RandomHistory(seed &+ 1_000_000).observations.map { observation in
                var other = observation
                other.id = "other \(observation.id)"
                other.circumstances.channel = random.pick(["testflight", "debug", "Production", ""])
                return other
            }
            let isSame = history.fold(history.observations + others) == history.fold(production)
            #expect(isSame, "seed \(seed)")
        }
    }

    @Test func `the order of observations is strict and total`() {
        for seed in UInt64(0)..<50 {
            let some = RandomHistory(seed).observations
            for one in some {
                for other in some where one.id != other.id { #expect((one < other) != (other < one), "seed \(seed)") }
                #expect(!(one < one), "seed \(seed)")
            }
        }
    }
}
