import CensusCore
@testable import Fleet
import Testing

@Suite struct `Device stories` {
    private static let plan = WeatherFleet.Plan(devices: 200, days: 60, seed: 2, end: FoldedFleet.end)
    private static let stories = (0..<plan.devices).map { WeatherFleet(plan).story(ofDevice: $0) }

    @Test func `equal plans give equal stories and equal truths`() {
        var tables = [TruthTable(Self.plan), TruthTable(Self.plan)]
        for index in 0..<40 {
            let stories = [Self.stories[index], WeatherFleet(Self.plan).story(ofDevice: index)]
            #expect(stories[0].deliveries == stories[1].deliveries)
            #expect(stories[0].truths == stories[1].truths)
            for (position, story) in stories.enumerated() { story.truths.values.forEach { tables[position].add($0) } }
        }
        #expect(tables[0].csv == tables[1].csv)
        #expect(tables[0].rows.count > 59 * 5)
    }

    @Test func `a story has every event and device id that is sent, and no other`() throws {
        for story in Self.stories.prefix(40) {
            let folded = try FoldedFleet(story.deliveries)
            #expect(folded.events.count == story.events)
            #expect(Set(folded.states.keys) == Set(story.truths.keys))
        }
    }

    @Test func `some owners fall silent, and some of those return`() {
        let window = Duration.days(28)
        let times = Self.stories.map { $0.deliveries.map(\.receivedAt) }.filter { !$0.isEmpty }
        #expect((2...20).contains(times.count { $0.last.map { Self.plan.end - $0 > window } ?? false }))
        #expect(times.contains { zip($0, $0.dropFirst()).contains { $1 - $0 > window } })
    }

    @Test(arguments: [0.0, 0.15, 0.6, 1.0]) func `stories keep Android's share`(share: Double) throws {
        let plan = WeatherFleet.Plan(devices: 120, days: 4, end: FoldedFleet.end, androidShare: share)
        let platforms = try (0..<plan.devices).compactMap {
            try FoldedFleet(WeatherFleet(plan).deliveries(ofDevice: $0)).events.first?.circumstances.platform
        }
        let found = Double(platforms.count { $0 == .android }) / Double(platforms.count)
        #expect(abs(found - share) < 0.04)
    }

    @Test(arguments: [0.0, 0.08, 0.6]) func `the reinstall rate is the plan's, without outliers`(share: Double) throws {
        let plan = WeatherFleet.Plan(devices: 120, days: 30, end: FoldedFleet.end, reinstallsAMonth: share)
        let reinstalls = try (0..<plan.devices).map {
            // A restored phone has a new installation, too, and a new device id.
            try FoldedFleet(WeatherFleet(plan).deliveries(ofDevice: $0)).observations.values
                .reduce(0) { $0 + Set($1.map(\.installation)).count - 1 }
        }
        let aMonth = Double(reinstalls.reduce(0, +)) / Double(plan.devices)
        #expect(abs(aMonth - share) < 0.04 + 0.2 * share)
        #expect(reinstalls.allSatisfy { $0 < 6 })
    }
}
