import Fleet
import Testing

@testable import CensusCore

/// OS builds whose lists aren't trusted: the betas of iOS 14.0 went on listing removed widgets.
@Suite struct `Doubted build` {
    /// A device on a beta; the phone has been up for ten days.
    private func beta(_ platform: Platform = .ios) -> Device {
        var device = Device(platform)
        device.doubtedBuilds = ["18A5301v"]
        device.circumstances.osBuild = "18A5301v"
        return device
    }

    @Test func `widgets listed by a doubted build are only possible`() {
        var device = beta()
        device.reports([.weather: 2], .day(1))
        #expect(device.level(.weather) == .of(presumed: 2, reported: 2))
    }

    @Test(arguments: ["18A373", "18A5301", "18a5301v", nil])
    func `the list of any other build is trusted`(build: String?) {
        var device = beta()
        device.circumstances.osBuild = build
        device.reports([.weather: 1], .day(1))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    @Test func `no build is doubted unless a setting names it`() {
        var device = beta()
        device.doubtedBuilds = []
        device.reports([.weather: 1], .day(1))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    @Test func `widgets that the following release lists are certain`() {
        var device = beta()
        device.reports([.weather: 1], .day(1))
        device.circumstances.osBuild = "18A373"
        device.reports([.weather: 1], .day(2))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    @Test func `a certain widget becomes only possible when a doubted build lists it`() {
        var device = beta()
        device.circumstances.osBuild = "18A100"
        device.reports([.weather: 1], .day(1))
        device.circumstances.osBuild = "18A5301v"
        device.reports([.weather: 1], .day(2))
        #expect(device.level(.weather) == .of(presumed: 1, reported: 1))
    }

    @Test func `suspects on a doubted build stay suspects`() {
        var device = beta()
        device.reports([:], .day(1))
        device.reinstalls(.day(2))
        device.reports([.weather: 1], .day(3))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
    }

    @Test func `widgets that a later list adds to suspects are only possible`() {
        var device = beta()
        device.reports([:], .day(1))
        device.reinstalls(.day(2))
        device.reports([.weather: 1], .day(3))
        device.reports([.weather: 3], .day(4))
        #expect(device.level(.weather) == .of(presumed: 2, suspect: 1, reported: 3))
    }

    @Test func `a reboot ends suspicion, not doubt`() {
        var device = beta()
        device.reports([:], .day(1))
        device.reinstalls(.day(2))
        device.reports([.weather: 1], .day(3))
        device.boots(.day(4))
        device.reports([.weather: 1], .day(5))
        #expect(device.level(.weather) == .of(presumed: 1, reported: 1))
        #expect(device.outcomes == [1])
    }

    @Test func `a use makes one widget certain until the next list`() {
        var device = beta()
        device.reports([.weather: 2], .day(1))
        device.opens(.weather, .day(2))
        #expect(device.level(.weather) == .of(certain: 1, presumed: 1, reported: 2))
    }

    @Test func `an empty list ends every widget, even on a doubted build`() {
        var device = beta()
        device.reports([.weather: 1], .day(1))
        device.reports([:], .day(2))
        #expect(device.level(.weather) == .none)
        #expect(device.story.count == 1)
    }

    @Test func `an upgrade doesn't lose widgets that were only possible`() {
        var device = beta()
        device.reports([.weather: 1], .day(1))
        device.upgrades(to: "2.0")
        device.reports([:], .day(2))
        #expect(device.state.spans.map(\.ended?.cause) == [.removed])
    }

    @Test func `a doubted build changes nothing on Android, where a list makes no instance certain`() {
        var device = beta(.android)
        device.reports([Placement(kind: "w", instance: "1"): 1], .day(1))
        #expect(device.state.spans.map(\.level) == [.of(presumed: 1, reported: 1)])
    }
}
