import Fleet
import Testing

@testable import CensusCore

/// R8's second sentence: certain becomes possible after a window without a successful report or an event.
@Suite struct `Doubt` {
    /// Reports on day 1. After that the device is heard from daily, but can't read its list.
    private func unread(until last: Int64, _ claims: [Placement: Int] = [.weather: 1]) -> Device {
        var device = Device()
        device.reports(claims, .day(1))
        if last >= 2 { for day in 2...last { device.failsToRead(.day(day)) } }
        return device
    }

    @Test func `widgets that nothing confirms for a whole window become only possible`() {
        let device = unread(until: 40)
        #expect(device.level(.weather) == .of(presumed: 1, reported: 1))
        #expect(
            device.story == [
                "weather 1…29@0 certain 1 possible 1 installed…silent", "weather 29@0… certain 0 possible 1 silent…",
            ])
        #expect(device.state.spans.last?.began.rule == .silent)
    }

    @Test func `a widget stays certain up to the end of the window`() {
        #expect(unread(until: 28).level(.weather).certain == 1)
        var device = unread(until: 28)
        device.failsToRead(.day(29, hour: 0))
        #expect(device.level(.weather).certain == 1)
        device.failsToRead(.day(29, hour: 0, second: 1))
        #expect(device.level(.weather) == .of(presumed: 1, reported: 1))
    }

    @Test func `a report before the window ends keeps widgets certain`() {
        var device = unread(until: 20)
        device.reports([.weather: 1], .day(21))
        for day in 22...48 { device.failsToRead(.day(Int64(day))) }
        #expect(device.story == ["weather 1… certain 1 possible 1 installed…"])
    }

    @Test(arguments: [Event.installed(.search), .removed(.search), .opened(.weather), .configured(.weather)])
    func `an event before the window ends keeps widgets certain`(event: Event) {
        var device = unread(until: 20)
        device.happens(event, .day(21))
        for day in 22...48 { device.failsToRead(.day(Int64(day))) }
        #expect(device.level(.weather).certain == 1)
        device.failsToRead(.day(49, hour: 1))
        #expect(device.level(.weather) == .of(presumed: 1, reported: 1))
    }

    @Test func `a report of one surface confirms nothing on another`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        for day in 2...40 { device.reports([.search: 1], .day(Int64(day)), on: .control) }
        #expect(device.level(.weather) == .of(presumed: 1, reported: 1))
        #expect(device.level(.search, on: .control) == .of(certain: 1, reported: 1))
    }

    @Test func `a doubted widget returns when the next report lists it`() {
        var device = unread(until: 40)
        device.reports([.weather: 1], .day(41))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
        #expect(device.story.last == "weather 41… certain 1 possible 1 returned…")
        #expect(device.story[1] == "weather 29@0…41 certain 0 possible 1 silent…returned")
    }

    @Test func `a doubted widget is removed when the next report lacks it`() {
        var device = unread(until: 40)
        device.reports([:], .day(41))
        #expect(device.story.last == "weather 29@0…41 certain 0 possible 1 silent…removed")
    }

    @Test func `using a doubted widget makes one certain without raising the upper bound`() {
        var device = unread(until: 40, [.weather: 2])
        device.opens(.weather, .day(41))
        #expect(device.level(.weather) == .of(certain: 1, presumed: 1, reported: 2))
    }

    @Test func `a removal takes one of the doubted widgets`() {
        var device = unread(until: 40, [.weather: 2])
        device.removes(.weather, .day(41))
        #expect(device.level(.weather) == .of(presumed: 1, reported: 2))
        device.removes(.weather, .day(42))
        device.removes(.weather, .day(43))
        #expect(device.level(.weather).possible == 0)
    }

    @Test func `an installed widget is certain beside doubted ones`() {
        var device = unread(until: 40)
        device.adds(.weather, .day(41))
        #expect(device.level(.weather) == .of(certain: 1, presumed: 1, reported: 1))
    }

    @Test func `suspects stay suspects after the window`() {
        var device = unread(until: 2)
        device.reinstalls(.day(3))
        device.reports([.weather: 1], .day(4))
        for day in 5...40 { device.failsToRead(.day(Int64(day))) }
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
        #expect(device.story.count == 2)
    }

    @Test func `widgets that return from silence without a report are only possible`() {
        var device = unread(until: 1)
        device.failsToRead(.day(60))
        #expect(device.level(.weather) == .of(presumed: 1, reported: 1))
        #expect(
            device.story == [
                "weather 1…29@0 certain 1 possible 1 installed…silent", "weather 60… certain 0 possible 1 returned…",
            ])
    }

    @Test func `doubt precedes silence if reads fail first`() {
        var device = unread(until: 20)
        device.failsToRead(.day(90))
        #expect(
            device.story == [
                "weather 1…29@0 certain 1 possible 1 installed…silent",
                "weather 29@0…48@0 certain 0 possible 1 silent…silent",
                "weather 90… certain 0 possible 1 returned…",
            ])
    }

    @Test func `rendering on WidgetKit confirms nothing`() {
        var device = unread(until: 1)
        for day in 2...40 { device.renders(.weather, .day(Int64(day))) }
        #expect(device.level(.weather) == .of(presumed: 1, reported: 1))
    }

    @Test func `a use after the window makes only its own widget certain`() {
        var device = unread(until: 40, [.weather: 1, .search: 1])
        device.opens(.weather, .day(41))
        #expect(device.level(.weather).certain == 1)
        #expect(device.level(.search) == .of(presumed: 1, reported: 1))
    }

    @Test func `the app's zone decides when the window ends`() throws {
        let zone = try #require(ReportingZone(identifier: "America/New_York"))
        var device = Device(window: ActivityWindow(days: 7, zone: zone))
        device.reports([.weather: 1], .day(1, hour: 3))
        for day in 2...10 { device.failsToRead(.day(Int64(day))) }
        #expect(device.story.first == "weather 1@3…7@5 certain 1 possible 1 installed…silent")
    }
}

