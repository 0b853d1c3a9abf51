import Fleet
import Testing

@testable import CensusCore

/// R6. Unless a test says otherwise, the app is reinstalled on day 3 and claims two on day 4; the phone boots on day 5.
@Suite struct `Reboot` {
    private func suspected(_ claims: [Placement: Int] = [.weather: 2], launched: Timestamp? = .day(3)) -> Device {
        var device = Device()
        device.reports([.weather: 2], .day(1))
        device.reinstalls(launched)
        device.reports(claims, .day(4))
        return device
    }

    private func outcomes(_ device: Device) -> [Int?] {
        device.state.spans.filter { $0.level.suspect > 0 }.map(\.stillThere)
    }

    @Test func `a suspect still listed is certain from then on, and was there on past days`() {
        var device = suspected()
        device.boots(.day(5))
        device.reports([.weather: 2], .day(6))
        #expect(
            device.story.dropFirst() == [
                "weather 4…6 certain 0 possible 2 there 2 installed…reinstalled",
                "weather 6… certain 2 possible 2 reinstalled…",
            ])
        #expect(device.state.spans.last?.began.rule == .reboot)
    }

    @Test func `a suspect no longer listed is gone, and past days keep their bounds`() {
        var device = suspected()
        device.boots(.day(5))
        device.reports([:], .day(6))
        #expect(device.story.dropFirst() == ["weather 4…6 certain 0 possible 2 there 0 installed…reinstalled"])
        #expect(device.state.spans.last?.ended?.rule == .reboot)
    }

    @Test func `some suspects can still be there while others are gone`() {
        var device = suspected()
        device.boots(.day(5))
        device.reports([.weather: 1], .day(6))
        #expect(outcomes(device) == [1])
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    @Test func `widgets beyond the suspects are certain, and no outcome exceeds the suspects`() {
        var device = suspected()
        device.boots(.day(5))
        device.reports([.weather: 7], .day(6))
        #expect(outcomes(device) == [2])
        #expect(device.level(.weather) == .of(certain: 7, reported: 7))
    }

    @Test func `every span of the suspicion gets its outcome`() {
        var device = suspected()
        device.reports([.weather: 3], .day(5))
        device.boots(.day(6))
        device.reports([.weather: 3], .day(7))
        #expect(outcomes(device) == [2, 2])
    }

    @Test func `a suspect from an event before the first report gets its outcome, too`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reinstalls(.day(3))
        device.adds(.weather, .day(4))
        device.reports([.weather: 1], .day(5))
        device.boots(.day(6))
        device.reports([.weather: 1], .day(7))
        #expect(outcomes(device) == [1, 1])
    }

    @Test func `a suspect configured in the meantime was there`() {
        var device = suspected([.weather("Prague"): 1])
        device.boots(.day(5))
        device.reports([.weather("Brno"): 1], .day(6))
        #expect(outcomes(device) == [1])
        #expect(device.level(.weather("Brno")) == .of(certain: 1, reported: 1))
    }

    @Test func `a family no longer listed was not there, even if its kind is still listed`() {
        var device = suspected([.weather: 1, Placement(kind: "weather", family: "systemLarge"): 1])
        device.boots(.day(5))
        device.reports([.weather: 1], .day(6))
        #expect(
            device.state.spans.filter { $0.level.suspect > 0 }.map {
                "\($0.placement.family ?? "") \($0.stillThere ?? -1)"
            }
                == ["systemLarge 0", "systemSmall 1"])
    }

    @Test func `outcomes of an earlier installation stay unknown`() {
        var device = suspected()
        device.reinstalls(.day(5))
        device.reports([.weather: 2], .day(6))
        device.boots(.day(7))
        device.reports([.weather: 2], .day(8))
        #expect(outcomes(device) == [nil, 2])
    }

    @Test func `each surface is settled by its own report`() {
        var device = suspected()
        device.reports([.search: 1], .day(4), on: .control)
        device.boots(.day(5))
        device.reports([.search: 1], .day(6), on: .control)
        #expect(device.level(.search, on: .control) == .of(certain: 1, reported: 1))
        #expect(device.level(.weather) == .of(suspect: 2, reported: 2))
    }

    @Test func `a failed read settles no suspects`() {
        var device = suspected()
        device.boots(.day(5))
        device.failsToRead(.day(6))
        #expect(device.level(.weather) == .of(suspect: 2, reported: 2))
        #expect(device.state.installation?.isSettled == true)
    }

    @Test func `the first report of a settled installation makes its widgets certain`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reinstalls(.day(3))
        device.boots(.day(4))
        device.reports([.weather: 1], .day(5))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    @Test func `an installation event of a settled installation makes a widget certain`() {
        var device = suspected([:])
        device.boots(.day(5))
        device.failsToRead(.day(6))
        device.adds(.weather, .day(7))
        #expect(device.level(.weather) == .of(certain: 1, reported: 0))
    }

    @Test(arguments: [(Int64(-1), false), (0, false), (119, false), (120, false), (121, true), (3_600, true)])
    func `a boot settles only if it is more than 2 minutes after the first launch`(seconds: Int64, settles: Bool) {
        var device = suspected()
        device.boots(.day(3) + .seconds(seconds))
        device.reports([.weather: 2], .day(6))
        #expect(device.level(.weather).certain == (settles ? 2 : 0))
    }

    @Test func `unknown times never settle an installation`() {
        var unknownLaunch = suspected(launched: nil)
        unknownLaunch.boots(.day(5))
        unknownLaunch.reports([.weather: 2], .day(6))
        #expect(unknownLaunch.level(.weather).suspect == 2)
        var unknownBoot = suspected()
        unknownBoot.boots(nil)
        unknownBoot.reports([.weather: 2], .day(6))
        #expect(unknownBoot.level(.weather).suspect == 2)
    }

    @Test func `rebooted settles an installation, even if its times are unknown`() {
        var device = suspected(launched: nil)
        device.circumstances.bootedAt = nil
        device.circumstances.rebooted = true
        device.reports([.weather: 1], .day(6))
        #expect(outcomes(device) == [1])
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
        #expect(device.state.spans.last?.began.rule == .reboot)
    }

    @Test(arguments: [false, true]) func `rebooted takes precedence over the times`(rebooted: Bool) {
        var device = suspected()
        device.boots(rebooted ? .day(2) : .day(5))
        device.circumstances.rebooted = rebooted
        device.reports([.weather: 2], .day(6))
        #expect(device.level(.weather).certain == (rebooted ? 2 : 0))
    }

    @Test func `a suspect that leaves the list of a phone that hasn't rebooted was there`() {
        var device = Device()
        device.bootWords = .flag
        device.circumstances.bootedAt = nil
        device.reports([.weather: 1], .day(1))
        device.reinstalls(nil)
        device.reports([.weather: 1], .day(4))
        device.reports([:], .day(5))
        #expect(outcomes(device) == [1])
    }

    @Test func `one installation's rebooted doesn't apply to the next`() {
        var device = Device()
        device.bootWords = .flag
        device.boots(.day(1))
        device.reports([.weather: 1], .day(2))
        device.reinstalls(.day(3))
        device.reports([.weather: 1], .day(4))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
    }

    /// A clock that was never set wrote it, so it is before every boot.
    @Test(arguments: ["1970-01-01T01:30:27Z", "2008-12-31T23:59:59Z"])
    func `a first launch that only an unset clock can have written counts as unknown`(time: String) throws {
        let launched = try #require(Timestamp(rfc3339: time))
        var device = suspected(launched: launched)
        device.boots(.day(2))
        device.reports([.weather: 2], .day(6))
        #expect(device.level(.weather) == .of(suspect: 2, reported: 2))
        #expect(device.state.installation?.firstLaunchedAt == nil)
        #expect(device.state.spans[0].to == .day(4))
    }

    @Test func `a first launch before the previous installation's last observation counts as unknown`() {
        var device = Device()
        device.reports([.weather: 2], .day(3))
        device.reinstalls(.day(1))
        device.boots(.day(2))
        device.reports([.weather: 2], .day(4))
        #expect(device.level(.weather) == .of(suspect: 2, reported: 2))
        device.boots(.day(5))
        device.reports([.weather: 2], .day(6))
        #expect(device.level(.weather) == .of(suspect: 2, reported: 2))
    }

    /// A correct clock wrote the first launch, and a wrong one sent it: the correction can move it before the boot.
    @Test(arguments: [Int64(-5), 5])
    func `a boot settles only if it follows both the corrected and the uncorrected first launch`(
        days: Int64
    ) {
        let launched = Timestamp.day(10)
        var device = Device()
        device.reports([.weather: 2], .day(1))
        device.reinstalls(launched + .days(days))
        device.boots(.day(8))
        device.reports([.weather: 2], .day(11), corrected: .days(days))
        device.reports([.weather: 2], .day(12), corrected: .days(days))
        #expect(device.level(.weather) == .of(suspect: 2, reported: 2))
        device.boots(.day(16))
        device.reports([.weather: 2], .day(17), corrected: .days(days))
        #expect(device.level(.weather) == .of(certain: 2, reported: 2))
    }

    @Test func `a report made before the boot but sent after it settles nothing`() {
        var device = suspected()
        device.boots(.day(7))
        device.reports([.weather: 2], .day(6))
        #expect(device.level(.weather).suspect == 2)
        device.reports([.weather: 2], .day(8))
        #expect(device.level(.weather).certain == 2)
    }
}
