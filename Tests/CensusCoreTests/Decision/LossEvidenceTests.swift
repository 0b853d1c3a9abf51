import Foundation
import SeededRandom
import Testing

@testable import CensusCore

/// The evidence for mass losses over random releases; a failure names its seed.
@Suite struct `Evidence of a loss` {
    /// An app's holders under Apple's phased release, who all report once a day.
    struct Release {
        var holders: Double
        /// The share of updaters that loses the kind through the update.
        var loss = 0.0
        /// The share that loses it in a day anyway.
        var ordinary = 0.002
        /// The largest factor by which the ordinary rate varies from night to night.
        var wobble = 1.0

        static let phases = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

        /// - Returns: the first night, from 1, on which the evidence reaches a threshold; nil: it never does in 14 nights.
        func alarm(at threshold: Double, _ seed: UInt64) -> Int? {
            var random = Seeded(seed)
            var evidence = LossEvidence()
            var lost = 0
            var updated = 0.0
            for night in 1...14 {
                let target = Release.phases[min(night, Release.phases.count) - 1]
                let rate = ordinary * pow(wobble, 2 * random.fraction() - 1)
                let updating = holders * (target - updated)
                let others = holders * (1 - updating / holders)
                var updates = ReportPairs(pairs: Int(updating), exposedDays: updating)
                updates.lost = random.happenings(of: updating, rate + loss)
                let ordinaryPairs = ReportPairs(
                    pairs: Int(others), lost: random.happenings(of: others, rate), exposedDays: others)
                evidence.add(updates, beside: ordinaryPairs)
                lost += updates.lost
                updated = target
                if evidence.value >= threshold, lost >= 5 { return night }
            }
            return nil
        }
    }

    /// How many of 1,000 kinds raise an alarm by this night.
    private func alarms(_ release: Release, at threshold: Double, by night: Int = 14) -> Int {
        (UInt64(0)..<1_000).count { release.alarm(at: threshold, $0).map { $0 <= night } ?? false }
    }

    /// The threshold if 20 kinds share what one of 52 versions gets of a hundredth of an alarm.
    private var usual: Double { 1 / AlarmBudget().chance(version: 3, kinds: 20) }

    @Test(arguments: [1.0, 3, 10]) func `a release without losses raises fewer false alarms than budgeted`(
        wobble: Double
    ) {
        for holders in [50.0, 500, 20_000] {
            let release = Release(holders: holders, wobble: wobble)
            #expect(alarms(release, at: 20) <= 50, "\(holders) holders")
            #expect(alarms(release, at: usual) == 0, "\(holders) holders")
        }
    }

    @Test func `twice the ordinary rate counts as no loss`() {
        let release = Release(holders: 20_000, loss: 0.002)
        #expect(alarms(release, at: 20) <= 50)
    }

    @Test func `a loss is seen as early as its size and the number of holders allow`() {
        #expect(alarms(Release(holders: 2_000, loss: 0.5), at: usual, by: 1) >= 900)
        #expect(alarms(Release(holders: 20_000, loss: 0.1), at: usual, by: 1) >= 950)
        #expect(alarms(Release(holders: 20_000, loss: 0.02), at: usual, by: 4) >= 900)
        #expect(alarms(Release(holders: 500, loss: 0.1), at: usual, by: 7) >= 900)
    }

