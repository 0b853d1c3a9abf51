import SeededRandom
import Testing

@testable import CensusCore

@Suite struct `Stretches of days` {
    private typealias Stretch = CensusCore.Days

    private func days(_ from: Int32, _ to: Int32) -> Stretch {
        Stretch(from: Day(daysSince1970: from), to: Day(daysSince1970: to))
    }

    private func all(_ stretches: [Stretch]) -> [Int32] {
        stretches.flatMap { $0.from.daysSince1970..<$0.to.daysSince1970 }
    }

    /// Disjoint stretches in time order. Neighbours may touch.
    private func apart(_ random: inout Seeded) -> [Stretch] {
        var day: Int32 = 0
        return (0..<random.below(6)).map { _ in
            let from = day + Int32(random.below(3))
            day = from + 1 + Int32(random.below(4))
            return days(from, day)
        }
    }

    @Test func `a stretch contains its first day, but not its end`() {
        let stretch = days(2, 4)
        #expect((0..<6).filter { stretch.contains(Day(daysSince1970: $0)) } == [2, 3])
        #expect(!stretch.isEmpty && days(2, 2).isEmpty)
        #expect(Stretch(.day(1, hour: 0), .day(1, hour: 23), zone: .utc).isEmpty)
        #expect(Stretch(.day(1), nil, zone: .utc).to == .last)
    }

    @Test func `stretches that touch or overlap merge`() {
        #expect([days(4, 6), days(2, 4), days(8, 9), days(7, 7)].merged == [days(2, 6), days(8, 9)])
        #expect([days(1, 9), days(2, 3)].merged == [days(1, 9)])
        #expect([days(1, 2), days(3, 5), days(3, 4)].merged == [days(1, 2), days(3, 5)])
    }

    @Test(arguments: UInt64(0)..<200) func `merged stretches hold each day once`(seed: UInt64) {
        var random = Seeded(seed)
        let stretches = (0..<random.below(6)).map { _ in
            let from = Int32(random.below(20))
            return days(from, from + Int32(random.below(5)))
        }
        #expect(all(stretches.merged) == Set(all(stretches)).sorted(), "seed \(seed)")
    }

    @Test(arguments: UInt64(0)..<200) func `every intersection has both positions`(seed: UInt64) {
        var random = Seeded(seed)
        let (mine, theirs) = (apart(&random), apart(&random))
        var told: [[Int]] = []
        mine.forEachIntersection(with: theirs) { one, other, both in
            #expect(!both.isEmpty)
            told += all([both]).map { [one, other, Int($0)] }
        }
        let wanted = mine.indices.flatMap { one in
            theirs.indices.flatMap { other in
                Set(all([mine[one]])).intersection(all([theirs[other]])).map { [one, other, Int($0)] }
            }
        }
        #expect(told.sorted { $0.lexicographicallyPrecedes($1) } == wanted.sorted { $0.lexicographicallyPrecedes($1) })
    }
}
