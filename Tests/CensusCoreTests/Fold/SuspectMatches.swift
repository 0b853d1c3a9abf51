import Fleet
import Testing

@testable import CensusCore

/// R6: which suspects of an installation the first list after the boot still has. Suspects of day 4, a boot on day 6.
@Suite struct `Suspect matches` {
    private static let large = Placement(kind: "weather", family: "systemLarge")
    private static let unnamed = Placement(kind: "weather")

    /// The device after the boot and a list.
    private func settled(_ device: Device, _ claims: [Placement: Int]) -> Device {
        var device = device
        device.boots(.day(6))
        device.reports(claims, .day(7))
        return device
    }

    /// First launched on day 0, with a suspect (R5) at 9:05; events add certain widgets.
    private var fresh: Device {
        var device = Device()
        device.reports([.weather: 1], .day(0, minute: 5))
        return device
    }

    @Test func `one of two suspects keeps its configuration, and the other was edited`() {
        let device = settled(.suspected([.weather("a"): 1, .weather("b"): 1]), [.weather("a"): 1, .weather("c"): 1])
        #expect(device.outcomes == [1, 1])
    }

    @Test func `a widget listed under a new configuration matches only one suspect`() {
        let device = settled(.suspected([.weather("a"): 1, .weather("b"): 1]), [.weather("c"): 1])
        #expect(device.outcomes == [1, 0])
    }

    @Test func `a suspect without a family matches any listed widget of its kind`() {
        let device = settled(.suspected([Self.unnamed: 1]), [.weather: 1])
        #expect(device.outcomes == [1])
        #expect(settled(.suspected([Self.unnamed: 1]), [.search: 1]).outcomes == [0])
    }

    /// One widget once matched both.
    @Test func `a listed widget matches only one of two suspects without a family`() {
        let (one, other) = (
            Placement(kind: "weather", configuration: "a"), Placement(kind: "weather", configuration: "b")
        )
        #expect(settled(.suspected([one: 1, other: 1]), [.weather: 1]).outcomes == [1, 0])
        #expect(settled(.suspected([one: 1, other: 1]), [.weather: 1, Self.large: 1]).outcomes == [1, 1])
    }

