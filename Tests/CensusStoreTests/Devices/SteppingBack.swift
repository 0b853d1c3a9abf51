import Testing

@testable import Nightly

@Suite struct `Stepping back` {
    @Test(arguments: [(0, 0), (8, 0), (12, 0.25), (16, 1), (24, 4), (32, 9), (1_000, 9)])
    func `the more wait at the door, the longer the reconciler rests`(waiting: Int, rest: Double) {
        #expect(ReconcilerService.rest(waiting: waiting, sweepLasts: .seconds(299)) == rest)
    }

    @Test func `a long sweep gets a third of the time, however many wait`() {
        #expect(ReconcilerService.rest(waiting: 1_000, sweepLasts: .seconds(300)) == 2)
        #expect(ReconcilerService.rest(waiting: 12, sweepLasts: .seconds(300)) == 0.25)
    }

    @Test func `however long a step took, its rest is taken in full while the rush lasts`() {
        var rest = Rest(after: .milliseconds(625))
        var pieces: [Duration] = []
        while let piece = rest.next(2) { pieces.append(piece) }
        #expect(pieces.reduce(.zero, +) == .milliseconds(1_250))
        #expect(pieces.max() == .milliseconds(100))
    }

    @Test func `it ends with the rush, and grows with it`() {
        var rest = Rest(after: .milliseconds(100))
        #expect(rest.next(9) == .milliseconds(100))
        #expect(rest.next(0) == nil)
        #expect(rest.next(1) == nil)
        #expect(rest.next(1.5) == .milliseconds(50))
    }
}
