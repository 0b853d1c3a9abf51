import SeededRandom

extension Seeded {
    /// Every input follows from the seed and its number, so it can be reproduced.
    init(seed: UInt64, input: Int) {
        var first = Seeded(seed &* 0xD134_2543_DE82_EF95 &+ UInt64(input))
        self.init(first.next())
    }
}
