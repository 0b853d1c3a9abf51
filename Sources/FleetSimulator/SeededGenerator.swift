internal import CensusCore

/// SplitMix64: random numbers that are the same for equal seeds, on every platform and with every compiler.
///
/// Draw with the methods here. The standard library's `random(in:using:)` and `shuffled(using:)` may change from one
/// release to the next, and with them the fleet.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators" (2014).
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return SeededGenerator.mixed(state)
    }

    /// A generator for one purpose: what is drawn from it moves nothing that is drawn elsewhere.
    func derived(for purpose: String) -> SeededGenerator {
        // FNV-1a: `Hasher` is seeded anew in every process.
        let hash = purpose.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return SeededGenerator(seed: SeededGenerator.mixed(SeededGenerator.mixed(state) ^ hash))
    }

    func derived(for number: Int) -> SeededGenerator { derived(for: String(number)) }

    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = word
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
