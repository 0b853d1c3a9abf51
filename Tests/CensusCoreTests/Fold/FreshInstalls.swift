import Fleet
import Testing

@testable import CensusCore

/// R5. The app is first launched on day 0 at nine, on a phone that has been up for ten days.
@Suite struct `Fresh install` {
    private func launched() -> Device { Device() }

    private func early(_ claims: [Placement: Int] = [.weather: 1]) -> Device {
        var device = launched()
        device.reports(claims, .day(0, minute: 5))
        return device
    }

    @Test(arguments: [(Int64(0), 1), (1, 1), (599, 1), (600, 1), (601, 0), (86_400, 0)])
    func `widgets listed up to 10 minutes after the first launch are suspect`(seconds: Int64, suspects: Int) {
        var device = launched()
        device.reports([.weather: 1], .day(0) + .seconds(seconds))
        #expect(device.level(.weather) == .of(certain: 1 - suspects, suspect: suspects, reported: 1))
    }

    @Test func `the ten minutes are exact to the microsecond`() {
        var device = launched()
        device.reports([.weather: 1], .day(0) + .minutes(10) + .microseconds(1))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    @Test func `the claim names the rule and the OS that made it`() {
        let device = early()
        #expect(device.state.spans.map(\.claim) == [Claim(platform: .ios, osVersion: "14.3", rule: .freshInstall)])
        #expect(device.state.installation?.isReinstall == false)
    }

    @Test func `an unknown first launch makes nothing suspect`() {
        var device = launched()
        device.circumstances.firstLaunchedAt = nil
        device.reports([.weather: 1], .day(0, minute: 5))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    @Test func `an unknown boot settles nothing`() {
        var device = launched()
        device.boots(nil)
        device.reports([.weather: 1], .day(0, minute: 5))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
    }

    @Test func `a device that booted after the first launch has no suspects`() {
        var device = launched()
        device.boots(.day(0, minute: 3))
        device.reports([.weather: 1], .day(0, minute: 5))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    @Test func `a boot within 2 minutes of the first launch settles nothing`() {
        var device = launched()
        device.boots(.day(0, minute: 2))
        device.reports([.weather: 1], .day(0, minute: 5))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
    }

    @Test func `a failed read neither uses up nor extends the ten minutes`() {
        var soon = launched()
        soon.failsToRead(.day(0, minute: 1))
        soon.reports([.weather: 1], .day(0, minute: 9))
        #expect(soon.level(.weather).suspect == 1)
        var late = launched()
        late.failsToRead(.day(0, minute: 1))
        late.reports([.weather: 1], .day(0, minute: 11))
        #expect(late.level(.weather) == .of(certain: 1, reported: 1))
    }

    @Test func `only the first report makes suspects`() {
        var device = early([:])
        device.reports([.weather: 1], .day(0, minute: 7))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    @Test func `widgets that a later report lists beyond the suspects are certain`() {
        var device = early()
        device.reports([.weather: 2, .search: 1], .day(0, minute: 8))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 2))
        #expect(device.level(.search) == .of(certain: 1, reported: 1))
    }

    @Test func `suspects stay suspect until the device boots`() {
        var device = early()
        for day in 1...9 { device.reports([.weather: 1], .day(Int64(day))) }
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
    }

    @Test func `suspects still listed after a reboot were there, and count as installed`() {
        var device = early()
        device.boots(.day(1))
        device.reports([.weather: 1], .day(2))
        #expect(
            device.story == [
                "weather 0@9:5…2 certain 0 possible 1 there 1 installed…installed",
                "weather 2… certain 1 possible 1 installed…",
            ])
        #expect(device.state.spans.last?.began.rule == .reboot)
    }

    @Test func `suspects no longer listed after the reboot were ghosts`() {
        var device = early([.weather: 2])
        device.boots(.day(1))
        device.reports([.weather: 1], .day(2))
        #expect(device.outcomes == [1])
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
        device.reports([:], .day(3))
        #expect(device.outcomes == [1])
    }

    @Test func `a known device's early report falls under R4, not R5`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reinstalls(.day(3))
        device.reports([.weather: 1], .day(3, minute: 5))
        #expect(device.state.spans.last?.claim?.rule == .reinstall)
    }

    @Test func `a reinstallation ends the suspects of a fresh install`() {
        var device = early()
        device.reinstalls(.day(3))
        device.reports([.weather: 1], .day(4))
        #expect(
            device.story == [
                "weather 0@9:5…3 certain 0 possible 1 installed…reinstalled",
                "weather 4… certain 0 possible 1 installed…",
            ])
        #expect(device.state.spans.map(\.claim?.rule) == [.freshInstall, .reinstall])
    }

    @Test func `a report dated before the first launch is suspect, because clocks are inexact`() {
        var device = launched()
        device.reports([.weather: 1], .day(0) - .seconds(30))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
    }
}
