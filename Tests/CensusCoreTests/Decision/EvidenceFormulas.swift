import Foundation
import SeededRandom
import Testing

@testable import CensusCore

/// Evidence compared with ``EvidenceReference``, and at its limits.
@Suite struct `Evidence formulas` {
    @Test(arguments: UInt64(0)..<200) func `evidence over several nights matches the formulas`(seed: UInt64) {
        var random = Seeded(seed)
        let tolerance = random.pick([2, 2, 2.5, 3, 7.5, 20])
        var (apart, stratified) = (LossEvidence(tolerance: tolerance), StratifiedEvidence(tolerance: tolerance))
        var nights: [EvidenceReference.Night] = []
        var all: [(stratum: LossStratum, night: EvidenceReference.Night)] = []
        for _ in 0..<1 + random.below(6) {
            let night = random.night()
            let comparison = LossEvidence.comparison(
                of: night.updates, beside: night.others, bound: night.bound, tolerance: tolerance)
            #expect(comparison.isLike(night.comparison(tolerance)))
            nights.append(night)
            apart.add(night.updates, beside: night.others, bound: night.bound)
            #expect(isNear(apart.value, EvidenceReference.value(nights, tolerance)))
            let stratum = random.pick(LossStratum.all.filter { $0.gap != .late })
            all.append((stratum, night))
            stratified.add(night.updates, beside: night.others, bound: night.bound, in: stratum)
            #expect(isNear(stratified.value, EvidenceReference.value(all, tolerance)))
        }
    }

    @Test(arguments: UInt64(0)..<50) func `half of a target's evidence is pooled, and its origins share the rest`(
        seed: UInt64
    ) {
        var random = Seeded(seed)
        let values = (0..<random.below(5)).map { _ in random.stratified() }
        let pooled = random.stratified()
        // Weights 1/2, 1/6, 1/12, …: the remainder belongs to origins that have not appeared, whose evidence is 1.
        var (apart, left) = (0.0, 1.0)
        for (index, origin) in values.enumerated() {
            let weight = 1 / Double((index + 1) * (index + 2))
            apart += weight * origin.value
            left -= weight
        }
        let target = TargetEvidence(pooled: pooled, byOrigin: values)
        #expect(isNear(target.value, 0.5 * pooled.value + 0.5 * (apart + left)))
    }

    @Test func `evidence is 1 before anything is seen`() {
        #expect(LossEvidence().value == 1)
        #expect(StratifiedEvidence().value == 1)
        #expect(LossEvidence().tolerance == 2)
        // No size exceeds this tolerance.
        var blind = LossEvidence(tolerance: 1_000)
        blind.add(ReportPairs(pairs: 10, lost: 10, exposedDays: 10), beside: ReportPairs(pairs: 100, exposedDays: 100))
        #expect(blind.value == 1)
    }

    @Test func `evidence is capped at the 690th power of e`() {
        // Only the size 1,000 exceeds the tolerance.
        var evidence = LossEvidence(tolerance: 400)
        evidence.add(
            ReportPairs(pairs: 10_000, lost: 10_000, exposedDays: 10_000),
            beside: ReportPairs(pairs: 10_000_000, exposedDays: 10_000_000))
        #expect(evidence.value == exp(690))
    }

    @Test func `others serve as the comparison if they have a twentieth of the updates' exposure`() {
        func comparison(_ others: Double, bound: Double? = 0.01) -> LossEvidence.Comparison {
            LossEvidence.comparison(
                of: ReportPairs(pairs: 100, exposedDays: 100), beside: ReportPairs(pairs: 1, exposedDays: others),
                bound: bound, tolerance: 2)
        }
        #expect(comparison(5) == .others)
        #expect(comparison(6) == .others)
        #expect(comparison(4.999) == .share(0.02))
        #expect(comparison(0) == .share(0.02))
        // Few others are better than none.
        #expect(comparison(0.5, bound: nil) == .others)
        #expect(comparison(0, bound: nil) == .nothing)
        // The share that may lose the kind reaches one half.
        #expect(comparison(0, bound: 0.249) == .share(0.498))
        #expect(comparison(0, bound: 0.25) == .nothing)
        #expect(comparison(0, bound: 0.28) == .nothing)
        #expect(comparison(1, bound: 0.25) == .others)
    }

    @Test func `report gaps are split at two days and at fourteen`() {
        #expect(ReportGap(.zero) == .short)
        #expect(ReportGap(.days(2)) == .short)
        #expect(ReportGap(.days(2) + .seconds(1)) == .long)
        #expect(ReportGap(.days(14)) == .long)
        #expect(ReportGap(.days(14) + .seconds(1)) == .late)
    }

    @Test func `there are six strata, and the first four are evidence`() {
        #expect(LossStratum() == LossStratum(isOtherOS: false, gap: .short))
        #expect(Set(LossStratum.all).count == 6 && LossStratum.all.count == 6)
        #expect(LossStratum.all.map(\.gap) == [.short, .short, .long, .long, .late, .late])
        #expect(LossStratum.evident == Array(LossStratum.all.prefix(4)))
    }
}

@Suite struct `Report pairs` {
    @Test func `report pairs start at zero and add up`() {
        #expect(ReportPairs() == ReportPairs(pairs: 0, lost: 0, exposedSeconds: 0))
        let (some, more) = (
            ReportPairs(pairs: 5, lost: 2, exposedSeconds: 7), ReportPairs(pairs: 20, lost: 10, exposedSeconds: 100)
        )
        #expect(some + more == ReportPairs(pairs: 25, lost: 12, exposedSeconds: 107))
        var sum = some
        sum += more
        #expect(sum == some + more)
    }

