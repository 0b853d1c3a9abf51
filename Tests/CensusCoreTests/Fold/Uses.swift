import Fleet
import Testing

@testable import CensusCore

/// R7: which of a device's placements a use proves.
@Suite struct `Uses` {
    private static let large = Placement(kind: "weather", family: "systemLarge")
    private static let any = Placement(kind: "weather")

    private func held(_ device: Device) -> [Placement: Level] { device.state.surfaces[.widget]?.holdings ?? [:] }

    /// A report of day 1, doubted since day 29, as of day 40.
    private func doubted(_ claims: [Placement: Int]) -> Device {
        var device = Device()
        device.reports(claims, .day(1))
        for day in 2...40 { device.failsToRead(.day(Int64(day))) }
        return device
    }

    /// The list still had it, and the naive number counts what the list had.
    @Test func `a widget used after its removal still counts as reported`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.removes(.weather, .day(2))
        device.opens(.weather, .day(3))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
        #expect(device.state.spans.last?.began == Change(.installed, by: .signOfLife))
    }

    @Test func `a use proves the doubted widget that it names`() {
        var device = doubted([Self.large: 1, Self.any: 1])
        device.configures(Self.large, .day(41))
        #expect(
            held(device) == [Self.large: .of(certain: 1, reported: 1), Self.any: .of(presumed: 1, reported: 1)])
        #expect(device.state.spans.last?.began == Change(.returned, by: .signOfLife))
    }

    @Test func `a use proves the suspect with its configuration`() {
        var device = Device.suspected([.weather("a"): 1, .weather("b"): 1])
        device.configures(.weather("b"), .day(5))
        #expect(
            held(device) == [
                .weather("a"): .of(suspect: 1, reported: 1), .weather("b"): .of(certain: 1, suspect: 1, reported: 1),
            ])
    }

    @Test func `a use means an edited suspect of its family before one without a family`() {
        var device = Device.suspected([.weather("a"): 1, Self.any: 1])
        device.opens(.weather("b"), .day(5))
        #expect(
            held(device) == [
                .weather("a"): .of(certain: 1, suspect: 1, reported: 1), Self.any: .of(suspect: 1, reported: 1),
            ])
    }

    @Test func `a use proves a doubted widget before a suspect, whichever it names`() {
        var device = Device.suspected([.weather("a"): 1])
        device.reports([.weather("a"): 1, .weather("b"): 1], .day(5))
        for day in 6...40 { device.failsToRead(.day(Int64(day))) }
        device.opens(.weather("a"), .day(41))
        #expect(
            held(device) == [
                .weather("a"): .of(suspect: 1, reported: 1), .weather("b"): .of(certain: 1, reported: 1),
            ])
    }

    @Test func `a use makes the only doubted widget certain, and leaves none doubted`() {
        var device = doubted([.weather: 1])
        device.opens(.weather, .day(41))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
        #expect(device.state.spans.last?.began == Change(.returned, by: .signOfLife))
    }

    @Test func `a use without a family proves one of the kind, which any family might have`() {
        var device = doubted([.weather: 2, Self.large: 1])
        device.opens(Self.any, .day(41))
        #expect(
            held(device) == [
                Self.any: Level(certain: 1, presumed: 1), .weather: Level(presumed: 1, either: 1, reported: 2),
                Self.large: Level(either: 1, reported: 1),
            ])
        #expect(device.state.spans.filter { $0.from == .day(41) }.allSatisfy { $0.began.cause == .returned })
        device.opens(.weather, .day(42))
        #expect(
            held(device) == [
                Self.any: Level(presumed: 1), .weather: Level(certain: 1, presumed: 1, reported: 2),
                Self.large: Level(either: 1, reported: 1),
            ], "its family is known now")
    }

    @Test func `a use without a family counts no doubted widget of unknown family twice`() {
        var device = doubted([Self.any: 1, Self.large: 1])
        device.opens(Self.any, .day(41))
        #expect(
            held(device) == [
                Self.any: .of(certain: 1, presumed: 1, reported: 1), Self.large: Level(either: 1, reported: 1),
            ])
    }

    @Test func `a use with a family can mean an earlier widget without one, or a doubted one`() {
        var device = doubted([.weather("b"): 1])
        device.adds(Self.any, .day(41))
        device.opens(.weather("a"), .day(42))
        #expect(held(device) == [Self.any: Level(presumed: 1), .weather("b"): .of(certain: 1, reported: 1)])
        var several = doubted([.weather: 2])
        several.adds(Self.any, .day(41))
        several.opens(.weather, .day(42))
        #expect(
            held(several) == [
                Self.any: Level(presumed: 1), .weather: .of(certain: 1, presumed: 1, reported: 2),
            ])
    }

    @Test func `a use with a family after a widget without one means no suspect of another configuration`() {
        var device = Device.suspected([.weather("a"): 1])
        device.reports([.weather("a"): 1, Self.any: 1], .day(5))
        device.opens(.weather("b"), .day(6))
        #expect(
            held(device) == [
                Self.any: .of(presumed: 1, reported: 1), .weather("a"): .of(suspect: 1, reported: 1),
                .weather("b"): Level(certain: 1),
            ])
    }

    @Test func `a use can mean the widget that a removal left, under any configuration`() {
        var device = Device()
        device.reports([.weather("a"): 1, Self.large: 1], .day(1))
        device.removes(Self.any, .day(2))
        device.opens(.weather("b"), .day(3))
        #expect(
            held(device) == [
                .weather("a"): .of(certain: 1, reported: 1), Self.large: Level(either: 1, reported: 1),
            ])
    }

    /// The removal might have taken the used widget, or the suspect.
    @Test(arguments: [large, .weather])
    func `a second use after a removal proves the widget of unknown family`(used: Placement) {
        var device = Device.suspected([Self.large: 1])
        device.opens(Self.any, .day(5))
        device.removes(Self.large, .day(6))
        #expect(held(device) == [Self.any: Level(either: 1), Self.large: .of(suspect: 1, reported: 1)])
        device.opens(used, .day(7))
        #expect(held(device) == [Self.any: Level(certain: 1), Self.large: .of(suspect: 1, reported: 1)])
        #expect(device.state.spans.last?.began == Change(.configured, by: .signOfLife))
    }

    @Test func `a removal of another family doesn't make a used suspect a new widget`() {
        var device = Device.suspected([Self.large: 1])
        device.reports([Self.large: 1, .weather: 1], .day(5))
        device.opens(Self.large, .day(6))
        device.removes(.weather, .day(7))
        device.reports([Self.large: 1], .day(8))
        #expect(device.level(Self.large) == .of(certain: 1, reported: 1))
    }

    @Test func `a used suspect might be the one that left, so the others stay suspect`() {
        var device = Device.suspected([.weather("a"): 1, .weather("b"): 2])
        device.opens(.weather("b"), .day(5))
        device.reports([.weather("b"): 2], .day(6))
        #expect(device.level(.weather("b")) == .of(suspect: 2, reported: 2))
    }
}

