import CensusCore
import PostgresTesting
import Testing

@testable import IngestServer

@Suite struct `Retry state` {
    private let start = ContinuousClock.now
    private let apps: [Int32: Text] = [1: Text("com.example.weather")]

    private func state() -> RetryState { RetryState(sweepInterval: .seconds(60), firstRest: .seconds(60)) }

    /// `#expect` can't evaluate a mutating call, so callers pass its result.
    private func expect<T: Equatable>(_ value: T, _ wanted: T, _ place: SourceLocation = #_sourceLocation) {
        #expect(value == wanted, sourceLocation: place)
    }

    @Test func `batches that are set aside are swept once an interval`() {
        var state = state()
        expect(state.sweeps(at: start), true)
        expect(state.sweeps(at: start + .seconds(60)), false)
        expect(state.sweeps(at: start + .seconds(61)), true)
        expect(state.sweeps(at: start + .seconds(62)), false)
    }

    @Test func `the pause before a retry doubles up to an hour`() {
        var state = state()
        var now = start
        // The first check retries a batch of an earlier run, which counts as one retry.
        expect(state.retries(knowing: apps, at: now), true)
        for minutes in [2, 4, 8, 16, 32, 60, 60, 60] {
            _ = state.isNews("damaged", settingAside: 7, at: now)
            expect(state.retries(knowing: apps, at: now + .seconds(60 * minutes) - .nanoseconds(1)), false)
            now += .seconds(60 * minutes)
            expect(state.retries(knowing: apps, at: now), true)
        }
    }

    @Test func `the pause begins when the first batch is set aside`() {
        var state = state()
        _ = state.isNews("damaged", settingAside: 1, at: start)
        _ = state.isNews("damaged", settingAside: 2, at: start + .seconds(59))
        expect(state.retries(knowing: apps, at: start + .seconds(59)), false)
        expect(state.retries(knowing: apps, at: start + .seconds(60)), true)
    }

    @Test func `a change of the known apps causes a retry at once, and resets the pause`() {
        var state = state()
        var now = start
        for _ in 0..<5 {
            expect(state.retries(knowing: apps, at: now), true)
            _ = state.isNews("damaged", settingAside: 1, at: now)
            now += RetryState.longestRest
        }
        _ = state.retries(knowing: apps, at: now)
        _ = state.isNews("no such app", settingAside: 1, at: now)
        for known in [[:], apps] {
            now += .seconds(1)
            expect(state.retries(knowing: known, at: now), true)
            _ = state.isNews("no such app", settingAside: 1, at: now)
            expect(state.retries(knowing: known, at: now + .seconds(59)), false)
        }
        expect(state.retries(knowing: apps, at: now + .seconds(60)), true)
    }

    @Test func `a batch's reason is logged once, until it changes or nothing is set aside`() {
        var state = state()
        expect(state.isNews("damaged", settingAside: 1, at: start), true)
        expect(state.isNews("damaged", settingAside: 1, at: start), false)
        expect(state.isNews("damaged", settingAside: 2, at: start), true)
        expect(state.isNews("no such app", settingAside: 1, at: start), true)
        state.nothingIsSetAside()
        expect(state.isNews("no such app", settingAside: 1, at: start), true)
    }

    @Test func `the pause is reset once nothing is set aside`() {
        var state = state()
        for _ in 0..<4 { expect(state.retries(knowing: apps, at: start), true) }
        state.nothingIsSetAside()
        _ = state.isNews("damaged", settingAside: 1, at: start)
        expect(state.retries(knowing: apps, at: start + .seconds(59)), false)
        expect(state.retries(knowing: apps, at: start + .seconds(60)), true)
    }

    @Test(arguments: UInt64(0)..<50) func `a batch that is set aside waits at most an hour`(seed: UInt64) {
        var random = Seeded(seed)
        var state = state()
        var (now, known) = (start, apps)
        var since: ContinuousClock.Instant?
        for _ in 0..<500 {
            now += .seconds(random.below(600))
            switch random.below(4) {
            case 0:
                _ = state.isNews("damaged", settingAside: Int64(random.below(5)), at: now)
                since = since ?? now
            case 1 where random.chance(10):
                state.nothingIsSetAside()
                since = nil
            case 2 where random.chance(10): known = known == apps ? [:] : apps
            default:
                let isDue = since.map { now - $0 >= RetryState.longestRest } ?? false
                let retries = state.retries(knowing: known, at: now)
                #expect(retries || !isDue, "seed \(seed)")
                if retries { since = nil }
            }
        }
    }
}
