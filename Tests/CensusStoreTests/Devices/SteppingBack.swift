import Testing

@testable import Nightly

@Suite struct `Stepping back` {
    @Test(arguments: [(0, 0), (8, 0), (12, 0.0625), (16, 1), (24, 16), (32, 81), (1_000, 99)])
    func `the reconciler rests longer when more requests wait`(waiting: Int, rest: Double) {
        #expect(ReconcilerService.rest(waiting: waiting, sweepLasts: .seconds(9)) == rest)
    }

    @Test func `a short sweep gets a tenth of the time, however many wait`() {
        #expect(ReconcilerService.rest(waiting: 1_000, sweepLasts: .seconds(10)) == 9)
        #expect(ReconcilerService.rest(waiting: 12, sweepLasts: .seconds(299)) == 0.0625)
    }

    @Test func `a long sweep gets a third of the time, however many wait`() {
        #expect(ReconcilerService.rest(waiting: 1_000, sweepLasts: .seconds(300)) == 2)
        #expect(ReconcilerService.rest(waiting: 12, sweepLasts: .seconds(300)) == 0.0625)
    }

    @Test func `a rest runs in full while the rush lasts`() {
        #expect(rested(after: .milliseconds(625)) { _ in 2 } == .milliseconds(1_250))
    }

    @Test func `a moment without waiting requests does not end a rest`() {
        let rested = rested(after: .milliseconds(500)) { $0.isMultiple(of: 2) ? 9 : 1 }
        #expect(rested > .milliseconds(2_400))
    }

    @Test func `a rest ends soon after the rush`() {
        #expect(rested(after: .seconds(1)) { $0 < 10 ? 9 : 0 } < .seconds(2))
        #expect(rested(after: .milliseconds(500)) { $0 < 100 ? 99 : 0 } < .seconds(11))
        #expect(rested(after: .seconds(1)) { _ in 0 } == .zero)
    }

    @Test func `a step that was delayed for minutes causes no rest of minutes`() {
        #expect(rested(after: .seconds(60)) { _ in 9 } == .seconds(18))
    }

    @Test func `a step that ends while no request waits causes a rest, too`() {
        var rest = Rest()
        _ = rested(after: .milliseconds(50), in: &rest) { _ in 9 }
        #expect(!rest.isNeedless)
        #expect(rested(after: .milliseconds(500), in: &rest) { $0 == 0 ? 0 : 9 } > .seconds(4))
    }

    @Test func `rests are needless once no request has waited for a while`() {
        var rest = Rest()
        #expect(rested(after: .milliseconds(500), in: &rest) { $0 < 5 ? 99 : 0 } < .milliseconds(300))
        #expect(rest.isNeedless)
    }

    /// - Parameter share: the result of each call, numbered from 0.
    private func rested(after step: Duration, _ share: (Int) -> Double) -> Duration {
        var rest = Rest()
        return rested(after: step, in: &rest, share)
    }

    private func rested(after step: Duration, in rest: inout Rest, _ share: (Int) -> Double) -> Duration {
        rest.begin(after: step)
        var (rested, asked) = (Duration.zero, 0)
        while let piece = rest.next(share(asked)) {
            #expect(piece <= .milliseconds(100))
            (rested, asked) = (rested + piece, asked + 1)
        }
        return rested
    }
}
