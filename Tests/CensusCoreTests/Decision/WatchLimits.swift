import Testing

@testable import CensusCore

/// The limits at which a watch's decision changes.
@Suite struct `Watch limits` {
    private let today = Day(daysSince1970: 20_000)

    /// One day with these updates and losses, beside ten thousand others without losses.
    private func days(_ pairs: Int, lost: Int) -> [LossDay] {
        var day = LossDay(today)
        day.add(
            ReportPairs(pairs: pairs, lost: lost, exposedDays: Double(pairs)), from: "1.0",
            beside: ReportPairs(pairs: 10_000, exposedDays: 10_000), in: LossStratum())
        return [day]
    }

    @Test func `an incident needs twenty updates and five losses beyond the acknowledged ones`() {
        let watch = LossWatch(chance: 0.01)
        #expect(watch.figures(of: days(20, lost: 5)).openedOn == today)
        #expect(watch.figures(of: days(19, lost: 5)).openedOn == nil)
        #expect(watch.figures(of: days(20, lost: 4)).openedOn == nil)
        #expect(watch.figures(of: days(20, lost: 5), excusing: 1).openedOn == nil)
        #expect(watch.figures(of: days(20, lost: 6), excusing: 1).openedOn == today)
        #expect(watch.figures(of: days(20, lost: 5)).excused == 0)
    }

    @Test func `evidence exactly at the threshold opens an incident`() {
        var tried = 0
        for lost in 5...20 {
            let days = days(40, lost: lost)
            let evidence = LossWatch(chance: 1).figures(of: days).evidence
            let watch = LossWatch(chance: 2 / evidence)
            guard watch.threshold == evidence else { continue }
            tried += 1
            #expect(watch.figures(of: days).openedOn == today)
            #expect(LossWatch(chance: 1.999_999 / evidence).figures(of: days).openedOn == nil)
        }
        #expect(tried > 0)
    }

    @Test func `a share is detectable from twice the threshold on`() throws {
        var tried = 0
        for lost in 5...20 {
            var evidence = StratifiedEvidence()
            evidence.add(
                ReportPairs(pairs: 100, lost: lost, exposedDays: 100),
                beside: ReportPairs(pairs: 10_000, exposedDays: 10_000), in: LossStratum())
            let watch = LossWatch(chance: 4 / evidence.value)
            guard watch.threshold == evidence.value / 2 else { continue }
            tried += 1
            let seen = try #require(watch.figures(of: days(100, lost: 0)).smallestSeen)
            #expect(Int((seen * 100).rounded()) == lost)
        }
        #expect(tried > 0)
    }

    @Test func `a share of twenty updates is detectable if five lose it, however weak the evidence`() throws {
        let watch = LossWatch(chance: 0.5)
        let seen = try #require(watch.figures(of: days(100, lost: 0)).smallestSeen)
        #expect(Int((seen * 100).rounded()) == 5)
        #expect(watch.figures(of: days(20, lost: 0)).smallestSeen != nil)
        #expect(watch.figures(of: days(19, lost: 0)).smallestSeen == nil)
    }

    @Test func `half of the chance is reserved for the bound, and split between two gaps`() {
        let watch = LossWatch(chance: 0.25)
        #expect(watch.threshold == 8 && watch.doubt == 0.0625)
        #expect(watch.tolerance == 2 && watch.bounds.isEmpty)
        #expect(LossWatch.days == 180)
    }

    @Test func `a higher tolerance needs twenty losses among healthy updates and among the others`() {
        func tolerance(_ lost: Int, _ othersLost: Int, days: Double = 1_000) -> Double {
            LossWatch.tolerance(
                healthy: ReportPairs(pairs: 1_000, lost: lost, exposedDays: 1_000),
                beside: ReportPairs(pairs: 1_000, lost: othersLost, exposedDays: days))
        }
        #expect(tolerance(100, 20) == 5)
        #expect(tolerance(100, 19) == 2)
        #expect(tolerance(20, 20, days: 7_000) == 7)
        #expect(tolerance(19, 20, days: 7_000) == 2)
        #expect(tolerance(30, 20) == 2)
        #expect(tolerance(500, 20) == 20)
        #expect(tolerance(440, 20) == 20)
    }

    @Test func `a version with only late updates has no evidence`() {
        var day = LossDay(today)
        day.add(
            ReportPairs(pairs: 30, lost: 30, exposedDays: 600), from: "1.0", beside: ReportPairs(),
            in: LossStratum(gap: .late))
        let figures = LossWatch(chance: 0.01).figures(of: [day])
        #expect(figures.origins.map(\.evidence) == [1] && figures.evidence == 1)
        #expect(figures.late == 30 && figures.unmatched == 0 && figures.unmatchedWithOS == 0)
    }

    @Test func `the figures are empty before the first day`() {
        let none = LossFigures()
        #expect(none.updates == ReportPairs() && none.others == ReportPairs() && none.origins.isEmpty)
        #expect(none.late == 0 && none.unmatched == 0 && none.unmatchedWithOS == 0 && none.excused == 0)
        #expect(none.evidence == 1 && none.openedOn == nil && none.smallestSeen == nil)
    }

    @Test func `losing versions are sorted by loss, largest first, and then by age`() {
        var day = LossDay(today)
        for (version, lost) in [("2.0", 1), ("1.10", 3), ("1.9", 3), ("1.0", 0), ("3.0", 7)] {
            day.add(
                ReportPairs(pairs: 20, lost: lost, exposedDays: 20), from: version, beside: ReportPairs(),
                in: LossStratum())
        }
        #expect(LossWatch(chance: 0.01).figures(of: [day]).losingVersions == ["3.0", "1.9", "1.10", "2.0"])
    }

    @Test func `the ordinary share is scaled to equal exposure and capped at 100%`() {
        func share(_ updates: ReportPairs, lost: Int, days: Double) -> Double? {
            LossFigures.ordinaryShare(updates, beside: ReportPairs(pairs: 100, lost: lost, exposedDays: days))
        }
        let weekly = ReportPairs(pairs: 100, lost: 50, exposedDays: 700)
        #expect(share(weekly, lost: 4, days: 400) == 0.07)
        #expect(share(weekly, lost: 80, days: 400) == 1)
        #expect(share(weekly, lost: 80, days: 35) == 1)
        // Too few others to tell.
        #expect(share(weekly, lost: 80, days: 34) == nil)
        #expect(share(ReportPairs(pairs: 1, exposedDays: 7), lost: 4, days: 400) == 0.07)
        #expect(share(ReportPairs(), lost: 4, days: 400) == nil)
        #expect(share(ReportPairs(), lost: 0, days: 0) == nil)
    }

    @Test func `z counts the deviations from what the others' rate predicts`() throws {
        func z(_ lost: Int, _ days: Double, _ othersLost: Int, _ othersDays: Double) -> Double? {
            LossFigures.z(
                ReportPairs(pairs: 100, lost: lost, exposedDays: days),
                beside: ReportPairs(pairs: 100, lost: othersLost, exposedDays: othersDays))
        }
        // Of 100 that lost it a fifth should have updated: 20, with a variance of 16.
        #expect(isNear(try #require(z(40, 10, 60, 40)), 5))
        #expect(isNear(try #require(z(12, 10, 88, 40)), -2))
        // The only loss is an update's with a chance of one half.
        #expect(isNear(try #require(z(1, 0.25, 0, 0.25)), 1))
        #expect(z(0, 10, 0, 40) == nil)
        #expect(z(3, 10, 0, 0) == nil)
        #expect(z(3, 0, 2, 0) == nil)
    }
}
