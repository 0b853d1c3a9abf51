import Fleet
import Testing

@testable import CensusCore

/// R7. The app is reinstalled on day 3 and claims widgets on day 4; the phone hasn't booted.
@Suite struct `Sign of life` {
    private static let large = Placement(kind: "weather", family: "systemLarge")

    @Test func `opening a suspect makes one certain from that moment on`() {
        var device = Device.suspected([.weather: 3])
        device.opens(.weather, .day(5))
        #expect(device.level(.weather).certain == 1)
        #expect(device.state.spans.last?.began.rule == .signOfLife)
        #expect(device.state.spans.last?.from == .day(5))
    }

    @Test func `a used widget can be a suspect or a new one until the next report`() {
        var device = Device.suspected()
        device.opens(.weather, .day(5))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 1))
    }

    @Test func `a configuration is a sign of life, too`() {
        var device = Device.suspected([.weather("Prague"): 1])
        device.configures(.weather("Brno"), .day(5))
        #expect(device.state.surfaces[.widget]?.holdings.values.reduce(0) { $0 + $1.certain } == 1)
    }

    @Test func `rendering proves nothing on WidgetKit`() {
        var device = Device.suspected()
        device.renders(.weather, .day(5))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
        device.reports([.weather: 1], .day(6))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
    }

    @Test func `two uses of one family beside a suspect of unknown family prove one widget`() {
        let unnamed = Placement(kind: "weather")
        var device = Device.suspected([unnamed: 1])
        device.opens(.weather, .day(5))
        device.opens(.weather("Brno"), .day(6))
        #expect(device.level(.weather) == Level(certain: 1))
        #expect(device.level(unnamed) == .of(suspect: 1, reported: 1))
    }

    /// After a silence the widget of unknown family might be there beside the used one.
    @Test func `a use with a family leaves a possible widget of unknown family possible`() {
        let unnamed = Placement(kind: "weather")
        var device = Device()
        device.reports([unnamed: 1], .day(1))
        device.opens(.weather, .day(40))
        #expect(device.level(.weather) == Level(certain: 1))
        #expect(device.level(unnamed) == .of(presumed: 1, reported: 1))
    }

    @Test func `a second use proves no second widget`() {
        var device = Device.suspected([.weather: 3])
        for hour in 10...15 { device.opens(.weather, .day(5, hour: Int64(hour))) }
        #expect(device.level(.weather) == .of(certain: 1, suspect: 3, reported: 3))
        device.reports([.weather: 3], .day(6))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 2, reported: 3))
    }

    @Test func `a used suspect stays certain if the next report lists no more widgets`() {
        var device = Device.suspected([.weather: 2])
        device.opens(.weather, .day(5))
        device.reports([.weather: 2], .day(6))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 2))
        device.reports([.weather: 2], .day(7))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 2))
    }

    @Test func `the only suspect, once used, is certain after the next report, and was there before`() {
        var device = Device.suspected()
        device.opens(.weather, .day(5))
        device.reports([.weather: 1], .day(6))
        #expect(
            device.story == [
                "weather 4…5 certain 0 possible 1 there 1 installed…reinstalled",
                "weather 5…6 certain 1 possible 2 there 1 reinstalled…reinstalled",
                "weather 6… certain 1 possible 1 reinstalled…",
            ])
    }

    @Test func `a longer next report makes the new widget certain, and the suspects remain`() {
        var device = Device.suspected()
        device.opens(.weather, .day(5))
        device.reports([.weather: 2], .day(6))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 2))
        device.reports([.weather: 1], .day(7))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
    }

    @Test func `a longer list of another family doesn't mean a new widget of this one`() {
        var device = Device.suspected()
        device.opens(.weather, .day(5))
        device.reports([.weather: 1, `Sign of life`.large: 1], .day(6))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
        #expect(device.level(`Sign of life`.large) == .of(certain: 1, reported: 1))
    }

    @Test func `a used suspect might have left if fewer are listed`() {
        var device = Device.suspected([.weather: 2])
        device.opens(.weather, .day(5))
        device.reports([.weather: 1], .day(6))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
    }

    /// The fold once took the suspect for a new widget as well as for a ghost.
    @Test func `a used suspect from an event was there if the list after the reboot has it`() {
        var device = Device.suspected([:])
        device.adds(.weather, .day(5))
        device.boots(.day(6))
        device.opens(.weather, .day(7))
        device.reports([.weather: 1], .day(7, hour: 10))
        #expect(device.outcomes == [1, 1])
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    @Test func `each of two models has its own used suspect`() {
        var device = Device.suspected([.weather: 2, `Sign of life`.large: 2])
        device.opens(.weather, .day(5))
        device.opens(`Sign of life`.large, .day(5, hour: 10))
        device.reports([.weather: 2, `Sign of life`.large: 3], .day(6))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 2))
        #expect(device.level(`Sign of life`.large) == .of(certain: 1, suspect: 2, reported: 3))
    }

    @Test func `a use of another family, kind or surface proves nothing about a suspect`() {
        var device = Device.suspected()
        device.opens(`Sign of life`.large, .day(5))
        device.opens(.search, .day(5))
        device.opens(.weather, .day(5), on: .control)
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
    }

    /// R7 covers only suspects. A used widget that isn't listed yet was placed since the report.
    @Test func `a used widget that no report lists is certain until the next report`() {
        var device = Device()
        device.reports([:], .day(1))
        device.opens(.weather, .day(2))
        #expect(device.level(.weather) == .of(certain: 1, reported: 0))
        #expect(device.state.spans.last?.began == Change(.installed, by: .signOfLife))
        device.reports([:], .day(3))
        #expect(device.level(.weather) == .none)
    }

    @Test func `a use can mean a widget that is already certain`() {
        var device = Device.suspected()
        device.reports([.weather: 2], .day(5))
        device.opens(.weather, .day(6))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 2))
        device.reports([.weather: 2], .day(7))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 2))
    }

    @Test func `a use without a family proves one widget of its kind`() {
        var device = Device.suspected([.weather: 1, `Sign of life`.large: 1])
        device.opens(Placement(kind: "weather"), .day(5))
        let held = device.state.surfaces[.widget]?.holdings ?? [:]
        #expect(held.values.reduce(0) { $0 + $1.certain } == 1)
        #expect(held.values.reduce(0) { $0 + $1.possible } == 3)
    }

    @Test func `a use proves nothing about a removed suspect`() {
        var device = Device.suspected()
        device.removes(.weather, .day(5))
        device.opens(.weather, .day(6))
        #expect(device.level(.weather).suspect == 0)
    }

    @Test func `a removal after a use takes the certain widget, and the suspects remain`() {
        var device = Device.suspected([.weather: 2])
        device.opens(.weather, .day(5))
        device.removes(.weather, .day(6))
        #expect(device.level(.weather) == .of(suspect: 2, reported: 2))
        device.reports([.weather: 2], .day(7))
        #expect(device.level(.weather) == .of(suspect: 2, reported: 2))
    }

    @Test func `a use after a removal is a sign of life again`() {
        var device = Device.suspected([.weather: 2])
        device.opens(.weather, .day(5))
        device.removes(.weather, .day(6))
        device.opens(.weather, .day(7))
        #expect(device.level(.weather).certain == 1)
    }

    @Test func `a failed read between a use and a report changes nothing`() {
        var device = Device.suspected()
        device.opens(.weather, .day(5))
        device.failsToRead(.day(6))
        device.reports([.weather: 1], .day(7))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    @Test func `a use affects only the next report`() {
        var device = Device.suspected()
        device.opens(.weather, .day(5))
        device.reports([.weather: 2], .day(6))
        device.reports([.weather: 2], .day(7))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 2))
    }

    @Test func `a reinstallation discards earlier uses`() {
        var device = Device.suspected()
        device.opens(.weather, .day(5))
        device.reinstalls(.day(6))
        device.reports([.weather: 1], .day(7))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
    }

    @Test func `a reboot settles a used suspect like any other`() {
        var device = Device.suspected()
        device.opens(.weather, .day(5))
        device.boots(.day(6))
        device.reports([.weather: 1], .day(7))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
        #expect(device.state.spans.last?.began.rule != .report)
    }

    @Test func `a used widget that the list lacks after the reboot is gone`() {
        var device = Device.suspected()
        device.opens(.weather, .day(5))
        device.boots(.day(6))
        device.reports([:], .day(7))
        #expect(device.level(.weather) == .none)
        #expect(device.state.spans.last?.to == .day(7))
    }

    @Test func `a used suspect keeps its outcome when the device boots later`() {
        var device = Device.suspected([.weather: 2])
        device.opens(.weather, .day(5))
        device.reports([.weather: 2], .day(6))
        device.boots(.day(7))
        device.reports([.weather: 1], .day(8))
        #expect(device.state.spans.first?.stillThere == 1)
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    @Test func `a used suspect of a fresh install counts as installed`() {
        var device = Device()
        device.reports([.weather: 1], .day(0, minute: 5))
        device.opens(.weather, .day(1))
        device.reports([.weather: 1], .day(2))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
        #expect(device.outcomes == [1, 1])
        #expect(!device.state.spans.contains { $0.began.cause == .reinstalled })
    }
}

