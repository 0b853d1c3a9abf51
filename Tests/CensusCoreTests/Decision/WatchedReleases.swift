import SeededRandom
import Testing

@testable import CensusCore

/// A watch over random days, compared with ``WatchReference``.
@Suite struct `Watched releases` {
    @Test(arguments: UInt64(0)..<150) func `a watch's figures match the formulas`(seed: UInt64) {
        var random = Seeded(seed)
        let watch = random.watch()
        let days = random.days(upTo: 5)
        let excused = random.pick([0, 0, 1, 4, 15])
        let figures = watch.figures(of: days, excusing: excused)
        let reference = WatchReference(watch, days, excusing: excused)
        #expect(figures.updates == reference.updates && figures.others == reference.others)
        #expect(figures.excused == reference.excused && figures.late == reference.late)
        #expect(figures.unmatched == reference.unmatched(withOS: false))
        #expect(figures.unmatchedWithOS == reference.unmatched(withOS: true))
        #expect(figures.origins.map { Text($0.version) } == reference.origins)
        for origin in figures.origins {
            let version = Text(origin.version)
            #expect(origin.updates == reference.updates(from: version))
            #expect(origin.others == reference.others(beside: version))
            #expect(isNear(origin.evidence, reference.evidence(from: version)))
        }
        #expect(isNear(figures.evidence, reference.evidence(after: days.count)))
        #expect(figures.openedOn == reference.openedOn)
    }

    /// In steps of 1 / 2^20.
    @Test(arguments: UInt64(0)..<150) func `the smallest detectable share is the first one seen`(seed: UInt64) {
        var random = Seeded(seed)
        let watch = random.watch()
        let days = random.days(upTo: 3)
        let reference = WatchReference(watch, days, excusing: 0)
        guard let smallest = watch.figures(of: days).smallestSeen else {
            #expect(reference.updates.pairs < 20 || !reference.isSeen(1))
            return
        }
        let step = 0x1p-20
        #expect(reference.updates.pairs >= 20)
        #expect((smallest / step).rounded() * step == smallest)
        #expect(reference.isSeen(smallest))
        #expect(smallest == step || !reference.isSeen(smallest - step))
    }
}

extension Seeded {
    fileprivate mutating func watch() -> LossWatch {
        LossWatch(
            chance: pick([0.5, 0.02, 1e-4]), tolerance: pick([2, 2, 3.5]),
            bounds: Dictionary(
                uniqueKeysWithValues: [ReportGap.short, .long].filter { _ in chance(60) }
                    .map { ($0, pick([0.001, 0.01, 0.02])) }))
    }

    fileprivate mutating func days(upTo count: Int) -> [LossDay] {
        (0..<1 + below(count)).map { number in
            var day = LossDay(Day(daysSince1970: 20_000 + Int32(number)))
            for stratum in LossStratum.all where chance(40) {
                let (pairs, gap) = (pick([0, 0, 1, 5, 30, 400]), stratum.gap == .short ? 1.0 : 6)
                let others = ReportPairs(pairs: pairs, lost: below(min(pairs, 4) + 1), exposedDays: Double(pairs) * gap)
                // A night can have others and no updates.
                day[stratum].others = others
                for origin in ["1.9", "1.10", "2.0"] where chance(50) {
                    let pairs = pick([0, 1, 6, 19, 20])
                    let lost = below(min(pairs, pick([1, 3, 9])) + 1)
                    day.add(
                        ReportPairs(pairs: pairs, lost: lost, exposedDays: Double(pairs) * gap), from: origin,
                        beside: others, in: stratum)
                }
            }
            return day
        }
    }
}
