import Foundation
import Testing

@testable import WidgetCensusClient

@Suite struct `Event names` {
    @Test(arguments: UInt64(0)..<50) func `say what they were made of, and sort by time`(seed: UInt64) {
        var random = Seeded(seed)
        let names = (0..<50).map { number in
            EventName(
                at: Date(timeIntervalSince1970: Double(random.below(4_000_000_000_000)) / 1000),
                serial: String(format: "%06d-3f9a2c71", number), rank: random.pick(EventRank.allCases),
                bytes: random.below(300_000))
        }
        for name in names { #expect(EventName(name.text) == name) }
        #expect(names.sorted().map(\.text) == names.map(\.text).sorted())
    }

    @Test(arguments: [
        "", ".DS_Store", "a-b-c-d-e.event", "1-2-3-opened-4.event", "001763719198250-000001-3f9a2c71-opened-+4.event",
        "001763719198250-000001-3f9a2c71-tapped-4.event", "001763719198250-000001-3f9a2c71-opened-4",
        "000001-3f9a2c71-5.evicted",
    ])
    func `are none of ours otherwise`(text: String) { #expect(EventName(text) == nil) }

    @Test(arguments: [-1e18, -1, 0, 1e12, 1e300, .infinity])
    func `can be made at any time that a clock shows`(seconds: Double) {
        let name = EventName(at: Date(timeIntervalSince1970: seconds), serial: "000001-0", rank: .opened, bytes: 1)
        #expect(EventName(name.text) == name)
    }

    @Test func `marks of evictions say how many`() {
        let mark = EvictionMark(serial: "000007-3f9a2c71", count: 50)
        #expect(EvictionMark(mark.text) == mark)
        #expect(EvictionMark("000007-3f9a2c71-0.evicted") == nil)
    }
}
