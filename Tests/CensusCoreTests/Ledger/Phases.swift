import Fleet
import Testing

@testable import CensusCore

@Suite struct `Phases` {
    @Test func `a device with unchanged traits stays in one phase`() {
        var device = Device()
        for day in Int64(0)..<20 { device.reports([.weather: 1], .day(day)) }
        #expect(device.state.phases.count == 1)
        #expect(device.state.phases.first?.to == nil)
    }

    @Test func `an update of the app or the OS begins another phase`() {
        var device = Device()
        device.reports([.weather: 1], .day(0))
        device.circumstances.appVersion = "2.0"
        device.reports([.weather: 1], .day(3))
        device.circumstances.osVersion = "18.1.1"
        device.reports([.weather: 1], .day(5))
        device.circumstances.osVersion = "18.1.2"
        device.reports([.weather: 1], .day(6))
        #expect(device.state.phases.map(\.from) == [.day(0), .day(3), .day(5)])
        #expect(device.state.phases.map(\.to) == [.day(3), .day(5), nil])
        #expect(device.state.phases.map(\.traits.osRelease).last == "18.1")
    }

    @Test func `a silent device ends its phase with the window, and a return begins another`() {
        var device = Device()
        device.reports([.weather: 1], .day(0))
        device.reports([.weather: 1], .day(60))
        #expect(device.state.phases.map(\.from) == [.day(0), .day(60)])
        #expect(device.state.phases[0].to == ActivityWindow().end(lastHeard: .day(0)))
    }

    @Test func `a device whose reads fail stops reporting when its last report is a window old`() {
        var device = Device()
        device.failsToRead(.day(0))
        device.reports([.weather: 1], .day(2))
        for day in [Int64(10), 20, 35] { device.failsToRead(.day(day)) }
        #expect(device.state.phases.map(\.traits.isReporting) == [false, true, false])
        #expect(device.state.phases.map(\.from) == [.day(0), .day(2), ActivityWindow().end(lastHeard: .day(2))])
    }

    @Test func `a reinstallation clears the applied policy, but not the reports`() {
        var device = Device()
        device.circumstances.galleryPolicy = 17
        device.reports([.weather: 1], .day(0))
        device.circumstances.galleryPolicy = nil
        device.failsToRead(.day(1))
        device.reinstalls(.day(2))
        device.failsToRead(.day(3))
        #expect(device.state.phases.map(\.traits.galleryPolicy) == [17, nil])
        #expect(device.state.phases.map(\.traits.isReporting) == [true, true])
    }

    @Test func `an ended installation that is heard again makes the device cloned from then on`() {
        var device = Device()
        device.reports([.weather: 1], .day(0))
        device.reinstalls(.day(2))
        device.reports([.weather: 1], .day(3))
        device.speaks(as: 1)
        device.reports([.weather: 1], .day(5))
        device.speaks(as: 2)
        device.reports([.weather: 1], .day(6))
        #expect(device.state.phases.map(\.from) == [.day(0), .day(5)])
        #expect(device.state.phases.map(\.traits.isCloned) == [false, true])
    }
}
