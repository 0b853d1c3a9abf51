/// SplitMix64: every input follows from the seed and its number, so that it can be made again.
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64, input: Int) {
        state = seed &* 0xD134_2543_DE82_EF95 &+ UInt64(input)
        state = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
}