/// R3: which of a device's placements a removal takes.
@Suite struct `Removals` {
    private static let large = Placement(kind: "weather", family: "systemLarge")
    private static let any = Placement(kind: "weather")

    private func held(_ device: Device) -> [Placement: Level] { device.state.surfaces[.widget]?.holdings ?? [:] }

    @Test func `a removal without a family right after the first report might be news or not`() {
        var device = Device()
        device.reports([.weather: 1, Self.large: 1], .day(1))
        device.removes(Self.any, .day(1, second: 30))
        #expect(
            held(device) == [
                Self.any: Level(certain: 1, presumed: 1), .weather: Level(either: 1, reported: 1),
                Self.large: Level(either: 1, reported: 1),
            ])
    }

    @Test func `removing the last of a kind leaves no family that might have one`() {
        var device = Device()
        device.reports([.weather: 1, Self.large: 1], .day(1))
        device.removes(Self.any, .day(2))
        device.removes(Self.any, .day(3))
        #expect(held(device) == [.weather: Level(reported: 1), Self.large: Level(reported: 1)])
        #expect(device.state.spans.last?.began == Change(.removed, by: .event))
    }

    @Test func `a removal without a family removes the first family, and the others count as configured`() {
        var device = Device()
        device.reports([.weather: 2, Self.large: 1], .day(1))
        device.removes(Self.any, .day(2))
        #expect(
            device.state.spans.filter { $0.from == .day(2) }.map { "\($0.placement.family ?? "any") \($0.began.cause)" }
                == ["any configured", "systemLarge removed", "systemSmall configured"])
    }

    @Test func `a removal takes a certain widget before a suspect, and a suspect before a doubted one`() {
        var device = Device.suspected([.weather("b"): 1])
        device.reports([.weather("a"): 1, .weather("b"): 1], .day(5))
        var certain = device
        certain.removes(.weather, .day(6))
        #expect(certain.level(.weather("a")) == Level(reported: 1))
        #expect(certain.level(.weather("b")) == .of(suspect: 1, reported: 1))
        for day in 6...40 { device.failsToRead(.day(Int64(day))) }
        device.removes(.weather, .day(41))
        #expect(device.level(.weather("a")) == .of(presumed: 1, reported: 1))
        #expect(device.level(.weather("b")) == Level(reported: 1))
    }

    @Test func `a removal takes the first of several certain widgets in order`() {
        var device = Device()
        device.reports([.weather("a"): 1, .weather("b"): 1], .day(1))
        device.removes(.weather, .day(2))
        #expect(held(device) == [.weather("a"): Level(reported: 1), .weather("b"): .of(certain: 1, reported: 1)])
    }

    @Test func `a removal right after the first report takes no suspect`() {
        var device = Device()
        device.reports([.weather: 1], .day(0, minute: 5))
        device.removes(.weather, .day(0, minute: 5, second: 30))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
    }

    @Test func `two installations that the previous report doesn't list are both news`() {
        var device = Device()
        device.reports([:], .day(1))
        device.adds(.weather, .day(1, second: 10))
        device.adds(.weather, .day(1, second: 20))
        #expect(device.level(.weather) == Level(certain: 2))
    }

    @Test func `an event before any report is always news`() {
        var device = Device()
        device.opens(.weather, .day(1))
        device.removes(.weather, .day(1, second: 1))
        #expect(device.level(.weather) == .none)
    }

    /// After the boot the list behind the event is true.
    @Test func `a suspect that an event removes after the boot was a ghost`() {
        var device = Device.suspected()
        device.boots(.day(5))
        device.removes(.weather, .day(6))
        #expect(device.outcomes == [0])
        #expect(device.state.spans.map(\.settled) == [1, 0])
    }

    @Test func `an installation on a doubted build is only presumed`() {
        var device = Device()
        device.doubtedBuilds = ["beta"]
        device.circumstances.osBuild = "beta"
        device.adds(.weather, .day(1))
        #expect(device.level(.weather) == Level(presumed: 1))
    }
}
