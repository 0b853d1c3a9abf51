import Foundation
import Testing

@testable import WidgetCensusClient

@Suite struct `Queue limits` {
    private static func name(_ number: Int, _ rank: EventRank, bytes: Int = 100) -> EventName {
        EventName(
            at: Date(timeIntervalSince1970: Double(number)), serial: String(format: "%06d-0", number), rank: rank,
            bytes: bytes)
    }

    @Test(arguments: UInt64(0)..<200) func `keep what is worth most, and not more than fits`(seed: UInt64) {
        var random = Seeded(seed)
        let limits = QueueLimits(files: 1 + random.below(30), bytes: 200 + random.below(3000))
        var waiting: [EventName] = []
        for number in 0..<100 {
            let new = Self.name(number, random.pick(EventRank.allCases), bytes: 1 + random.below(200))
            let evicted = limits.evictions(from: waiting, adding: new)
            let candidates = waiting + [new]
            waiting = candidates.filter { !evicted.contains($0) }
            #expect(waiting.count <= limits.files && waiting.reduce(0) { $0 + $1.bytes } <= limits.bytes)
            for gone in evicted {
                #expect(!waiting.contains { $0.rank < gone.rank || ($0.rank == gone.rank && $0 < gone) })
            }
            let fits = candidates.count <= limits.files && candidates.reduce(0) { $0 + $1.bytes } <= limits.bytes
            #expect(evicted.isEmpty == fits)
        }
    }

    @Test func `are 1,000 files and 2 MiB`() {
        let full = (0..<1000).map { Self.name($0, .reported) }
        #expect(QueueLimits().evictions(from: full.dropLast(), adding: Self.name(2000, .reported)).isEmpty)
        #expect(QueueLimits().evictions(from: full, adding: Self.name(2000, .reported)) == [full[0]])
        let large = (0..<2).map { Self.name($0, .reported, bytes: 1 << 20) }
        #expect(QueueLimits().evictions(from: [large[0]], adding: large[1]).isEmpty)
        #expect(QueueLimits().evictions(from: large, adding: Self.name(3, .reported, bytes: 1)) == [large[0]])
    }

    @Test func `let renderings go first, a twentieth at a time, and reports last`() {
        let full = (0..<1000).map { Self.name($0, $0 < 200 ? .reported : .rendered) }
        let evicted = QueueLimits().evictions(from: full, adding: Self.name(1000, .opened))
        #expect(evicted == Array(full[200..<251]))
        let reports = (0..<1000).map { Self.name($0, .reported) }
        let rendering = Self.name(1000, .rendered)
        #expect(QueueLimits().evictions(from: reports, adding: rendering) == [rendering])
    }
}
