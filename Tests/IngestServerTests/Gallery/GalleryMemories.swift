import CensusCore
import Testing

@testable import CensusStore
@testable import IngestServer

@Suite struct `Gallery memory` {
    private let start = ContinuousClock.now

    @Test func `a policy is valid for 24 hours after its read, and stays in memory after that`() throws {
        var memory = GalleryMemory()
        #expect(memory.decisions(of: 1) == nil)
        memory.keep(decisions(1, begun: start), of: 1)
        let known = try #require(memory.decisions(of: 1))
        #expect(known.isGood(at: start))
        #expect(known.isGood(at: start + .hours(24)))
        #expect(!known.isGood(at: start + .hours(24) + .milliseconds(1)))
        #expect(memory.decisions(of: 2) == nil)
    }

    @Test func `a read that began earlier does not overwrite a later one, even of a lower version`() {
        var memory = GalleryMemory()
        memory.keep(decisions(2, begun: start + .seconds(1)), of: 1)
        memory.keep(decisions(9, begun: start), of: 1)
        #expect(memory.decisions(of: 1)?.gallery.version == 2)
        // An older backup was restored.
        memory.keep(decisions(1, begun: start + .seconds(2)), of: 1)
        #expect(memory.decisions(of: 1)?.gallery.version == 1)
    }

    @Test func `after three failures in a row one caller a second may ask, until one succeeds`() {
        var outage = Outage()
        for _ in 0..<2 { outage.failed(at: start) }
        #expect(asks(&outage, at: [0, 0]) == [true, true])
        outage.answered()
        for _ in 0..<2 { outage.failed(at: start) }
        #expect(asks(&outage, at: [0]) == [true])
        outage.failed(at: start)
        // The next question is allowed a second later, even if this one gets no answer.
        #expect(asks(&outage, at: [0, 999, 1_000, 1_000, 1_999, 2_000]) == [false, false, true, false, false, true])
        outage.failed(at: start + .milliseconds(2_500))
        #expect(asks(&outage, at: [3_400, 3_500]) == [false, true])
        outage.answered()
        #expect(asks(&outage, at: [3_501, 3_502]) == [true, true])
    }

    /// Which of the callers may ask, by milliseconds.
    private func asks(_ outage: inout Outage, at times: [Int]) -> [Bool] {
        times.map { outage.mayAsk(at: start + .milliseconds($0)) }
    }

    private func decisions(_ version: Int64, begun: ContinuousClock.Instant) -> GalleryMemory.Decisions {
        let stamp = GalleryKinds.Stamp(
            version: version, actedAt: nil, knownKinds: 0, zone: "UTC", windowDays: 28, doubtedBuilds: [])
        return .init(
            gallery: GalleryKinds(stamp: stamp, kinds: []), readAt: .test("2026-11-21T10:00:00Z"), begun: begun)
    }
}
