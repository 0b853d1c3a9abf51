import Fleet
import Testing

@testable import CensusCore

/// R11.
@Suite struct `Today extension` {
    private func rendered(_ days: Int64...) -> Device {
        var device = Device()
        for day in days { device.renders(.weather, .day(day), on: .today) }
        return device
    }

    @Test func `an extension is certain from its first rendering on`() {
        #expect(rendered(1).level(.weather, on: .today) == .of(certain: 1, reported: 1))
        #expect(rendered(1, 2, 3).story == ["weather 1… certain 1 possible 1 installed…"])
        #expect(rendered(1).state.spans.map(\.began.rule) == [.today])
    }

    @Test func `opening an extension counts like rendering it`() {
        var device = Device()
        device.opens(.weather, .day(1), on: .today)
        #expect(device.level(.weather, on: .today).certain == 1)
    }

    @Test func `an extension counts once, however often it is seen`() {
        var device = rendered(1, 1, 2)
        device.opens(.weather, .day(3), on: .today)
        #expect(device.level(.weather, on: .today).possible == 1)
    }

    @Test func `an extension unseen for a whole window is gone, even if the device is active`() {
        var device = rendered(1)
        for day in 2...40 { device.reports([:], .day(Int64(day))) }
        #expect(device.story == ["weather 1…29@0 certain 1 possible 1 installed…silent"])
        #expect(device.state.spans.map(\.ended?.rule) == [.today])
    }

    @Test func `an extension is held up to the end of the window`() {
        var device = rendered(1, 15)
        device.reports([:], .day(42, hour: 23))
        device.reports([:], .day(43, hour: 0))
        #expect(device.level(.weather, on: .today).certain == 1)
        device.reports([:], .day(43, hour: 0, second: 1))
        #expect(device.level(.weather, on: .today) == .none)
    }

    @Test func `each extension expires independently`() {
        var device = rendered(1)
        device.renders(.search, .day(10), on: .today)
        for day in 11...45 { device.reports([:], .day(Int64(day))) }
        #expect(
            device.story == [
                "weather 1…29@0 certain 1 possible 1 installed…silent",
                "search 10…38@0 certain 1 possible 1 installed…silent",
            ])
    }

    @Test func `an extension seen again after the window is back from then on`() {
        let device = rendered(1, 60)
        #expect(device.story.count == 2)
        #expect(device.state.spans.map(\.from) == [.day(1), .day(60)])
        #expect(device.state.spans.first?.to == .day(29, hour: 0))
        #expect(device.level(.weather, on: .today).certain == 1)
    }

    @Test func `a device that returns by another sign of life doesn't bring an extension back`() {
        var device = rendered(1)
        device.failsToRead(.day(60))
        #expect(device.level(.weather, on: .today) == .none)
        #expect(device.story == ["weather 1…29@0 certain 1 possible 1 installed…silent"])
    }

    @Test func `a report of widgets or a failed read says nothing about an extension`() {
        var device = rendered(1)
        device.reports([.search: 1], .day(2))
        device.happens(.readFailed(domain: "x", code: 1), .day(3), on: .today)
        #expect(device.level(.weather, on: .today).certain == 1)
    }

    @Test func `a removal ends an extension`() {
        var device = rendered(1)
        device.removes(.weather, .day(2), on: .today)
        #expect(device.story == ["weather 1…2 certain 1 possible 1 installed…removed"])
    }

    @Test func `a reinstallation ends an extension, and one seen afterwards is no suspect`() {
        var device = rendered(1)
        device.reinstalls(.day(3))
        device.renders(.weather, .day(4), on: .today)
        #expect(
            device.story == [
                "weather 1…3 certain 1 possible 1 installed…reinstalled", "weather 4… certain 1 possible 1 installed…",
            ])
    }

    @Test func `a use on another surface doesn't keep an extension`() {
        var device = rendered(1)
        for day in 2...40 { device.opens(.weather, .day(Int64(day))) }
        #expect(device.level(.weather, on: .today) == .none)
    }

    @Test func `the window's setting applies to extensions, too`() {
        var device = Device(window: ActivityWindow(days: 7))
        device.renders(.weather, .day(1), on: .today)
        for day in 2...9 { device.failsToRead(.day(Int64(day))) }
        #expect(device.story == ["weather 1…8@0 certain 1 possible 1 installed…silent"])
    }
}