    @Test func `two equal nights give the same evidence apart as together`() {
        var (apart, together) = (LossEvidence(), LossEvidence())
        let updates = ReportPairs(pairs: 100, lost: 5, exposedDays: 100)
        let others = ReportPairs(pairs: 1_000, lost: 2, exposedDays: 1_000)
        apart.add(updates, beside: others)
        apart.add(updates, beside: others)
        together.add(updates + updates, beside: others + others)
        for (left, right) in zip(apart.logRatios, together.logRatios) { #expect(abs(left - right) < 1e-9) }
    }

    @Test func `a night without losses or pairs is no evidence of a loss`() {
        var evidence = LossEvidence()
        evidence.add(ReportPairs(), beside: ReportPairs())
        #expect(evidence.value == 1)
        evidence.add(ReportPairs(pairs: 50, exposedDays: 50), beside: ReportPairs(pairs: 50, exposedDays: 50))
        #expect(evidence.value == 1)
        evidence.add(
            ReportPairs(pairs: 50, exposedDays: 50), beside: ReportPairs(pairs: 50, lost: 3, exposedDays: 50))
        #expect(evidence.value < 1)
    }

    /// Everyone updated at once, so no others are left to compare with.
    @Test func `without others, updates are compared with the earlier rate`() throws {
        let bound = try #require(ReportPairs(lost: 20, exposedDays: 10_000).upperRate(doubt: 0.001))
        var (ordinary, loss) = (LossEvidence(), LossEvidence())
        let none = ReportPairs()
        ordinary.add(ReportPairs(pairs: 5_000, lost: 10, exposedDays: 5_000), beside: none, bound: bound)
        loss.add(ReportPairs(pairs: 5_000, lost: 500, exposedDays: 5_000), beside: none, bound: bound)
        #expect(ordinary.value < 1)
        #expect(loss.value > 1e9)
        var blind = LossEvidence()
        blind.add(ReportPairs(pairs: 5_000, lost: 500, exposedDays: 5_000), beside: none)
        #expect(blind.value == 1)
    }

    /// Twenty times the ordinary rate over a week came to more losses than there were devices.
    @Test func `nothing is evidence if the bound allows half of the devices to lose it`() {
        let none = ReportPairs()
        for (lost, bound) in [(0, 0.08), (50, 0.08), (100, 1), (100, 20)] {
            var evidence = LossEvidence()
            evidence.add(ReportPairs(pairs: 100, lost: lost, exposedDays: 700), beside: none, bound: bound)
            #expect(evidence.value == 1)
        }
        var tolerated = LossEvidence()
        tolerated.add(ReportPairs(pairs: 100, lost: 100, exposedDays: 700), beside: none, bound: 0.02)
        #expect(tolerated.value > 1e40)
    }

    /// For any rate of the others, the expectation of a night's factor is at most 1 as long as updates lose no faster.
    @Test func `a night compared with the bound is a fair bet at the tolerated share`() {
        for share in [0.01, 0.1, 0.3, 0.49] {
            let bound = share / 2
            let expected = (0...20).reduce(0.0) { sum, lost in
                var evidence = LossEvidence()
                evidence.add(
                    ReportPairs(pairs: 20, lost: lost, exposedDays: 20), beside: ReportPairs(), bound: bound)
                let chance = exp(
                    lgamma(21) - lgamma(Double(lost) + 1) - lgamma(Double(20 - lost) + 1)
                        + Double(lost) * log(share) + Double(20 - lost) * log(1 - share))
                return sum + chance * evidence.value
            }
            #expect(abs(expected - 1) < 1e-9)
        }
    }

    @Test func `overwhelming evidence stays finite`() {
        var evidence = LossEvidence()
        for _ in 0..<10 {
            evidence.add(
                ReportPairs(pairs: 100_000, lost: 90_000, exposedDays: 100_000),
                beside: ReportPairs(pairs: 1_000_000, lost: 10, exposedDays: 1_000_000))
        }
        #expect(evidence.value.isFinite && evidence.value > 1e200)
    }

    @Test func `a loss from one origin is seen although the others hide it`() {
        let none = StratifiedEvidence()
        var affected = none
        affected.add(
            ReportPairs(pairs: 100, lost: 40, exposedDays: 100),
            beside: ReportPairs(pairs: 10_000, lost: 20, exposedDays: 10_000), in: LossStratum())
        let target = TargetEvidence(pooled: none, byOrigin: [none, none, affected])
        #expect(target.value >= affected.value / 24)
        #expect(TargetEvidence(pooled: none, byOrigin: []).value == 1)
        #expect(
            abs(TargetEvidence(pooled: none, byOrigin: [none, none]).value - 1) < 1e-12)
    }

    @Test func `any number of versions and kinds share a year's budget`() {
        let budget = AlarmBudget()
        let spent = (0..<10_000).reduce(0.0) { $0 + 21 * budget.chance(version: $1, kinds: 20) }
        #expect(spent <= 0.01 && spent > 0.0099)
    }

    @Test func `a rate's upper bound matches tables of the Poisson distribution`() throws {
        // From the tables: 3.0 for no event at 5%, and 16.96 for ten events.
        #expect(abs(try #require(ReportPairs(lost: 0, exposedDays: 1).upperRate(doubt: 0.05)) - 2.9957) < 1e-3)
        #expect(abs(try #require(ReportPairs(lost: 10, exposedDays: 1).upperRate(doubt: 0.05)) - 16.962) < 1e-3)
        #expect(abs(try #require(ReportPairs(lost: 10_000, exposedDays: 10).upperRate(doubt: 0.05)) - 1016.6) < 0.2)
        #expect(ReportPairs(lost: 1, exposedDays: 0).upperRate(doubt: 0.05) == nil)
    }
}

extension Seeded {
    /// How many of `count` events happen, each with a small chance: a Poisson draw.
    fileprivate mutating func happenings(of count: Double, _ chance: Double) -> Int {
        let mean = count * chance
        if mean > 500 {
            return Int(min(count, max(0, mean + normal() * (mean * (1 - chance)).squareRoot())).rounded())
        }
        var (product, happened) = (fraction(), 0)
        let least = exp(-mean)
        while product > least {
            product *= fraction()
            happened += 1
        }
        return min(happened, Int(count))
    }
}
