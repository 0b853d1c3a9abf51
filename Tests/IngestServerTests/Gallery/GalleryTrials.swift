import GalleryTrial
import PostgresTesting
import Testing

/// Simulated fleets send late, doubled and unordered batches to two nodes. No device may be told to hide a kind that
/// its last report lists. A failure names its seed. Benchmarks/decision/gallery runs this at full size.
@Suite(.serialized) struct `Gallery trials` {
    @Test(arguments: [1, 2] as [UInt64])
    func `no device is told to hide a kind of its last report, and most that lack it are told to hide it`(
        seed: UInt64
    ) async throws {
        let database = try await TestDatabase.create(template: MigratedDatabase.name())
        let plan = GalleryTrial.Plan(
            seed: seed, devices: 60, days: 45, opening: 0.2, reinstallsAMonth: 0.3, unnamedShare: 0.3, spots: 10)
        let tally = try await GalleryTrial.run(plan, on: database)
        try await database.drop()
        #expect(tally.wrongHides == 0 && tally.wronglyHidden == 0, "seed \(seed): \(tally.findings)")
        #expect(tally.deviceDays > 1_000 && tally.spotChecks > 20 && tally.acts > 1, "seed \(seed): \(tally)")
        // Many of these phones run iOS 14, and are reinstalled every few weeks.
        #expect(tally.hides * 2 > tally.lacking && tally.lacking > 500, "seed \(seed): \(tally)")
    }
}
