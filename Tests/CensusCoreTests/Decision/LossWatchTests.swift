import SeededRandom
import Testing

@testable import CensusCore

/// The watch over one kind and one target version.
@Suite struct `Watch for losses` {
    private let watch = LossWatch(chance: AlarmBudget().chance(version: 3, kinds: 20))

    private let withOS = LossStratum(isOtherOS: true)

    /// One day's updates and losses by version, beside other devices of which one in 500 lost the kind.
    private func day(_ number: Int32, _ updates: [Text: (pairs: Int, lost: Int)], others: Int = 1_000) -> LossDay {
        var day = LossDay(Day(daysSince1970: 20_000 + number))
        day[LossStratum()].updates = updates.mapValues {
            ReportPairs(pairs: $0.pairs, lost: $0.lost, exposedDays: Double($0.pairs))
        }
        day[LossStratum()].others = ReportPairs(pairs: others, lost: others / 500, exposedDays: Double(others))
        return day
    }

    @Test func `losing half of the holders on the first night opens an incident that night`() {
        let figures = watch.figures(of: [day(1, ["1.0": (20, 10)])])
        #expect(figures.openedOn == Day(daysSince1970: 20_001))
        #expect(figures.updates.lost == 10)
        #expect(figures.evidence >= watch.threshold)
        #expect(figures.origins.map(\.version) == ["1.0"])
    }

    @Test func `too few updates or too few losses open no incident, however high the rate`() {
        #expect(watch.figures(of: [day(1, ["1.0": (19, 19)])]).openedOn == nil)
        #expect(watch.figures(of: [day(1, ["1.0": (20, 4)])]).openedOn == nil)
    }

    @Test func `the ordinary rate opens no incident`() {
        let days = (1...30).map { day($0, ["1.0": (500, 1), "1.1": (500, 1)]) }
        let figures = watch.figures(of: days)
        #expect(figures.openedOn == nil && figures.evidence < 1)
        #expect(figures.ordinaryShare == 0.002)
    }

    @Test func `an acknowledged loss is no evidence, but the excess is`() {
        let days = [day(1, ["1.0": (200, 100)]), day(2, ["1.0": (200, 100)])]
        #expect(watch.figures(of: days).openedOn == Day(daysSince1970: 20_001))
        #expect(watch.figures(of: days, excusing: 200).openedOn == nil)
        #expect(watch.figures(of: days, excusing: 200).excused == 200)
        let exceeded = watch.figures(of: days, excusing: 150)
        #expect(exceeded.openedOn == Day(daysSince1970: 20_002) && exceeded.excused == 150)
        #expect(exceeded.updates.lost == 200)
    }

    /// Nights can be missed. The same days must lead to the same incident.
    @Test(arguments: UInt64(0)..<100) func `days added one by one open the same incident as all at once`(seed: UInt64) {
        var random = Seeded(seed)
        let days = (1...12).map { number in
            day(
                Int32(number),
                Dictionary(
                    uniqueKeysWithValues: ["1.0", "1.1", "1.2"].map { (version: Text) in
                        let pairs = random.below(40)
                        return (version, (pairs: pairs, lost: random.below(max(1, pairs / 4))))
                    }), others: random.below(2_000))
        }
        let together = watch.figures(of: days)
        let apart = days.indices.compactMap { watch.figures(of: Array(days[...$0])).openedOn }.first
        #expect(together.openedOn == apart)
        #expect(together.origins.reduce(ReportPairs()) { $0 + $1.updates } == together.updates)
    }

    @Test func `app updates with an OS update are compared only with other OS updates`() {
        var both = LossDay(Day(daysSince1970: 20_001))
        // A new OS takes many away, regardless of the app's version.
        both[withOS].updates = ["1.0": ReportPairs(pairs: 200, lost: 40, exposedDays: 200)]
        both[withOS].others = ReportPairs(pairs: 1_000, lost: 200, exposedDays: 1_000)
        #expect(watch.figures(of: [both]).openedOn == nil)
        var mixed = both
        (mixed[LossStratum()], mixed[withOS]) = (both[withOS], LossDay.Stratum())
        mixed[LossStratum()].others.lost = 2
        #expect(watch.figures(of: [mixed]).openedOn != nil)
    }