    @Test func `a suspect with a family is matched before one without`() {
        let device = settled(.suspected([Self.unnamed: 1, .weather("a"): 1]), [.weather("b"): 1])
        #expect(
            device.state.spans.filter { $0.level.suspect > 0 }.map {
                "\($0.placement.family ?? "any") \($0.stillThere ?? -1)"
            } == ["any 0", "systemSmall 1"])
    }

    @Test func `a suspect still listed without a family doesn't take another one's match`() {
        var device = Device.suspected([Self.unnamed: 2])
        device.boots(nil)
        device.reports([Self.unnamed: 1], .day(5))
        device = settled(device, [Self.unnamed: 1, .weather: 1])
        #expect(device.outcomes == [1, 1])
    }

    @Test func `a suspect without a family doesn't match a widget that was certain with one`() {
        var device = Device.suspected([Self.unnamed: 1])
        device.reports([Self.unnamed: 1, .weather: 1], .day(5))
        #expect(settled(device, [.weather: 1]).outcomes == [0])
    }

    @Test func `suspects without a family were there in every span of the suspicion`() {
        var device = Device.suspected([Self.unnamed: 1])
        device.adds(Self.unnamed, .day(5))
        #expect(settled(device, [.weather: 2]).outcomes == [1, 2])
    }

    @Test func `a widget installed since the first report is matched before the suspect`() {
        var device = fresh
        device.adds(.weather, .day(1))
        #expect(settled(device, [.weather: 1]).outcomes == [0, 0])
        #expect(settled(device, [.weather: 2]).outcomes == [1, 1])
    }

    @Test func `a widget installed since a use is matched before the used suspect`() {
        var device = fresh
        device.opens(.weather, .day(1))
        device.adds(.weather, .day(2))
        #expect(settled(device, [.weather: 1]).outcomes == [0, 0, 0])
        #expect(settled(device, [.weather: 2]).outcomes == [1, 1, 1])
    }

    @Test func `a use of one family after the boot leaves no match for a suspect of unknown family`() {
        var device = Device.suspected([Self.unnamed: 1, .weather: 1])
        device.boots(.day(5))
        device.opens(.weather, .day(6))
        device.reports([.weather: 2], .day(7))
        #expect(
            device.state.spans.filter { $0.level.suspect > 0 }.map {
                "\($0.placement.family ?? "any") \($0.stillThere ?? -1)"
            } == ["any 0", "systemSmall 1", "systemSmall 1"])
    }

    @Test func `a suspect from an event that the list lacks was a ghost, even if its kind was used`() {
        var device = Device.suspected([:])
        device.adds(Self.unnamed, .day(5))
        device.boots(.day(6))
        device.opens(Self.large, .day(7))
        device.reports([:], .day(8))
        #expect(device.outcomes == [0])
    }

    @Test func `a widget listed beyond the suspects and then doubted can be an edited suspect`() {
        var device = Device.suspected([.weather("a"): 1])
        device.reports([.weather("a"): 1, .weather("b"): 1], .day(5))
        for day in 6...40 { device.failsToRead(.day(Int64(day))) }
        #expect(device.level(.weather("b")) == .of(presumed: 1, reported: 1))
        device.boots(.day(41))
        device.reports([.weather("b"): 1], .day(42))
        #expect(device.outcomes == [1])
    }

    /// Nothing shows whether the removed suspect had been there: see docs/why/reconciliation.md, "removed suspects".
    @Test func `a suspect that an event removed before the boot has no outcome`() {
        var device = Device.suspected()
        device.removes(.weather, .day(5))
        #expect(settled(device, [:]).outcomes == [nil])
    }

    @Test func `a list after the boot ends the suspicion, even if no suspects are left`() {
        var device = Device.suspected()
        device.reports([:], .day(5))
        #expect(device.state.suspectSince == .day(4))
        device = settled(device, [:])
        #expect(device.state.suspectSince == nil)
    }

    @Test func `a boot at the very instant of the list settles its suspects`() {
        var device = Device.suspected()
        device.boots(.day(7))
        device.reports([.weather: 1], .day(7))
        #expect(device.outcomes == [1])
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    /// A ghost stays on the list until the boot.
    @Test(arguments: [(Int64(-1), Int?(1)), (0, 1), (1, nil)])
    func `a boot no later than the first launch shows that the phone hasn't booted since`(
        microseconds: Int64, stillThere: Int?
    ) {
        var device = Device.suspected()
        device.boots(.day(3) + .microseconds(microseconds))
        device.reports([:], .day(5))
        #expect(device.outcomes == [stillThere])
    }
}

/// R4 and R6: which first launches the fold uses.
@Suite struct `First launch` {
    private func launched(_ launched: Timestamp, corrected: Duration = .zero) -> Device {
        var device = Device()
        device.circumstances.firstLaunchedAt = launched
        device.reports([:], .day(1), corrected: corrected)
        return device
    }

    @Test func `a first launch is used from the first instant of 2009 on`() throws {
        let first = try #require(Timestamp(rfc3339: "2009-01-01T00:00:00Z"))
        #expect(launched(first).state.installation?.firstLaunchedAt == first)
        #expect(launched(first - .microseconds(1)).state.installation?.firstLaunchedAt == nil)
        var device = Device()
        device.reinstalls(first)
        device.boots(.day(-10))
        device.reports([.weather: 1], .day(1))
        #expect(device.state.installation?.isSettled == true)
    }

    /// The correction might have moved the time of a clock that was never set.
    @Test func `a first launch must be after 2008 with and without its clock's correction`() throws {
        let first = try #require(Timestamp(rfc3339: "2009-01-01T00:00:00Z"))
        #expect(launched(first + .days(1), corrected: .days(2)).state.installation?.firstLaunchedAt == nil)
        #expect(launched(first + .days(2), corrected: .days(2)).state.installation?.firstLaunchedAt != nil)
        #expect(launched(first + .days(1), corrected: .days(-2)).state.installation?.firstLaunchedAt != nil)
    }

    @Test func `a first launch can be at the previous installation's last observation, but not before`() {
        var device = Device()
        device.reports([.weather: 1], .day(2))
        device.reinstalls(.day(2))
        device.reports([:], .day(3))
        #expect(device.state.installation?.firstLaunchedAt == .day(2))
        device.reinstalls(.day(3) - .microseconds(1))
        device.reports([:], .day(4))
        #expect(device.state.installation?.firstLaunchedAt == nil)
    }
}
