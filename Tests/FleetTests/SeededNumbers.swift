@testable import Fleet
import SeededRandom
import Testing

@Suite struct `Seeded numbers` {
    /// The reference values of SplitMix64 for seed 1234567 (Vigna's splitmix64.c).
    @Test func `the generator is SplitMix64`() {
        var generator = Seeded(1_234_567)
        let drawn = (0..<3).map { _ in generator.next() }
        #expect(drawn == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
    }

    @Test func `UUIDs have version 4`() throws {
        var generator = Seeded(1)
        for _ in 0..<100 {
            let id = generator.uuid().description
            #expect(id.wholeMatch(of: /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/) != nil)
        }
    }

    @Test(arguments: UInt64(0)..<16) func `generators for different purposes differ`(seed: UInt64) {
        let generator = Seeded(seed)
        var (one, other) = (generator.derived(for: "one"), generator.derived(for: "other"))
        let drawn = (one.next(), other.next())
        #expect(drawn.0 != drawn.1)
    }

    @Test(arguments: UInt64(0)..<32) func `an even spread gives a small share to few devices`(seed: UInt64) {
        var generator = Seeded(seed)
        let spread = EvenSpread(step: 0.618_033_988_749_895, start: generator.fraction())
        let chosen = (0..<60).count { spread.fraction(ofDevice: $0) < Owner.restlessShare }
        #expect((1...4).contains(chosen))
    }
}
