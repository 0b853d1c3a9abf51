import Fleet
import Testing

@testable import CensusCore

/// R3.
@Suite struct `Events` {
    @Test func `each event between reports adds or removes one widget`() {
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

    @Test func `a count never falls below zero`() {
        var device = Device()
        device.removes(.weather, .day(1))
        device.reports([.weather: 1], .day(2))
        device.removes(.weather, .day(3))
        device.removes(.weather, .day(4))
        #expect(device.level(.weather) == .of(certain: 0, reported: 1))
        #expect(device.level(.search) == .none)
    }

    @Test func `a removal without a family takes a widget of its kind and of no other`() {
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

    @Test func `the next report overrides earlier events`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.adds(.weather, .day(2))
        device.removes(.search, .day(2))
        device.reports([.weather: 1, .search: 1], .day(3))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
        #expect(device.level(.search) == .of(certain: 1, reported: 1))
    }

    @Test(arguments: [(0, 1), (1, 1), (60, 1), (61, 2), (3_600, 2)])
    func `an event on WidgetKit up to 60 s after a report is an echo of it`(seconds: Int64, certain: Int) {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        // An event at the report's own time comes before it, and the report overrides it.
        device.adds(.weather, .day(1, second: seconds))
        #expect(device.level(.weather).certain == certain)
    }

    @Test func `a removal right after a report that lists fewer is also an echo`() {
        var device = Device()
        device.reports([.weather: 3], .day(1))
        device.reports([.weather: 2], .day(2))
        device.removes(.weather, .day(2, second: 30))
        #expect(device.level(.weather).certain == 2)
        device.removes(.weather, .day(2, minute: 1, second: 1))
        #expect(device.level(.weather).certain == 1)
    }

    /// The app might know an older list, or not.
    @Test func `a removal right after the first report makes one widget uncertain until the next report`() {
        var device = Device()
        device.reports([.weather: 2], .day(1))
        device.removes(.weather, .day(1, second: 30))
        #expect(device.level(.weather) == Level(certain: 1, presumed: 1, reported: 2))
    }

    @Test func `a widget installed right after a report and removed again might be gone`() {
        var device = Device()
        device.reports([.search: 1], .day(1))
        device.adds(.weather, .day(1, second: 10))
        device.removes(.weather, .day(1, second: 20))
        #expect(device.level(.weather) == Level(presumed: 1))
    }

    /// The system told the extension seconds after the app's report, so that list can't have had the widget.
    @Test func `an installation that the previous report doesn't list is news`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.adds(.search, .day(1, second: 10))
        #expect(device.level(.search) == Level(certain: 1))
        device.reports([.weather: 1, .search: 1], .day(2))
        #expect(device.level(.search) == .of(certain: 1, reported: 1))
    }

    @Test func `a removal of a widget that the previous report still lists is news`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reports([.weather: 1], .day(2))
        device.removes(.weather, .day(2, second: 10))
        #expect(device.level(.weather) == Level(reported: 1))
        device.reports([.weather: 1], .day(3))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    /// Every configuration change once left a doubt.
    @Test func `events that an app derives from two lists cast no doubt on a configured widget`() {
        var device = Device()
        device.reports([.weather("Prague"): 1], .day(1))
        device.reports([.weather("Brno"): 1], .day(2))
        device.removes(.weather("Prague"), .day(2, second: 1))
        device.adds(.weather("Brno"), .day(2, second: 1))
        #expect(device.level(.weather("Brno")) == .of(certain: 1, reported: 1))
    }

    @Test func `a removal of an unknown configuration takes a widget of its kind and family`() {
        var device = Device()
        device.reports([.weather("Prague"): 1, .search: 1], .day(1))
        device.removes(.weather("Brno"), .day(2))
        #expect(device.level(.weather("Prague")).possible == 0)
        #expect(device.level(.search).certain == 1)
    }

    @Test func `an event echoes only a successful report of its own surface`() {
        var device = Device()
        device.reports([.weather: 1], .day(1), on: .control)
        device.failsToRead(.day(1, second: 10))
        device.adds(.search, .day(1, second: 20))
        #expect(device.level(.search).certain == 1)
    }

    /// The app sent an edit as an installation and a removal, without the configuration.
    @Test func `a removal right after a report might mean a configuration that the report no longer lists`() {
        var device = Device()
        device.reports([.weather("Prague"): 1, .weather("Brno"): 1], .day(1))
        device.reports([.weather("Prague"): 1, .weather("Ostrava"): 1], .day(2))
        device.removes(.weather, .day(2) + .seconds(6))
        let levels = device.state.surfaces[.widget]?.holdings.values.map(\.self) ?? []
        #expect(levels.reduce(0) { $0 + $1.certain } == 1)
        #expect(levels.reduce(0) { $0 + $1.possible } == 2)
        // A removal that names a listed configuration is news.
        device.removes(.weather("Prague"), .day(2) + .seconds(7))
        #expect(device.level(.weather("Prague")).possible == 0)
    }

    @Test func `an event on Android is never an echo`() {
        var device = Device(.android)
        let (old, new) = (Placement(kind: "Weather", instance: "5"), Placement(kind: "Weather", instance: "7"))
        device.reports([old: 1], .day(1))
        device.adds(new, .day(1, second: 10))
        #expect(device.level(new).certain == 1)
    }

    @Test func `an event and a report at one time are one installation`() {
        var device = Device()
        device.reports([:], .day(1))
        device.adds(.weather, .day(2))
        device.reports([.weather: 1], .day(2))
        #expect(device.story == ["weather 2… certain 1 possible 1 installed…"])
    }

    @Test func `a report that only confirms an event causes no configuration change`() {
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
