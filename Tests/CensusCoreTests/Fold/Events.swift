import Fleet
import Testing

@testable import CensusCore

/// R3.
@Suite struct `Events` {
    @Test func `between reports events add and take one`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.adds(.weather, .day(2))
        device.adds(.search, .day(3))
        device.removes(.weather, .day(4))
        #expect(
            device.story == [
                "weather 1…2 certain 1 possible 1 installed…installed",
                "weather 2…4 certain 2 possible 2 installed…removed",
                "search 3… certain 1 possible 1 installed…",
                "weather 4… certain 1 possible 1 removed…",
            ])
        #expect(device.state.spans.dropFirst().allSatisfy { $0.began.rule == .event })
    }

    @Test func `events count before any report`() {
        var device = Device()
        device.adds(.weather, .day(1))
        #expect(device.level(.weather) == .of(certain: 1, reported: 0))
    }

    @Test func `nothing falls below zero`() {
        var device = Device()
        device.removes(.weather, .day(1))
        device.reports([.weather: 1], .day(2))
        device.removes(.weather, .day(3))
        device.removes(.weather, .day(4))
        #expect(device.level(.weather) == .of(certain: 0, reported: 1))
        #expect(device.level(.search) == .none)
    }

    @Test func `a removal without a family takes any of the kind, and only of the kind`() {
        var device = Device()
        device.reports([.weather("Prague"): 1, .search: 1], .day(1))
        device.removes(Placement(kind: "weather"), .day(2))
        #expect(device.level(.weather("Prague")).certain == 0)
        #expect(device.level(.search).certain == 1)
    }

    @Test func `a removal of another family takes nothing`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.removes(Placement(kind: "weather", family: "systemLarge"), .day(2))
        #expect(device.level(.weather).certain == 1)
    }

    @Test func `the next report overrides what events said`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.adds(.weather, .day(2))
        device.removes(.search, .day(2))
        device.reports([.weather: 1, .search: 1], .day(3))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
        #expect(device.level(.search) == .of(certain: 1, reported: 1))
    }

    @Test(arguments: [(0, 1), (1, 1), (60, 1), (61, 2), (3_600, 2)])
    func `up to 60 s after a report an event on WidgetKit is an echo of it`(seconds: Int64, certain: Int) {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        // At equal times an event comes before the report, which overrides it.
        device.adds(.weather, .day(1, second: seconds))
        #expect(device.level(.weather).certain == certain)
    }

    @Test func `a removal right after a report that lists fewer is an echo, too`() {
        var device = Device()
        device.reports([.weather: 3], .day(1))
        device.reports([.weather: 2], .day(2))
        device.removes(.weather, .day(2, second: 30))
        #expect(device.level(.weather).certain == 2)
        device.removes(.weather, .day(2, minute: 1, second: 1))
        #expect(device.level(.weather).certain == 1)
    }

    /// The app may know an older list, or not.
    @Test func `a removal right after the first report takes certainty until the next one`() {
        var device = Device()
        device.reports([.weather: 2], .day(1))
        device.removes(.weather, .day(1, second: 30))
        #expect(device.level(.weather) == Level(certain: 1, presumed: 1, reported: 2))
    }

    @Test func `a widget installed after the report and removed again can be gone`() {
        var device = Device()
        device.reports([.search: 1], .day(1))
        device.adds(.weather, .day(1, second: 10))
        device.removes(.weather, .day(1, second: 20))
        #expect(device.level(.weather) == Level(presumed: 1))
    }

    /// An extension that was told by the system, seconds after the app's report: the list can't have said it.
    @Test func `an installation that the report before it does not list is news`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.adds(.search, .day(1, second: 10))
        #expect(device.level(.search) == Level(certain: 1))
        device.reports([.weather: 1, .search: 1], .day(2))
        #expect(device.level(.search) == .of(certain: 1, reported: 1))
    }

    @Test func `a removal of a widget that the report before it still had is news`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reports([.weather: 1], .day(2))
        device.removes(.weather, .day(2, second: 10))
        #expect(device.level(.weather) == Level(reported: 1))
        device.reports([.weather: 1], .day(3))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    /// Every change of a configuration left a doubt.
    @Test func `an app's differences between lists cast no doubt on a configured widget`() {
        var device = Device()
        device.reports([.weather("Prague"): 1], .day(1))
        device.reports([.weather("Brno"): 1], .day(2))
        device.removes(.weather("Prague"), .day(2, second: 1))
        device.adds(.weather("Brno"), .day(2, second: 1))
        #expect(device.level(.weather("Brno")) == .of(certain: 1, reported: 1))
    }

    @Test func `a removal of a configuration that is not held applies to its kind and family`() {
        var device = Device()
        device.reports([.weather("Prague"): 1, .search: 1], .day(1))
        device.removes(.weather("Brno"), .day(2))
        #expect(device.level(.weather("Prague")).possible == 0)
        #expect(device.level(.search).certain == 1)
    }

    @Test func `only a successful report of the same surface has an echo`() {
        var device = Device()
        device.reports([.weather: 1], .day(1), on: .control)
        device.failsToRead(.day(1, second: 10))
        device.adds(.search, .day(1, second: 20))
        #expect(device.level(.search).certain == 1)
    }

    /// The app told of an edit as of one installed and one removed, and did not say which.
    @Test func `a removal right after a report may mean a configuration that the report no longer has`() {
        var device = Device()
        device.reports([.weather("Prague"): 1, .weather("Brno"): 1], .day(1))
        device.reports([.weather("Prague"): 1, .weather("Ostrava"): 1], .day(2))
        device.removes(.weather, .day(2) + .seconds(6))
        let levels = device.state.surfaces[.widget]?.holdings.values.map(\.self) ?? []
        #expect(levels.reduce(0) { $0 + $1.certain } == 1)
        #expect(levels.reduce(0) { $0 + $1.possible } == 2)
        // One that names what is listed is news.
        device.removes(.weather("Prague"), .day(2) + .seconds(7))
        #expect(device.level(.weather("Prague")).possible == 0)
    }

    @Test func `Android has no echo`() {
        var device = Device(.android)
        let (old, new) = (Placement(kind: "Weather", instance: "5"), Placement(kind: "Weather", instance: "7"))
        device.reports([old: 1], .day(1))
        device.adds(new, .day(1, second: 10))
        #expect(device.level(new).certain == 1)
    }

    @Test func `an event and the report of one time are one installation`() {
        var device = Device()
        device.reports([:], .day(1))
        device.adds(.weather, .day(2))
        device.reports([.weather: 1], .day(2))
        #expect(device.story == ["weather 2… certain 1 possible 1 installed…"])
    }

    @Test func `a report that only confirms an event configures nothing`() {
        var device = Device()
        device.adds(.weather, .day(1))
        device.reports([.weather: 1], .day(2))
        device.removes(.weather, .day(3))
        device.reports([:], .day(4))
        let changes = device.state.spans.flatMap { [$0.began.cause, $0.ended?.cause] }.compactMap(\.self)
        #expect(!changes.contains(.configured))
    }

    @Test func `a sign of life changes no count`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.happens(.rendered(.search), .day(2))
        device.happens(.opened(.weather), .day(3))
        #expect(device.story == ["weather 1… certain 1 possible 1 installed…"])
        #expect(device.state.lastHeardAt == .day(3))
    }
}
