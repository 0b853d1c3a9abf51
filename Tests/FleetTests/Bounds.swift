import CensusCore
import Fleet
import SeedTesting
import Testing

@Suite struct `Bounds` {
    /// Many reinstalls, on old and new systems that have the bug.
    private func plan(
        seed: UInt64, android: Double = 0.15, differences: Differences = .after, unnamed: Double = 0,
        taps: Double = 0.12
    ) -> WeatherFleet.Plan {
        WeatherFleet.Plan(
            devices: 40, days: 60, seed: seed, end: FoldedFleet.end, reinstallsAMonth: 0.3, androidShare: android,
            quirks: Quirks(ghosts: [OperatingSystem(14, 3), OperatingSystem(14, 8), OperatingSystem(18, 5)]),
            differences: differences, unnamedShare: unnamed, tapsADay: taps)
    }

    @Test(arguments: Seeds.of(1..<9)) func `bounds hold the truth of known WidgetKit devices`(seed: UInt64) throws {
        let check = try BoundsCheck(plan(seed: seed)) { _, observations in
            // The first report of a new device may list ghosts (R5).
            let first = observations.min()
            guard let first, let launched = first.circumstances.firstLaunchedAt else { return false }
            return first.circumstances.platform.isWidgetKit && first.at - launched > .minutes(10)
        }
        #expect(check.cells > 1_000)
        #expect(check.breaches.isEmpty, "\(check.report)")
    }

    /// New phones, lost keychains and reinstalls before the first report (R5), Android's phantoms (R10).
    @Test(arguments: Seeds.of(1..<9))
    func `bounds hold the truth of every device`(seed: UInt64) throws {
        let check = try BoundsCheck(plan(seed: seed))
        #expect(check.breaches.isEmpty, "\(check.report)")
    }

    @Test(arguments: UInt64(11)..<14, [Differences.none, .after])
    func `bounds hold the truth of apps that are opened by taps`(seed: UInt64, differences: Differences) throws {
        let check = try BoundsCheck(plan(seed: seed, differences: differences, taps: 0.9))
        #expect(check.breaches.isEmpty, "\(check.report)")
    }

    @Test(arguments: Seeds.of(1..<9), [0.12, 0.9])
    func `bounds hold the truth of apps that compare lists before they report`(seed: UInt64, taps: Double) throws {
        let check = try BoundsCheck(plan(seed: seed, differences: .before, taps: taps))
        #expect(check.breaches.isEmpty, "\(check.report)")
    }

    @Test(arguments: Seeds.of(1..<9), [Differences.none, .after, .before])
    func `bounds hold the truth of apps whose events name no family`(seed: UInt64, differences: Differences) throws {
        let check = try BoundsCheck(plan(seed: seed, android: 0, differences: differences, unnamed: 1, taps: 0.9))
        #expect(check.breaches.isEmpty, "\(check.report)")
    }

    @Test(arguments: Seeds.of(1..<9))
    func `bounds hold the truth of Android apps whose events name no instance`(seed: UInt64) throws {
        let check = try BoundsCheck(plan(seed: seed, android: 1, unnamed: 1, taps: 0.9))
        #expect(check.breaches.isEmpty, "\(check.report)")
    }

    /// In Prague, the clocks change within the plan's days.
    @Test(arguments: UInt64(21)..<23, ["Europe/Prague", "America/Sao_Paulo", "Pacific/Kiritimati"])
    func `bounds hold the truth by the days of any zone`(seed: UInt64, zone: String) throws {
        var plan = plan(seed: seed)
        plan.zone = try #require(ReportingZone(acceptable: zone))
        let check = try BoundsCheck(plan)
        #expect(check.breaches.isEmpty, "\(check.report)")
    }
}