/// Changes that time alone will cause before a device falls silent.
@Suite struct `Outlook` {
    @Test func `a device that just reported will change nothing before it falls silent`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        #expect(device.outlook == device.story)
        #expect(device.outlook == ["weather 1… certain 1 possible 1 installed…"])
    }

    @Test func `the outlook includes future doubt`() {
        var device = Device()
        device.reports([.weather: 2], .day(1))
        device.failsToRead(.day(10))
        #expect(device.story == ["weather 1… certain 2 possible 2 installed…"])
        #expect(
            device.outlook == [
                "weather 1…29@0 certain 2 possible 2 installed…silent", "weather 29@0… certain 0 possible 2 silent…",
            ])
    }

    @Test func `the outlook excludes the silence itself`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.failsToRead(.day(1, hour: 23))
        #expect(device.outlook == ["weather 1… certain 1 possible 1 installed…"])
    }

    @Test func `later observations replace the outlook`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.failsToRead(.day(10))
        device.reports([.weather: 1], .day(20))
        #expect(device.outlook == ["weather 1… certain 1 possible 1 installed…"])
    }

    @Test func `a device's spans match an earlier outlook once its time has passed`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.failsToRead(.day(20))
        let foreseen = device.outlook
        device.failsToRead(.day(30))
        #expect(device.story == foreseen)
    }

    @Test func `the outlook includes a Today extension that expires while the device is active`() {
        var device = Device()
        device.renders(.weather, .day(1), on: .today)
        device.reports([:], .day(10))
        #expect(device.story == ["weather 1… certain 1 possible 1 installed…"])
        #expect(device.outlook == ["weather 1…29@0 certain 1 possible 1 installed…silent"])
        #expect(device.fold.spans(of: device.state).last?.ended?.rule == .today)
    }

    @Test func `a device never heard from has no outlook`() {
        #expect(Device().outlook.isEmpty)
    }

    @Test func `the outlook leaves suspects unchanged`() {
        var device = Device()
        device.reports([.weather: 1], .day(0, minute: 5))
        device.failsToRead(.day(10))
        #expect(device.outlook == device.story)
    }
}
