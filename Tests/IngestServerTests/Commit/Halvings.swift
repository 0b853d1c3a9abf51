import PostgresTesting
import Testing

@testable import IngestServer

@Suite struct `Halvings` {
    @Test func `a failed group is retried in halves, the first half first`() {
        var pieces = Halving([1, 2, 3, 4, 5])
        var tried: [[Int]] = []
        while let piece = pieces.next() {
            tried.append(Array(piece))
            if piece.contains(4) { _ = pieces.split(piece) }
        }
        #expect(tried == [[1, 2, 3, 4, 5], [1, 2], [3, 4, 5], [3], [4, 5], [4], [5]])
    }

    @Test(arguments: UInt64(0)..<50) func `bad batches are isolated, and all others are stored once, in order`(
        seed: UInt64
    ) {
        var random = Seeded(seed)
        let group = Array(0..<random.below(200))
        let bad = Set(group.filter { _ in random.chance(5) })
        var pieces = Halving(group)
        var (stored, alone) = ([Int](), [Int]())
        while let piece = pieces.next() {
            if bad.isDisjoint(with: piece) {
                stored += piece
            } else if !pieces.split(piece) {
                alone += piece
            }
        }
        #expect(stored == group.filter { !bad.contains($0) })
        #expect(alone == bad.sorted())
    }
}
