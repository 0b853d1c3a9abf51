import Fleet
import SeedTesting
import SeededRandom
import Testing

@testable import CensusCore

/// Phones whose screens are known. Every change sends an event, which can name only part of its widget. Several
/// events can have one time. A failure names its seed.
@Suite struct `Partly named worlds` {
    static let chunks = Seeds.of(0..<8_000, by: 500)

    @Test(arguments: chunks) func `the bounds contain the widgets on the screen`(seeds: Range<UInt64>) {
        for seed in seeds {
            var world = World(seed)
            for step in 0..<10 {
                world.takeStep()
                let (certain, truth, possible) = world.count
                let isCovered = certain <= truth && truth <= possible
                #expect(isCovered, "seed \(seed), step \(step): \(truth) in \(certain)...\(possible)")
            }
        }
    }

    /// A widget named in two ways at one instant and then removed once still counted as there.
    @Test(arguments: [Placement.weather, .weather("Prague")])
    func `a widget named in two ways at one instant isn't certain once it is removed`(installed: Placement) {
        for use in [WidgetAct.configured, .opened] {
            var device = Device()
            device.reports([:], .day(1))
            device.adds(installed, .day(2))
            device.happens(.happened(use, to: .weather("Brno")), .day(2))
            device.removes(.weather("Brno"), .day(3))
            #expect(device.state.surfaces[.widget]?.holdings.values.contains { $0.certain > 0 } == false)
        }
    }

    /// A family past the app's cap was counted as `other`; then a manifest declared it.
    @Test func `a family counted as other can be the one that is removed`() {
        var device = Device()
        device.reports([Placement(kind: "weather", family: Batch.other): 1], .day(1))
        device.removes(.weather, .day(2))
        #expect(device.state.surfaces[.widget]?.holdings.values.contains { $0.certain > 0 } == false)
    }
}

/// One phone without reinstallations or silences.
private struct World {
    private var phone: RandomPhone
    private var device = Device()

    init(_ seed: UInt64) {
        var plan = RandomPhone.Plan(
            system: OperatingSystem(14, 3), gallery: [.widget: []], launched: .day(0), begins: .day(0),
            pace: .steady(.days(1)), acts: [(.open, 1), (.place, 1), (.remove, 1), (.configure, 1), (.tap, 1)])
        plan.gallery[.widget] = ["systemSmall", "systemMedium"].flatMap { family in
            ["Brno", "Prague"].map {
                Placement(kind: "weather", family: family, intent: "CityIntent", configuration: $0)
            }
        }
        plan.configurations = ["Brno", "Prague"]
        plan.together = [1, 1, 1, 2, 2, 3]
        plan.naming = Naming(family: 67, configuration: 50)
        phone = RandomPhone("phone", plan, using: Seeded(seed ^ 0x9A27))
        phone.step(.open)
    }

    /// The certain, true and possible counts.
    var count: (Int, Int, Int) {
        let levels = device.state.surfaces[.widget]?.holdings.values.map(\.self) ?? []
        return (
            levels.reduce(0) { $0 + $1.certain }, phone.device[.widget].placed.count,
            levels.reduce(0) { $0 + $1.possible }
        )
    }

    /// A list, or up to three changes at one instant.
    mutating func takeStep() {
        phone.step()
        device.observations = phone.life.observations
    }
}
