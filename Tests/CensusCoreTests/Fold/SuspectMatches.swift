import Fleet
import Testing

@testable import CensusCore

/// R6: which suspects of an installation the first list after the boot still has. Each is one of day 4, booted on day 6.
@Suite struct `Matches of suspects` {
    private static let large = Placement(kind: "weather", family: "systemLarge")
    private static let unnamed = Placement(kind: "weather")

    /// The list after the boot.
    private func settled(_ device: Device, _ claims: [Placement: Int]) -> Device {
        var device = device
        device.boots(.day(6))
        device.reports(claims, .day(7))
        return device
    }

    /// First launched on day 0, with a suspect (R5) at 9:05; what events add is certain.
    private var fresh: Device {
        var device = Device()
        device.reports([.weather: 1], .day(0, minute: 5))
        return device
    }

    @Test func `of two suspects one keeps its configuration, and the other was edited`() {
        let device = settled(.suspected([.weather("a"): 1, .weather("b"): 1]), [.weather("a"): 1, .weather("c"): 1])
        #expect(device.outcomes == [1, 1])
    }

    @Test func `one that is listed under a new configuration stands for one suspect only`() {
        let device = settled(.suspected([.weather("a"): 1, .weather("b"): 1]), [.weather("c"): 1])
        #expect(device.outcomes == [1, 0])
    }

    @Test func `a suspect without a family may be any that is listed of its kind`() {
        let device = settled(.suspected([Self.unnamed: 1]), [.weather: 1])
        #expect(device.outcomes == [1])
        #expect(settled(.suspected([Self.unnamed: 1]), [.search: 1]).outcomes == [0])
    }

    /// One widget stood for both.
    @Test func `of two suspects without a family one is among what is listed of the kind`() {
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

    @Test func `a suspect without a family that is listed as before takes no other's place`() {
        var device = Device.suspected([Self.unnamed: 2])
        device.boots(nil)
        device.reports([Self.unnamed: 1], .day(5))
        device = settled(device, [Self.unnamed: 1, .weather: 1])
        #expect(device.outcomes == [1, 1])
    }

    @Test func `a suspect without a family is not what was certain with one`() {
        var device = Device.suspected([Self.unnamed: 1])
        device.reports([Self.unnamed: 1, .weather: 1], .day(5))
        #expect(settled(device, [.weather: 1]).outcomes == [0])
    }

    @Test func `suspects without a family were there in all spans of the suspicion`() {
        var device = Device.suspected([Self.unnamed: 1])
        device.adds(Self.unnamed, .day(5))
        #expect(settled(device, [.weather: 2]).outcomes == [1, 2])
    }

    @Test func `a widget installed since is certain in addition to the suspect`() {
        var device = fresh
        device.adds(.weather, .day(1))
        #expect(settled(device, [.weather: 1]).outcomes == [0, 0])
        #expect(settled(device, [.weather: 2]).outcomes == [1, 1])
    }

    @Test func `a widget installed since is certain in addition to the one used`() {
        var device = fresh
        device.opens(.weather, .day(1))
        device.adds(.weather, .day(2))
        #expect(settled(device, [.weather: 1]).outcomes == [0, 0, 0])
        #expect(settled(device, [.weather: 2]).outcomes == [1, 1, 1])
    }

    @Test func `a use of one family after the boot leaves no room for a suspect of unknown family`() {
        var device = Device.suspected([Self.unnamed: 1, .weather: 1])
        device.boots(.day(5))
        device.opens(.weather, .day(6))
        device.reports([.weather: 2], .day(7))
        #expect(
            device.state.spans.filter { $0.level.suspect > 0 }.map {
                "\($0.placement.family ?? "any") \($0.stillThere ?? -1)"
            } == ["any 0", "systemSmall 1", "systemSmall 1"])
    }

    @Test func `a suspect from an event that the list lacks was a ghost, whatever was used`() {
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

    /// The suspect was removed, and nothing tells whether it had been there: see docs/why/reconciliation.md, "removed suspects".
    @Test func `a suspect that an event took before the boot has no outcome`() {
        var device = Device.suspected()
        device.removes(.weather, .day(5))
        #expect(settled(device, [:]).outcomes == [nil])
    }

    @Test func `after the boot a list ends the suspicion, though it has no more suspects`() {
        var device = Device.suspected()
        device.reports([:], .day(5))
        #expect(device.state.suspectSince == .day(4))
        device = settled(device, [:])
        #expect(device.state.suspectSince == nil)
    }

    @Test func `a boot at the very instant of the list settles`() {
        var device = Device.suspected()
        device.boots(.day(7))
        device.reports([.weather: 1], .day(7))
        #expect(device.outcomes == [1])
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    /// A ghost stays on the list until the boot.
    @Test(arguments: [(Int64(-1), Int?(1)), (0, 1), (1, nil)])
    func `a phone that booted before the first launch, or with it, is known not to have booted since`(
        microseconds: Int64, stillThere: Int?
    ) {
        var device = Device.suspected()
        device.boots(.day(3) + .microseconds(microseconds))
        device.reports([:], .day(5))
        #expect(device.outcomes == [stillThere])
    }
}

/// R4 and R6: which first launches are believed.
@Suite struct `First launch` {
    private func launched(_ launched: Timestamp, corrected: Duration = .zero) -> Device {
        var device = Device()
        device.circumstances.firstLaunchedAt = launched
        device.reports([:], .day(1), corrected: corrected)
        return device
    }

    @Test func `the first instant of 2009 is one, and the instant before is none`() throws {
        let first = try #require(Timestamp(rfc3339: "2009-01-01T00:00:00Z"))
        #expect(launched(first).state.installation?.firstLaunchedAt == first)
        #expect(launched(first - .microseconds(1)).state.installation?.firstLaunchedAt == nil)
        var device = Device()
        device.reinstalls(first)
        device.boots(.day(-10))
        device.reports([.weather: 1], .day(1))
        #expect(device.state.installation?.isSettled == true)
    }

    /// The correction may have moved a time that a clock wrote which was never set.
    @Test func `it lies after 2008 with and without its clock's correction`() throws {
        let first = try #require(Timestamp(rfc3339: "2009-01-01T00:00:00Z"))
        #expect(launched(first + .days(1), corrected: .days(2)).state.installation?.firstLaunchedAt == nil)
        #expect(launched(first + .days(2), corrected: .days(2)).state.installation?.firstLaunchedAt != nil)
        #expect(launched(first + .days(1), corrected: .days(-2)).state.installation?.firstLaunchedAt != nil)
    }

    @Test func `it may be the instant at which the previous installation was last heard from`() {
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
