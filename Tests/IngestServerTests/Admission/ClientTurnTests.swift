import PostgresTesting
import Testing

@testable import IngestServer

@Suite struct `Client turns` {
    /// `#expect` can't evaluate a mutating call, so callers pass its result.
    private func expect<T: Equatable>(_ value: T, _ wanted: T, _ place: SourceLocation = #_sourceLocation) {
        #expect(value == wanted, sourceLocation: place)
    }

    @Test func `the connection that has waited longest is closed first, and one that waits again last`() {
        var turns = ClientTurns(maximum: 4)
        let tickets = (0..<3).map { _ in turns.come().0 }
        expect(turns.wait(tickets[0]), [])
        expect(turns.come().cut, [tickets[1]])
        expect(turns.come().cut, [tickets[2]])
        expect(turns.come().cut, [tickets[0]])
    }

    @Test func `a connection with a complete request is never closed, and a new client is still admitted`() {
        var turns = ClientTurns(maximum: 4)
        for _ in 0..<3 { turns.work(turns.come().0) }
        let (last, cut) = turns.come()
        expect(cut, [])
        turns.work(last)
        expect(turns.come().cut, [])
        #expect(turns.working == 4 && turns.waiting == 1)
    }

    @Test func `a request that is complete before its connection is closed gets a response`() {
        var turns = ClientTurns(maximum: 2)
        let first = turns.come().0
        expect(turns.come().cut, [first])
        #expect(turns.isCut(first))
        expect(turns.wait(first), [])
        #expect(turns.isCut(first), "a part of a request is not enough")
        turns.work(first)
        #expect(!turns.isCut(first))
    }

    @Test func `a sixteenth of the places that are not working stays free`() {
        var turns = ClientTurns(maximum: 2_048)
        for _ in 0..<5_000 { _ = turns.come() }
        #expect(turns.waiting == 1_920)
        var busy = ClientTurns(maximum: 2_048)
        for _ in 0..<1_728 { busy.work(busy.come().0) }
        for _ in 0..<5_000 { _ = busy.come() }
        #expect(busy.working == 1_728 && busy.waiting == 300)
    }

    /// Random histories, compared with plain lists of connections.
    @Test(arguments: UInt64(0)..<128)
    func `only the connection that has waited longest is closed, and only if its place is needed`(
        seed: UInt64
    ) {
        var random = Seeded(seed)
        let maximum = 1 + random.below(40)
        var turns = ClientTurns(maximum: maximum)
        var waiting: [Int] = []
        var working: Set<Int> = []
        var cut: Set<Int> = []
        func check(_ ended: [Int]) {
            var wanted: [Int] = []
            while waiting.count > 1,
                waiting.count + working.count > maximum - max(1, (maximum - working.count) / 16)
            {
                wanted.append(waiting.removeFirst())
            }
            #expect(ended == wanted, "seed \(seed)")
            cut.formUnion(ended)
        }
        for _ in 0..<250 {
            let all = waiting + working.sorted() + cut.sorted()
            switch all.isEmpty ? 0 : random.below(8) {
            case 0, 1, 2:
                let (ticket, ended) = turns.come()
                #expect(!all.contains(ticket), "seed \(seed): two have the ticket \(ticket)")
                waiting.append(ticket)
                check(ended)
            case 3, 4:
                let one = random.pick(all)
                turns.work(one)
                waiting.removeAll { $0 == one }
                cut.remove(one)
                working.insert(one)
            case 5, 6:
                let one = random.pick(all)
                let ended = turns.wait(one)
                if !cut.contains(one) {
                    waiting.removeAll { $0 == one }
                    working.remove(one)
                    waiting.append(one)
                    check(ended)
                } else {
                    #expect(ended.isEmpty, "seed \(seed)")
                }
            default:
                let one = random.pick(all)
                turns.leave(one)
                waiting.removeAll { $0 == one }
                working.remove(one)
                cut.remove(one)
            }
            #expect(turns.waiting == waiting.count && turns.working == working.count, "seed \(seed)")
            #expect(all.allSatisfy { turns.isCut($0) == cut.contains($0) }, "seed \(seed)")
        }
    }
}
