import Fleet
import Testing

@testable import CensusCore

/// R4.
@Suite struct `Reinstall` {
    /// Two widgets reported on day 1; the reinstalled app is launched on day 3 and first heard from on day 4.
    private func reinstalled(_ launched: Timestamp? = .day(3), claims: [Placement: Int] = [.weather: 2]) -> Device {
        var device = Device()
        device.reports([.weather: 2], .day(1))
        device.reinstalls(launched)
        device.reports(claims, .day(4))
        return device
    }

    @Test func `the old installation's widgets end at the first launch, and listed ones are suspect`() {
        #expect(
            reinstalled().story == [
                "weather 1…3 certain 2 possible 2 installed…reinstalled",
                "weather 4… certain 0 possible 2 installed…",
            ])
        #expect(reinstalled().state.spans[0].ended?.rule == .reinstall)
        #expect(reinstalled().state.spans[1].claim == Claim(platform: .ios, osVersion: "14.3"))
    }

    @Test func `an unknown first launch ends the old installation at the new one's first observation`() {
        #expect(reinstalled(nil).state.spans[0].to == .day(4))
    }

    @Test func `a first launch before the old installation's last observation ends it at that observation`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.failsToRead(.day(2))
        device.reinstalls(.day(1, hour: 20))
        device.reports([:], .day(4))
        #expect(device.state.spans[0].to == .day(2))
    }

    @Test func `a future first launch ends the old installation at the new one's first observation`() {
        #expect(reinstalled(.day(9)).state.spans[0].to == .day(4))
    }

    @Test func `an installation's earliest observation decides its first launch`() {
        var device = reinstalled(nil)
        device.circumstances.firstLaunchedAt = .day(3)
        device.boots(.day(5))
        device.reports([.weather: 2], .day(6))
        #expect(device.level(.weather) == .of(suspect: 2, reported: 2))
    }

    @Test func `a first installation has no suspects`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        #expect(device.level(.weather).suspect == 0)
        #expect(device.state.installation?.isReinstall == false)
    }

    @Test func `the first report is suspect, however late it arrives`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reinstalls(.day(2))
        for day in 2...20 { device.failsToRead(.day(Int64(day), hour: 10)) }
        device.reports([.weather: 1], .day(21))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
    }

    @Test func `the first report of each surface is suspect`() {
        var device = reinstalled()
        device.reports([.search: 1], .day(5), on: .control)
        #expect(device.level(.search, on: .control) == .of(suspect: 1, reported: 1))
    }

    @Test func `suspects stay suspect until the device boots`() {
        var device = reinstalled()
        for day in 5...9 { device.reports([.weather: 2], .day(Int64(day))) }
        #expect(device.level(.weather) == .of(suspect: 2, reported: 2))
    }

    @Test func `widgets that a later report lists beyond the suspects are certain`() {
        var device = reinstalled()
        device.reports([.weather: 3, .search: 1], .day(5))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 2, reported: 3))
        #expect(device.level(.search) == .of(certain: 1, reported: 1))
    }

    @Test func `the number of suspects only shrinks, and never exceeds the list`() {
        var device = reinstalled()
        device.reports([.weather: 1], .day(5))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
        device.reports([.weather: 4], .day(6))
        #expect(device.level(.weather) == .of(certain: 3, suspect: 1, reported: 4))
        device.reports([:], .day(7))
        device.reports([.weather: 2], .day(8))
        #expect(device.level(.weather) == .of(certain: 2, reported: 2))
    }

    @Test func `nothing is suspect after an empty first report`() {
        var device = reinstalled(claims: [:])
        device.reports([.weather: 1], .day(5))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    @Test func `a configured suspect stays suspect`() {
        var device = reinstalled(claims: [.weather("Prague"): 1])
        device.reports([.weather("Brno"): 1], .day(5))
        #expect(device.level(.weather("Brno")) == .of(suspect: 1, reported: 1))
        #expect(device.state.spans.last?.began.cause == .configured)
    }

    @Test func `an installation event of an unsettled installation adds a suspect`() {
        var device = reinstalled(claims: [:])
        device.adds(.weather, .day(5))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 0))
        device.removes(.weather, .day(6))
        #expect(device.level(.weather) == .none)
    }

    @Test func `a widget from an event that a later report lists is installed, not configured`() {
        var device = reinstalled(claims: [:])
        device.adds(.weather, .day(5))
        device.reports([.weather: 1], .day(6))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
        #expect(device.state.spans.last?.began.cause == .installed)
    }

    @Test func `a removal takes certain widgets before suspects`() {
        var device = reinstalled()
        device.reports([.weather: 3], .day(5))
        device.removes(.weather, .day(6))
        #expect(device.level(.weather) == .of(suspect: 2, reported: 3))
        device.removes(.weather, .day(7))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 3))
    }

    @Test func `later observations of an ended installation change nothing and mark the device as cloned`() {
        var device = reinstalled()
        let before = device.state
        #expect(!before.isCloned)
        device.speaks(as: 1)
        device.reports([.search: 5], .day(6))
        #expect(device.state.isCloned)
        #expect(device.state.spans == before.spans && device.state.lastHeardAt == before.lastHeardAt)
    }

    @Test func `late observations of an ended installation still count if dated before its end`() {
        var device = reinstalled()
        device.speaks(as: 1)
        device.reports([.weather: 5], .day(2))
        #expect(!device.state.isCloned)
        #expect(device.state.spans.first { $0.from == .day(2) }?.level == .of(certain: 5, reported: 5))
    }

    @Test func `each reinstallation ends the previous installation`() {
        var device = reinstalled()
        device.reinstalls(.day(6))
        device.reports([.weather: 2], .day(7))
        #expect(
            device.story == [
                "weather 1…3 certain 2 possible 2 installed…reinstalled",
                "weather 4…6 certain 0 possible 2 installed…reinstalled",
                "weather 7… certain 0 possible 2 installed…",
            ])
    }

    @Test func `an uncounted installation doesn't make the next one a reinstallation`() {
        var device = Device()
        device.circumstances.channel = "testflight"
        device.reports([.weather: 1], .day(1))
        device.circumstances.channel = "production"
        device.reinstalls(.day(2))
        device.reports([.weather: 1], .day(3))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }
}
