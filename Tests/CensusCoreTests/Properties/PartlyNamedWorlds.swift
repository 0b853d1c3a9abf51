import SeedTesting
import SeededRandom
import Testing

@testable import CensusCore

/// Phones whose screens are known. Every change on them sends an event, which may name less than the widget is made of, and several
/// may have one time. A failure names its seed.
@Suite struct `Partly named worlds` {
    static let chunks = Seeds.of(0..<8_000, by: 500)

    @Test(arguments: chunks) func `what is on the screen lies within the bounds`(seeds: Range<UInt64>) {
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

    /// One widget, told of by two names at one instant and then removed, was said to be there still.
    @Test(arguments: [Placement.weather, .weather("Prague")])
    func `a widget that was told of by two names at one instant is gone once it is removed`(installed: Placement) {
        for use in [WidgetAct.configured, .opened] {
            var device = Device()
            device.reports([:], .day(1))
            device.adds(installed, .day(2))
            device.happens(.happened(use, to: .weather("Brno")), .day(2))
            device.removes(.weather("Brno"), .day(3))
            #expect(device.state.surfaces[.widget]?.holdings.values.contains { $0.certain > 0 } == false)
        }
    }

    /// A family past the app's cap was counted as another; then a manifest declared it.
    @Test func `a family that was stored as another may be the one that is removed`() {
        var device = Device()
        device.reports([Placement(kind: "weather", family: Batch.other): 1], .day(1))
        device.removes(.weather, .day(2))
        #expect(device.state.surfaces[.widget]?.holdings.values.contains { $0.certain > 0 } == false)
    }
}

/// One phone without reinstallations or silences.
private struct World {
    private var random: Seeded
    private var device = Device()
    private var day: Int64 = 1
    private var screen: [Placement] = []

    init(_ seed: UInt64) {
        random = Seeded(seed ^ 0x9A27)
        device.reports([:], .day(day))
    }

    /// For certain, in truth and possibly.
    var count: (Int, Int, Int) {
        let levels = device.state.surfaces[.widget]?.holdings.values.map(\.self) ?? []
        return (
            levels.reduce(0) { $0 + $1.certain }, screen.count, levels.reduce(0) { $0 + $1.possible }
        )
    }

    /// A list, or up to three changes at one instant.
    mutating func takeStep() {
        day += 1
        guard random.below(5) > 0 else { return device.reports(listed, .day(day)) }
        for _ in 0...random.pick([0, 0, 0, 1, 1, 2]) { change() }
    }

    private var listed: [Placement: Int] { screen.reduce(into: [:]) { $0[$1, default: 0] += 1 } }

    private mutating func change() {
        let place = screen.isEmpty ? 0 : random.below(screen.count)
        switch screen.isEmpty ? 0 : random.below(4) {
        case 0:
            screen.append(
                Placement(
                    kind: "weather", family: random.pick(["systemSmall", "systemMedium"]), intent: "CityIntent",
                    configuration: random.pick(["Brno", "Prague"])))
            tell(.installed, screen[screen.endIndex - 1])
        case 1: tell(.removed, screen.remove(at: place))
        case 2:
            screen[place].configuration = random.pick(["Brno", "Prague"])
            tell(.configured, screen[place])
        default: tell(.opened, screen[place])
        }
    }

    private mutating func tell(_ act: WidgetAct, _ widget: Placement) {
        var named = widget
        if random.below(3) == 0 { named.family = nil }
        if random.below(2) == 0 { (named.intent, named.configuration) = (nil, nil) }
        device.happens(.happened(act, to: named), .day(day))
    }
}
