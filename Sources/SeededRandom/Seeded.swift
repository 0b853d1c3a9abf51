/// SplitMix64: random numbers that are the same for equal seeds, on every platform and with every compiler.
///
/// The simulator makes its fleets with it, and tests their cases, so that a failure can be repeated with its seed. Use only the
/// methods here, because the standard library's `random(in:using:)` and `shuffled(using:)` can change from one release to the
/// next.
package struct Seeded: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(_ seed: UInt64) { state = seed }

    /// Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators" (2014).
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Seeded.mixed(state)
    }

    /// A generator for one purpose. Drawing from it doesn't affect other generators.
    package func derived(for purpose: String) -> Seeded {
        // FNV-1a, because `Hasher` has a different seed in each process.
        let hash = purpose.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return Seeded(Seeded.mixed(Seeded.mixed(state) ^ hash))
    }

    package func derived(for number: Int) -> Seeded { derived(for: String(number)) }

    private static func mixed(_ word: UInt64) -> UInt64 {
        var word = word
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

extension Seeded {
    /// From `0..<limit`; 0 if that is empty.
    package mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

    /// Uniformly distributed in `0..<1`.
    package mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    package mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

    /// An approximate standard normal distribution: the sum of twelve fractions, minus 6.
    package mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + fraction() } }
}
