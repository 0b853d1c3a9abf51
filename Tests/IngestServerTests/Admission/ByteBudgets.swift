import PostgresTesting
import CensusStore
import Testing

@testable import IngestServer

@Suite struct `Byte budgets` {
    /// `#expect` can't evaluate a mutating call, so callers pass its result.
    private func expect(_ value: Bool, _ wanted: Bool, _ place: SourceLocation = #_sourceLocation) {
        #expect(value == wanted, sourceLocation: place)
    }

    @Test func `a reservation past the budget or the key's share changes nothing`() {
        var budget = ByteBudget(total: 100, share: 40)
        let (a, b, c) = (KeyHash([1]), KeyHash([2]), KeyHash([3]))
        expect(budget.change(a, from: 0, to: 40), true)
        expect(budget.change(a, from: 0, to: 1), false)
        expect(budget.change(b, from: 0, to: 40), true)
        expect(budget.change(c, from: 0, to: 21), false)
        expect(budget.change(c, from: 0, to: 20), true)
        #expect(budget.taken == 100)
        // A key at its share can still release bytes.
        expect(budget.change(a, from: 40, to: 10), true)
        expect(budget.change(c, from: 20, to: 40), true)
        #expect(budget.taken == 90)
    }

    @Test(arguments: UInt64(0)..<64)
    func `reservations never exceed the budget, and released bytes can be reserved again`(
        seed: UInt64
    ) {
        var random = Seeded(seed)
        var budget = ByteBudget(total: 1_000, share: 300)
        var requests: [(key: KeyHash, bytes: Int)] = []
        for _ in 0..<500 {
            if requests.isEmpty || Bool.random(using: &random) {
                requests.append((KeyHash([.random(in: 0..<6, using: &random)]), 0))
            }
            let chosen = Int.random(in: requests.indices, using: &random)
            let ends = Int.random(in: 0..<4, using: &random) == 0
            let wanted = ends ? 0 : Int.random(in: 0...200, using: &random)
            let (key, before) = requests[chosen]
            let mine = requests.filter { $0.key == key }.reduce(0) { $0 + $1.bytes }
            let all = requests.reduce(0) { $0 + $1.bytes }
            let more = wanted - before
            let isTaken = budget.change(key, from: before, to: wanted)
            #expect(isTaken == (more <= 0 || (mine + more <= 300 && all + more <= 1_000)), "seed \(seed)")
            if isTaken { requests[chosen].bytes = wanted }
            if ends { requests.remove(at: chosen) }
            #expect(budget.taken == requests.reduce(0) { $0 + $1.bytes }, "seed \(seed)")
        }
        for request in requests { expect(budget.change(request.key, from: request.bytes, to: 0), true) }
        #expect(budget.taken == 0)
        #expect(budget.byKey.isEmpty, "keys without reservations are removed")
    }
}