/// What the fold learns about suspects before a boot: a ghost stays on the list until then.
@Suite struct `Departure of suspects` {
    private func suspected(_ claims: [Placement: Int], booted: Timestamp? = .day(-10)) -> Device {
        var device = Device()
        device.boots(booted)
        device.reports([:], .day(1))
        device.reinstalls(.day(3))
        device.reports(claims, .day(4))
        return device
    }

    @Test func `a suspect that leaves the list before the device boots was there`() {
        var device = suspected([.weather: 1])
        device.reports([:], .day(5))
        #expect(device.story == ["weather 4…5 certain 0 possible 1 there 1 installed…removed"])
    }

    @Test func `one of two suspects leaves and was there, and the other stays suspect`() {
        var device = suspected([.weather: 2])
        device.reports([.weather: 1], .day(5))
        #expect(device.outcomes == [1, nil])
        device.boots(.day(6))
        device.reports([:], .day(7))
        #expect(device.outcomes == [1, 0])
    }

    @Test func `a suspect that leaves can have been a ghost if the boot is unknown`() {
        var device = suspected([.weather: 1], booted: nil)
        device.reports([:], .day(5))
        #expect(device.outcomes == [nil])
    }

    @Test func `a removed suspect was there once a report confirms its removal`() {
        var device = suspected([.weather: 1])
        device.removes(.weather, .day(5))
        device.reports([:], .day(6))
        #expect(device.outcomes == [1])
    }

