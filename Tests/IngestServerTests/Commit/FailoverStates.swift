import PostgresTesting
import Testing

@testable import IngestServer
@testable import Spool

@Suite struct `Failover state` {
    private let start = ContinuousClock.now
    private let empty = SpoolLevel(limit: 1_000)

    private func holding(_ batches: Int, setAside: Int = 0) -> SpoolLevel {
        var level = empty
        (level.batches, level.setAside) = (batches, setAside)
        return level
    }

    /// `#expect` can't evaluate a mutating call, so callers pass its result.
    private func expect<T: Equatable>(_ value: T, _ wanted: T, _ place: SourceLocation = #_sourceLocation) {
        #expect(value == wanted, sourceLocation: place)
    }

    @Test func `an outage is reported when it begins and when the store has all of its batches`() {
        var state = FailoverState(held: 0, at: start)
        expect(state.storeWasAway("gone", at: start), [.takesOver(reason: "gone")])
        #expect(state.isOn)
        expect(state.storeWasAway("still gone", at: start + .seconds(1)), [])
        expect(state.spoolTook(3, of: 3, limit: 1_000, at: start), [])
        expect(state.hasDrained(empty, at: start), [])
        state.storeAnswered()
        #expect(!state.isOn)
        state.storeTook(2)
        expect(state.hasDrained(holding(1), at: start + .seconds(8)), [])
        state.storeTook(1)
        let end = FailoverState.Line.hasDrained(batches: 3, seconds: 9, setAside: 0, lost: 0)
        expect(state.hasDrained(empty, at: start + .seconds(9)), [end])
        expect(state.hasDrained(empty, at: start + .seconds(10)), [])
    }

    @Test func `batches of an earlier process count as an outage that is already reported`() {
        var state = FailoverState(held: 4, at: start)
        expect(state.storeWasAway("gone", at: start), [])
        state.storeAnswered()
        state.storeTook(3)
        let end = FailoverState.Line.hasDrained(batches: 3, seconds: 0, setAside: 1, lost: 0)
        expect(state.hasDrained(holding(0, setAside: 1), at: start), [end])
    }

    @Test func `a batch that waited too long begins an outage although the store is reachable`() {
        var state = FailoverState(held: 0, at: start)
        expect(
            state.spoolTook(1, of: 1, limit: 1_000, at: start),
            [.takesOver(reason: "requests waited too long for their turn")])
        #expect(!state.isOn)
    }

    @Test func `a full spool and a failing disk are each reported once, and again after they have recovered`() {
        var state = FailoverState(held: 0, at: start)
        _ = state.storeWasAway("gone", at: start)
        expect(state.spoolTook(0, of: 2, limit: 1_000, at: start), [.isFull(limit: 1_000)])
        expect(state.spoolTook(0, of: 2, limit: 1_000, at: start), [])
        expect(state.spoolFailed("no disk"), [.takesNothing(reason: "no disk")])
        expect(state.spoolFailed("no disk"), [])
        expect(state.spoolTook(1, of: 1, limit: 1_000, at: start), [])
        expect(state.spoolFailed("no disk again"), [.takesNothing(reason: "no disk again")])
    }

    /// Random events: each outage counts every delivered batch once.
    @Test(arguments: UInt64(0)..<50) func `outages never overlap, and each reports a full spool once`(
        seed: UInt64
    ) {
        var random = Seeded(seed)
        var state = FailoverState(held: 0, at: start)
        var (isOpen, held, brought, isFullKnown) = (false, 0, 0, false)
        for step in 0..<300 {
            let now = start + .seconds(step)
            var told: [FailoverState.Line] = []
            switch random.below(6) {
            case 0: told = state.storeWasAway("gone", at: now)
            case 1:
                let all = 1 + random.below(5)
                let taken = random.chance(70) ? all : random.below(all)
                held += taken
                told = state.spoolTook(taken, of: all, limit: 1_000, at: now)
            case 2: told = state.spoolFailed("no disk")
            case 3: state.storeAnswered()
            case 4 where held > 0 && isOpen:
                held -= 1
                brought += 1
                state.storeTook(1)
            default:
                told = state.hasDrained(holding(held), at: now)
                if held == 0, !state.isOn { isFullKnown = false }
            }
            for line in told {
                switch line {
                case .takesOver:
                    #expect(!isOpen)
                    isOpen = true
                case .hasDrained(let batches, _, _, _):
                    #expect(isOpen && held == 0 && batches == brought && !state.isOn)
                    (isOpen, brought) = (false, 0)
                case .isFull:
                    #expect(!isFullKnown)
                    isFullKnown = true
                case .takesNothing: break
                }
            }
        }
    }
}