    /// A stratum that could show nothing once cancelled the evidence of another.
    @Test func `a stratum that can show nothing does not reduce the evidence of another`() {
        var watch = watch
        watch.bounds = [.long: 0.004]
        func figures(withOS lost: Int) -> LossFigures {
            let weekly = LossStratum(gap: .long)
            var day = LossDay(Day(daysSince1970: 20_001))
            day[weekly].updates = ["1.0": ReportPairs(pairs: 470, lost: 240, exposedDays: 3_290)]
            day[LossStratum(isOtherOS: true, gap: .long)].updates = [
                "1.0": ReportPairs(pairs: 210, lost: lost, exposedDays: 1_470)
            ]
            return watch.figures(of: [day])
        }
        for lost in [0, 105, 210] {
            #expect(figures(withOS: lost).openedOn != nil)
            #expect(figures(withOS: lost).evidence == figures(withOS: 0).evidence)
            #expect(figures(withOS: lost).unmatchedWithOS == 210)
        }
    }

    @Test func `only pairs with similar gaps are compared, and pairs past the longest gap are only counted`() {
        var day = LossDay(Day(daysSince1970: 20_001))
        // No daily user loses it. Of weekly users one in five does, on every version.
        day[LossStratum()].others = ReportPairs(pairs: 5_000, exposedDays: 5_000)
        day[LossStratum(gap: .long)] = LossDay.Stratum(
            updates: ["1.0": ReportPairs(pairs: 200, lost: 40, exposedDays: 1_400)],
            others: ReportPairs(pairs: 200, lost: 40, exposedDays: 1_400))
        #expect(watch.figures(of: [day]).evidence < 1)
        var late = LossDay(day.day)
        late[LossStratum(gap: .late)] = day[LossStratum(gap: .long)]
        let figures = watch.figures(of: [late])
        #expect(figures.evidence == 1 && figures.late == 200)
        #expect(figures.updates.pairs == 200 && figures.updates.lost == 40)
    }

    /// An app that required the newest OS took the kind from everyone, and the watch missed it.
    @Test func `an app update together with an OS update is judged even without others to compare`() throws {
        var watch = watch
        watch.bounds[.short] = 0.002
        func figures(lost: Int) -> LossFigures {
            var day = LossDay(Day(daysSince1970: 20_001))
            day[withOS].updates = ["1.0": ReportPairs(pairs: 300, lost: lost, exposedDays: 300)]
            return watch.figures(of: [day])
        }
        #expect(figures(lost: 300).openedOn != nil)
        // As many as an OS update may take.
        #expect(figures(lost: 12).openedOn == nil)
        let smallest = try #require(figures(lost: 12).smallestSeen)
        #expect(figures(lost: Int((smallest * 300).rounded(.up)) + 1).openedOn != nil)
        #expect(figures(lost: Int(smallest * 300) - 3).openedOn == nil)
        watch.bounds = [:]
        #expect(figures(lost: 300).openedOn == nil)
    }

    @Test func `a watch states the smallest loss it could have seen`() throws {
        let small = try #require(watch.figures(of: [day(1, ["1.0": (20_000, 40)], others: 20_000)]).smallestSeen)
        let large = try #require(watch.figures(of: [day(1, ["1.0": (100, 0)])]).smallestSeen)
        #expect(small < 0.02)
        #expect(large > 0.04 && large < 0.2)
        #expect(watch.figures(of: [day(1, ["1.0": (10, 0)])]).smallestSeen == nil)
    }

    @Test func `kinds that appear late share one slot`() {
        let budget = AlarmBudget()
        let late = (0..<1_000).reduce(0) { $0 + budget.chance(version: 0, kinds: 20, late: $1) }
        #expect(late <= budget.chance(version: 0, kinds: 20))
    }
}
