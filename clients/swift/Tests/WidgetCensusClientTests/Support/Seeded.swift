import Foundation

/// SplitMix64, as in the service's `SeededRandom`: the same numbers for equal seeds, so that a failed case can be repeated.
struct Seeded: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// From `0..<limit`.
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    /// From 0 to 1.
    mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
}

enum Seeds {
    /// The first quarter of them, or all where `TEST_HISTORIES=all`, as `scripts/test --all` sets it.
    static func of(_ all: Range<UInt64>) -> Range<UInt64> {
        ProcessInfo.processInfo.environment["TEST_HISTORIES"] == "all" ? all : all.prefix(max(2, all.count / 4))
    }
}
