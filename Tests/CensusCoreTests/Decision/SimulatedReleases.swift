import SeededRandom
import Testing

@testable import CensusCore

/// The watch for losses over simulated releases; a failure names its seed.
@Suite struct `Simulated releases` {
    /// OS updates hid a loss of half of the holders, because their lack of evidence counted against the rest.
    @Test(arguments: [0, 0.1, 0.3, 0.7])
    func `a loss of half of the holders is seen, whichever share also updates the OS`(
        osUpdates: Double
    ) {
        for seed in UInt64(0)..<20 {
            let figures = SimulatedRelease(removals: 0.001, loss: 0.5, osUpdates: osUpdates).figures(seed)
            #expect(figures.openedOn != nil, "seed \(seed): evidence \(figures.evidence)")
        }
    }

    @Test(arguments: [0.3, 0.7, 0.9]) func `a total loss is seen, whichever share also updates the OS`(
        osUpdates: Double
    ) {
        for seed in UInt64(0)..<20 {
            let figures = SimulatedRelease(loss: 1, osUpdates: osUpdates).figures(seed)
            #expect(figures.openedOn != nil, "seed \(seed): evidence \(figures.evidence)")
        }
    }

    @Test(arguments: [0, 0.3, 0.7]) func `a loss of half of the daily users is seen within a few nights`(
        osUpdates: Double
    ) throws {
        for seed in UInt64(0)..<20 {
            let release = SimulatedRelease(phones: [(1, 700)], loss: 0.5, osUpdates: osUpdates)
            let figures = release.figures(seed)
            let opened = try #require(figures.openedOn, "seed \(seed): evidence \(figures.evidence)")
            #expect(opened <= SimulatedRelease.firstDay + (release.before + 3), "seed \(seed)")
        }
    }

    /// Their gaps once counted as at most 14 days, but their losses in full.
    @Test func `devices that open the app every two months cause no incident`() {
        for seed in UInt64(0)..<20 {
            let release = SimulatedRelease(phones: [(1, 3_000), (60, 2_000)], before: 120)
            let figures = release.figures(seed)
            #expect(figures.openedOn == nil, "seed \(seed): evidence \(figures.evidence)")
            #expect(figures.late > 1_000)
        }
    }

    /// For any mixture of habits, weekly rhythms and OS updates, the evidence stays at 1 on average.
    @Test func `a faultless release gives no evidence of a loss, whoever updates`() {
        var (sum, least) = (0.0, 1_000)
        let seeds = UInt64(0)..<200
        for seed in seeds {
            var random = Seeded(seed).derived(for: "habits")
            let habits = [1, 1.5, 3, 7, 10, 20, 60].filter { _ in random.fraction() < 0.6 }
            var release = SimulatedRelease(
                phones: (habits + [1]).map { ($0, 50 + random.below(700)) },
                removals: 0.001 + 0.009 * random.fraction(), weekends: 0.75 * random.fraction(),
                osUpdates: random.fraction(), otherOSUpdates: 0.3 * random.fraction() * random.fraction(),
                osLoss: 0.05 * random.fraction())
            if release.otherOSUpdates < 0.02 { release.osLoss = 0 }
            let figures = release.figures(seed)
            #expect(figures.openedOn == nil, "seed \(seed): evidence \(figures.evidence), \(release)")
            sum += figures.evidence
            least = min(least, figures.updates.pairs)
        }
        #expect(sum / Double(seeds.count) <= 1.1)
        #expect(least >= LossWatch.fewestUpdates)
    }

    /// The bound tolerated as many losses as there were devices, and the page said that few had updated.
    @Test func `updates that can't show a loss are counted as unmatched`() {
        let figures = SimulatedRelease(removals: 0.005, loss: 0.5, osUpdates: 1).figures(1)
        #expect(figures.openedOn == nil && figures.smallestSeen == nil)
        #expect(figures.evidence == 1)
        #expect(figures.unmatchedWithOS > 200 && figures.unmatched == 0)
    }
}
