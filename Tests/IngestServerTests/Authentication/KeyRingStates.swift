import PostgresTesting
import Testing

@testable import CensusStore
@testable import IngestServer

@Suite struct `Key ring state` {
    typealias State = KeyRingState<Int>

    private let start = ContinuousClock.now

    /// The keys after this many changes in the store.
    private static func keys(_ version: Int) -> [KeyHash: KeyRecord] {
        let caps = NameCaps(appNumber: Int32(version), kinds: 1, families: 1)
        return [KeyHash([0]): KeyRecord(role: .write, isRevoked: false, appID: "", caps: caps)]
    }

    private static func version(_ state: State) -> Int {
        Int(state.keys[KeyHash([0])]?.caps.appNumber ?? 0)
    }

    /// `#expect` can't evaluate a mutating call, so callers pass its result.
    private func expect(_ actions: [State.Action], _ wanted: [String], _ place: SourceLocation = #_sourceLocation) {
        let names = actions.map { action in
            switch action {
            case .schedule(nil): "read at once"
            case .schedule(let instant?): "read at \(instant - start)"
            case .answer(let waiter, nil): "\(waiter) may look"
            case .answer(let waiter, let failure?): "\(waiter) hears \(failure.fault)"
            }
        }
        #expect(names == wanted, sourceLocation: place)
    }

    @Test func `requests that arrive before a read begins share it, and later ones wait for the next`() {
        var state = State()
        expect(state.wait(1), ["read at once"])
        expect(state.wait(2), [])
        let first = state.beginForWaiters(at: start)
        expect(state.wait(3), [])
        state.took(Self.keys(1), of: first)
        expect(state.endForWaiters(nil), ["1 may look", "2 may look", "read at \(State.spacing)"])
        _ = state.beginForWaiters(at: start + State.spacing)
        expect(state.endForWaiters(nil), ["3 may look"])
        expect(state.wait(4), ["read at \(State.spacing * 2)"])
    }

    @Test func `a failed read fails the requests that waited for it, and the old keys stay`() {
        var state = State()
        state.took(Self.keys(7), of: state.begin(at: start))
        expect(state.wait(1), ["read at \(State.spacing)"])
        _ = state.beginForWaiters(at: start + State.spacing)
        expect(state.endForWaiters(StoreError(.away, "gone")), ["1 hears away"])
        #expect(Self.version(state) == 7)
    }

    @Test func `a read that began earlier does not overwrite a later one`() {
        var state = State()
        let (slow, quick) = (state.begin(at: start), state.begin(at: start))
        state.took(Self.keys(2), of: quick)
        state.took(Self.keys(1), of: slow)
        #expect(Self.version(state) == 2)
    }

    /// Random reads, some slow, of a changing store. Each request gets one result, from a read that began after
    /// it arrived. The keys never go back, and reads for unknown keys keep their spacing.
    @Test(arguments: UInt64(0)..<100) func `every request gets a read that began after it arrived`(seed: UInt64) {
        var random = Seeded(seed)
        var state = State()
        var (now, version) = (start, 1)
        /// The store's version when each waiter arrived.
        var asked: [Int: Int] = [:]
        var (asks, answered, failed) = (0, 0, 0)
        /// Reads in progress, with the version that each will find.
        var readings: [(number: Int, version: Int)] = []
        var forWaiters: (number: Int, version: Int)?
        var scheduled: ContinuousClock.Instant?
        var lastBegun: ContinuousClock.Instant?

        func carryOut(_ actions: [State.Action]) {
            for action in actions {
                switch action {
                case .schedule(let instant):
                    #expect(scheduled == nil && forWaiters == nil, "two reads for unknown keys at once")
                    scheduled = max(now, instant ?? now)
                    if let lastBegun { #expect(scheduled.map { $0 >= lastBegun + State.spacing } ?? false) }
                case .answer(let waiter, nil):
                    let seen = asked.removeValue(forKey: waiter)
                    #expect(
                        seen.map { $0 <= Self.version(state) } ?? false, "\(waiter) got two results, or one too early")
                    answered += 1
                case .answer(let waiter, .some):
                    #expect(asked.removeValue(forKey: waiter) != nil)
                    failed += 1
                }
            }
        }
        func advance() {
            if let instant = scheduled, instant <= now {
                scheduled = nil
                forWaiters = (state.beginForWaiters(at: now), version)
                lastBegun = now
            } else if let reading = forWaiters {
                forWaiters = nil
                let isFailure = random.chance(20)
                if !isFailure { state.took(Self.keys(reading.version), of: reading.number) }
                carryOut(state.endForWaiters(isFailure ? StoreError(.away, "gone") : nil))
            }
        }
        for _ in 0..<500 {
            let before = Self.version(state)
            switch random.below(8) {
            case 0, 1:
                asks += 1
                asked[asks] = version
                carryOut(state.wait(asks))
            case 2: version += 1
            case 3 where readings.count < 3:
                readings.append((state.begin(at: now), version))
                lastBegun = now
            case 4 where !readings.isEmpty:
                let reading = readings.remove(at: random.below(readings.count))
                state.took(Self.keys(reading.version), of: reading.number)
            case 5, 6: advance()
            default: now += .milliseconds(random.below(80))
            }
            #expect(Self.version(state) >= before, "the keys went back")
        }
        while scheduled != nil || forWaiters != nil {
            now += State.spacing
            advance()
        }
        #expect(asked.isEmpty && answered + failed == asks)
    }
}