    @Test func `a changed configuration before the boot keeps the outcome of the earlier span`() {
        var device = suspected([.weather("Prague"): 1])
        device.reports([.weather("Brno"): 1], .day(5))
        device.boots(.day(6))
        device.reports([.weather("Brno"): 1], .day(7))
        #expect(
            device.story == [
                "weather(Prague) 4…5 certain 0 possible 1 there 1 installed…configured",
                "weather(Brno) 5…7 certain 0 possible 1 there 1 configured…reinstalled",
                "weather(Brno) 7… certain 1 possible 1 reinstalled…",
            ])
    }

    @Test func `a certain configuration stays certain, and suspicion moves to the newer one`() {
        var device = suspected([.weather("a"): 1])
        device.reports([.weather("a"): 1, .weather("b"): 1], .day(5))
        #expect(device.level(.weather("a")) == .of(suspect: 1, reported: 1))
        #expect(device.level(.weather("b")) == .of(certain: 1, reported: 1))
        device.reports([.weather("b"): 1, .weather("c"): 1], .day(6))
        #expect(device.level(.weather("b")) == .of(certain: 1, reported: 1))
        #expect(device.level(.weather("c")) == .of(suspect: 1, reported: 1))
    }

    /// The ghost once stayed certain forever: the list had lost the removed widget and gained the opened one.
    @Test func `a used widget is a new one if the list makes up for a removal event`() {
        var device = Device.suspected()
        device.reports([.weather: 2], .day(5))
        device.adds(.weather, .day(6, hour: 10))
        device.removes(.weather, .day(6, hour: 11))
        device.opens(.weather, .day(6, hour: 12))
        device.reports([.weather: 2], .day(7))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 2))
        device.boots(.day(8))
        device.reports([.weather: 1], .day(9))
        #expect(device.outcomes.allSatisfy { $0 == 0 })
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    @Test func `a removal that only suspects can explain doesn't undo the proof of a use`() {
        var device = Device.suspected([.weather: 2])
        device.removes(.weather, .day(5))
        device.opens(.weather, .day(6))
        device.reports([.weather: 2], .day(7))
        #expect(device.level(.weather).certain == 1)
    }
}
