import PostgresTesting
import CensusStore
import Testing

@testable import IngestServer

@Suite struct `Fair lines` {
    private let loud = KeyHash([1])
    private let quiet = KeyHash([2])

    /// `#expect` can't evaluate a mutating call, so callers pass its result.
    private func expect<T: Equatable>(_ value: T, _ wanted: T, _ place: SourceLocation = #_sourceLocation) {
        #expect(value == wanted, sourceLocation: place)
    }

    @Test func `a single task of one key overtakes the queue of another key`() {
        var line = FairLine(places: 1, bytes: 10, waitingPerKey: 3, waiting: 8)
        expect(line.come(1, key: loud, bytes: 5), .begins)
        expect(line.come(2, key: loud, bytes: 5), .waits)
        expect(line.come(3, key: loud, bytes: 5), .waits)
        expect(line.come(4, key: quiet, bytes: 5), .waits)
        expect(line.leave(1), [2])
        expect(line.leave(2), [4])
        expect(line.leave(4), [3])
        expect(line.leave(3), [])
    }

    @Test func `the queue of each key is limited, and so is the whole queue`() {
        var line = FairLine(places: 1, bytes: 10, waitingPerKey: 2, waiting: 3)
        expect(line.come(0, key: loud, bytes: 5), .begins)
        let loudAdmissions = (1...3).map { line.come($0, key: loud, bytes: 5) }
        #expect(loudAdmissions == [.waits, .waits, .refused])
        let quietAdmissions = (4...5).map { line.come($0, key: quiet, bytes: 5) }
        #expect(quietAdmissions == [.waits, .refused])
    }

    @Test func `many tasks of one key leave a place to another key's, which overtakes them`() {
        var line = FairLine(places: 3, placesPerKey: 2, bytes: 10, waitingPerKey: 3, waiting: 8)
        let loudAdmissions = (1...4).map { line.come($0, key: loud, bytes: 0) }
        #expect(loudAdmissions == [.begins, .begins, .waits, .waits])
        expect(line.come(5, key: quiet, bytes: 0), .begins)
        expect(line.come(6, key: quiet, bytes: 0), .waits)
        expect(line.leave(5), [6])
        expect(line.leave(1), [3])
        expect(line.leave(6), [])
        expect(line.come(7, key: quiet, bytes: 0), .begins)
        expect(line.leave(2), [4])
    }

    @Test func `a large task runs alone, and admits others once it turns out to be small`() {
        var line = FairLine(places: 3, bytes: 10, waitingPerKey: 4, waiting: 8)
        expect(line.come(1, key: loud, bytes: 10), .begins)
        expect(line.come(2, key: loud, bytes: 4), .waits)
        expect(line.come(3, key: quiet, bytes: 4), .waits)
        expect(line.shrink(1, to: 2), [2, 3])
        // A task above the limit must run alone, or it would never run.
        expect(line.come(4, key: quiet, bytes: 50), .waits)
        let begun = [1, 2, 3].map { line.leave($0) }
        #expect(begun == [[], [], [4]])
    }

    @Test func `if a waiting task gives up, those behind it still get their turn`() {
        var line = FairLine(places: 2, bytes: 10, waitingPerKey: 4, waiting: 8)
        expect(line.come(1, key: loud, bytes: 5), .begins)
        expect(line.come(2, key: loud, bytes: 10), .waits)
        expect(line.come(3, key: quiet, bytes: 5), .waits)
        let (wasWaiting, begin) = line.giveUp(2, key: loud)
        #expect(wasWaiting && begin == [3])
        let (again, working) = (line.giveUp(2, key: loud).wasWaiting, line.giveUp(1, key: loud).wasWaiting)
        #expect(!again && !working, "a running task does not wait")
    }

    /// Random histories, compared with lists of running and waiting tasks.
    @Test(arguments: UInt64(0)..<128)
    func `every waiting task gets its place or an error, in order, within the limits and in turns`(
        seed: UInt64
    ) {
        var random = Seeded(seed)
        let places = Int.random(in: 1...3, using: &random)
        var line = FairLine(places: places, bytes: 100, waitingPerKey: 4, waiting: 10)
        var working: [Int: Int] = [:]
        var waiting: [(ticket: Int, key: KeyHash, bytes: Int)] = []
        /// How often other keys began while a key waited, by waiting key and other key.
        var passed: [KeyHash: [KeyHash: Int]] = [:]
        func begin(_ tickets: [Int]) {
            for ticket in tickets {
                guard let place = waiting.firstIndex(where: { $0.ticket == ticket }) else {
                    Issue.record("seed \(seed): \(ticket) begins and does not wait")
                    return
                }
                let one = waiting.remove(at: place)
                #expect(!waiting.contains { $0.key == one.key && $0.ticket < ticket }, "seed \(seed): out of order")
                working[ticket] = one.bytes
                passed[one.key] = nil
                for key in Set(waiting.map(\.key)) where key != one.key {
                    passed[key, default: [:]][one.key, default: 0] += 1
                    #expect(passed[key]?[one.key] ?? 0 <= 1, "seed \(seed): one key had two turns while another waited")
                }
            }
        }
        for ticket in 0..<400 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let key = KeyHash([.random(in: 0..<4, using: &random)])
                let bytes = Int.random(in: 1...120, using: &random)
                let mine = waiting.count { $0.key == key }
                let isFree = waiting.isEmpty
                switch line.come(ticket, key: key, bytes: bytes) {
                case .begins:
                    #expect(isFree, "seed \(seed): a waiting task was overtaken")
                    working[ticket] = bytes
                case .waits: waiting.append((ticket, key, bytes))
                case .refused: #expect(mine == 4 || waiting.count == 10, "seed \(seed)")
                }
            case 5..<8:
                guard let (one, _) = working.randomElement(using: &random) else { continue }
                working[one] = nil
                begin(line.leave(one))
            case 8:
                guard let (one, bytes) = working.randomElement(using: &random) else { continue }
                working[one] = bytes / 2
                begin(line.shrink(one, to: bytes / 2))
            default:
                guard let one = waiting.randomElement(using: &random) else { continue }
                waiting.removeAll { $0.ticket == one.ticket }
                if !waiting.contains(where: { $0.key == one.key }) { passed[one.key] = nil }
                let (wasWaiting, begun) = line.giveUp(one.ticket, key: one.key)
                #expect(wasWaiting, "seed \(seed)")
                begin(begun)
            }
            #expect(working.count <= places, "seed \(seed)")
            #expect(working.count <= 1 || working.values.reduce(0, +) <= 100, "seed \(seed)")
            #expect(line.waiting == waiting.count, "seed \(seed)")
            #expect(waiting.isEmpty || !working.isEmpty, "seed \(seed): all tasks wait and none runs")
        }
        while let one = working.keys.min() {
            working[one] = nil
            begin(line.leave(one))
        }
        #expect(waiting.isEmpty, "seed \(seed): \(waiting.count) were forgotten")
    }
}
