import Fleet
import Testing

@testable import CensusCore

/// Observations of one surface at one instant. Each of these pairs could have happened in either order.
@Suite struct `Ties` {
    private static let large = Placement(kind: "weather", family: "systemLarge")
    private static let any = Placement(kind: "weather")

    private func held(_ device: Device) -> [Placement: Level] { device.state.surfaces[.widget]?.holdings ?? [:] }

    @Test func `two lists make the lower count of each placement certain and the higher one possible`() {
        var device = Device()
        device.reports([Self.large: 2], .day(1))
        device.reports([Self.large: 1, .weather: 1], .day(1))
        #expect(
            held(device) == [
                Self.large: .of(certain: 1, presumed: 1, reported: 1), .weather: .of(presumed: 1, reported: 1),
            ])
    }

    @Test func `a use at the instant of an empty list makes one widget possible and none reported`() {
        var device = Device()
        device.reports([:], .day(1))
        device.opens(.weather, .day(1))
        #expect(held(device) == [.weather: Level(presumed: 1)])
        #expect(device.state.spans.map(\.began) == [Change(.installed, by: .event)])
    }

    @Test func `a tie on the Today surface names that surface's own rule`() {
        var device = Device()
        device.renders(.weather, .day(1), on: .today)
        device.removes(.weather, .day(1), on: .today)
        #expect(device.state.spans.map(\.began.rule) == [.today])
    }

    /// The list might be older than the use. Then an instance was placed since.
    @Test func `a use without an instance beside a list of one allows at most two of the kind`() {
        let one = Placement(kind: "W", family: "S", instance: "1")
        var device = Device(.android)
        device.reports([one: 1], .day(1))
        device.opens(Placement(kind: "W"), .day(1))
        #expect(
            held(device) == [
                Placement(kind: "W"): Level(either: 1), Placement(kind: "W", family: "S"): Level(presumed: 1),
                one: .of(presumed: 1, reported: 1),
            ])
    }

    @Test func `a use that might precede the suspect doesn't prove it`() {
        var device = Device()
        device.reports([:], .day(1))
        device.reinstalls(nil)
        device.adds(Self.any, .day(3))
        device.opens(.weather("Prague"), .day(3))
        #expect(device.state.surfaces[.widget]?.usedSuspects == [:])
    }

    /// The more specific use is folded first, so the less specific one can mean the same widget.
    @Test func `a use with a family and one without might be of one widget`() {
        var device = Device()
        device.opens(Placement(kind: "weather", configuration: "x"), .day(1))
        device.opens(Self.large, .day(1))
        #expect(device.state.spans.map(\.level) == [Level(presumed: 1), Level(certain: 1)])
        #expect(
            device.state.spans.map(\.began) == [Change(.installed, by: .event), Change(.installed, by: .signOfLife)])
    }

    @Test func `a use with an instance and one without might be of one widget`() {
        let two = Placement(kind: "W", family: "S", instance: "2")
        var device = Device(.android)
        device.configures(Placement(kind: "W"), .day(1))
        device.opens(two, .day(1))
        let span = device.state.spans.first { $0.placement == two }
        #expect(span?.level == Level(certain: 1))
        #expect(span?.began == Change(.installed, by: .androidInstance))
    }

    @Test func `a use with an instance is more specific than one with a family`() {
        let one = Placement(kind: "W", instance: "1")
        var device = Device(.android)
        device.opens(Placement(kind: "W", family: "S"), .day(1))
        device.opens(one, .day(1))
        #expect(device.state.spans.first { $0.placement == one }?.began == Change(.installed, by: .androidInstance))
    }

    @Test func `a suspect that a tie leaves possible is settled only if the phone has booted`() {
        var unbooted = Device.suspected()
        unbooted.reports([:], .day(5))
        unbooted.configures(.weather, .day(5))
        #expect(unbooted.state.spans.first?.settled == 0)
        var booted = Device.suspected()
        booted.circumstances.rebooted = true
        booted.reports([.weather: 1], .day(5))
        booted.reports([:], .day(5))
        #expect(booted.state.spans.first?.settled == 1)
        #expect(booted.state.spans.first?.stillThere == 1)
    }

    /// The list only repeats the removal by hand.
    @Test func `a widget removed and unlisted at one instant is removed by the event`() {
        var device = Device()
        device.reports([Self.large: 1], .day(1))
        device.removes(Self.any, .day(2))
        device.reports([:], .day(2))
        #expect(device.state.spans.map(\.ended) == [Change(.removed, by: .event)])
    }

    @Test func `a widget listed and used at one instant begins with the use`() {
        var device = Device()
        device.boots(.day(0, minute: 30))
        device.reports([Self.any: 1], .day(1))
        device.configures(Self.any, .day(1))
        #expect(device.state.spans.count == 1)
        #expect(device.level(Self.any).certain == 1)
    }

    @Test func `an instance installed and listed at one instant is installed by the event`() {
        let one = Placement(kind: "W", instance: "1")
        var device = Device(.android)
        device.adds(one, .day(1))
        device.reports([one: 1], .day(1))
        #expect(device.state.spans.map(\.began) == [Change(.installed, by: .androidInstance)])
    }
}
