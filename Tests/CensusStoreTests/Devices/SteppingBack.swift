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
}