    /// The quotient of two durations fell just below a whole number, so 3,601 seconds lost one.
    @Test func `a gap counts in whole seconds, and as at least an hour`() {
        var pairs = ReportPairs()
        pairs.add(gap: .zero, isLost: false)
        #expect(pairs == ReportPairs(pairs: 1, exposedSeconds: 3_600))
        pairs.add(gap: .seconds(3_599), isLost: true)
        #expect(pairs == ReportPairs(pairs: 2, lost: 1, exposedSeconds: 7_200))
        pairs.add(gap: .seconds(3_601), isLost: true)
        #expect(pairs == ReportPairs(pairs: 3, lost: 2, exposedSeconds: 10_801))
    }

    @Test func `the lost share is per pair, and the rate per exposed day`() {
        #expect(ReportPairs(exposedSeconds: 86_400).exposedDays == 1)
        #expect(ReportPairs(pairs: 1, lost: 1).lostShare == 1)
        #expect(ReportPairs(pairs: 4, lost: 3).lostShare == 0.75)
        #expect(ReportPairs().lostShare == 0)
        #expect(ReportPairs(pairs: 4, lost: 3, exposedDays: 6).ratePerDay == 0.5)
        #expect(ReportPairs(pairs: 1, lost: 1, exposedSeconds: 1).ratePerDay == 86_400)
        #expect(ReportPairs(pairs: 1, lost: 1).ratePerDay == 0)
    }

    @Test(arguments: [0, 1, 2, 7, 40, 250]) func `at the upper rate, so few losses are as unlikely as the doubt`(
        lost: Int
    ) throws {
        for doubt in [0.5, 0.3, 0.05, 1e-3, 1e-6, 1e-12] {
            let rate = try #require(ReportPairs(lost: lost, exposedDays: 4).upperRate(doubt: doubt))
            #expect(isNear(rate, EvidenceReference.upperMean(lost, doubt: doubt) / 4))
        }
    }

    @Test func `an upper rate needs exposure, and a doubt between 0 and 1`() throws {
        let pairs = ReportPairs(lost: 3, exposedDays: 10)
        #expect(pairs.upperRate(doubt: 0) == nil && pairs.upperRate(doubt: -0.1) == nil)
        #expect(pairs.upperRate(doubt: 1) == nil && pairs.upperRate(doubt: 1.5) == nil)
        #expect(ReportPairs(lost: 3).upperRate(doubt: 0.1) == nil)
        // Half a day.
        let rate = try #require(ReportPairs(exposedDays: 0.5).upperRate(doubt: 0.1))
        #expect(isNear(rate, log(10) * 2))
    }

    @Test func `a hundred thousand losses have an upper rate, too`() throws {
        let rate = try #require(ReportPairs(lost: 100_000, exposedDays: 1).upperRate(doubt: 0.025))
        // Approximately a normal distribution.
        #expect(abs(rate - (100_000 + 1.96 * 100_000.0.squareRoot())) < 5)
    }
}

@Suite struct `Alarm budget` {
    @Test func `the default budget is a hundredth of a false alarm a year`() {
        #expect(AlarmBudget().perYear == 0.01)
        #expect(AlarmBudget.fewestHolders == 20)
    }

    @Test func `52 versions share 90%, later ones the rest, and a version's kinds share evenly, with a spare slot`() {
        let budget = AlarmBudget(perYear: 2)
        let shares: [Int: Double] = [0: 0.9 / 52, 51: 0.9 / 52, 52: 0.05, 53: 0.1 / 6, 54: 0.1 / 12]
        let parts: [Double] = [2, 6, 12, 20]
        for (version, share) in shares {
            for kinds in [0, 1, 20] {
                let slot = 2 * share / Double(kinds + 1)
                #expect(isNear(budget.chance(version: version, kinds: kinds), slot))
                for (late, part) in parts.enumerated() {
                    #expect(isNear(budget.chance(version: version, kinds: kinds, late: late), slot / part))
                }
            }
        }
    }
}

extension LossEvidence.Comparison {
    /// Whether both are equal, apart from rounding.
    fileprivate func isLike(_ other: EvidenceReference.Night.Comparison) -> Bool {
        switch (self, other) {
        case (.others, .others), (.nothing, .nothing): true
        case (.share(let left), .share(let right)): isNear(left, right)
        default: false
        }
    }
}

extension Seeded {
    /// Few or many updates, with few, many or no others.
    fileprivate mutating func night() -> EvidenceReference.Night {
        let pairs = pick([0, 1, 1, 5, 20, 60])
        let gap = pick([0.25, 1, 1, 7])
        let others = pick([0, 0, 1, 10, 500])
        return EvidenceReference.Night(
            updates: ReportPairs(pairs: pairs, lost: below(min(pairs, 12) + 1), exposedDays: Double(pairs) * gap),
            others: ReportPairs(
                pairs: others, lost: below(min(others, 6) + 1), exposedDays: Double(others) * pick([0.25, 1, 1])),
            bound: chance(60) ? pick([0.001, 0.01, 0.04, 0.3]) : nil)
    }

    fileprivate mutating func stratified() -> StratifiedEvidence {
        var evidence = StratifiedEvidence()
        for _ in 0..<below(4) {
            let night = night()
            evidence.add(night.updates, beside: night.others, bound: night.bound, in: pick(LossStratum.evident))
        }
        return evidence
    }
}
