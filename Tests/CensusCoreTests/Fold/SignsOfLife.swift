import Fleet
import Testing

@testable import CensusCore

/// R7. Reinstalled on day 3, a claim on day 4; the phone has not booted.
@Suite struct `Sign of life` {
    private static let large = Placement(kind: "weather", family: "systemLarge")

    @Test func `opening a suspect makes one certain at that moment`() {
        var device = Device.suspected([.weather: 3])
        device.opens(.weather, .day(5))
        #expect(device.level(.weather).certain == 1)
        #expect(device.state.spans.last?.began.rule == .signOfLife)
        #expect(device.state.spans.last?.from == .day(5))
    }

    @Test func `until the next report the used widget can be a suspect or a new one`() {
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

    @Test func `a use with a family beside a suspect of unknown family proves that family once`() {
        let unnamed = Placement(kind: "weather")
        var device = Device.suspected([unnamed: 1])
        device.opens(.weather, .day(5))
        device.opens(.weather("Brno"), .day(6))
        #expect(device.level(.weather) == Level(certain: 1))
        #expect(device.level(unnamed) == .of(suspect: 1, reported: 1))
    }

    /// After a silence the widget of unknown family may be there, beside the one that is used.
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

    @Test func `if the next report lists no more, a suspect was used, and is certain from then on`() {
        var device = Device.suspected([.weather: 2])
        device.opens(.weather, .day(5))
        device.reports([.weather: 2], .day(6))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 2))
        device.reports([.weather: 2], .day(7))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 2))
    }

    @Test func `the only suspect, used, is no suspect after the next report, and was there before`() {
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

    @Test func `if the next report lists more, the new one is certain, and the suspects remain`() {
        var device = Device.suspected()
        device.opens(.weather, .day(5))
        device.reports([.weather: 2], .day(6))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 2))
        device.reports([.weather: 1], .day(7))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
    }

    @Test func `more of another family is not more of this one`() {
        var device = Device.suspected()
        device.opens(.weather, .day(5))
        device.reports([.weather: 1, `Sign of life`.large: 1], .day(6))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
        #expect(device.level(`Sign of life`.large) == .of(certain: 1, reported: 1))
    }

    @Test func `if fewer are listed, the used one might have left`() {
        var device = Device.suspected([.weather: 2])
        device.opens(.weather, .day(5))
        device.reports([.weather: 1], .day(6))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
    }

    /// Took the widget itself for a new one, and itself for a ghost.
    @Test func `a used suspect from an event was there if the list after the reboot has it`() {
        var device = Device.suspected([:])
        device.adds(.weather, .day(5))
        device.boots(.day(6))
        device.opens(.weather, .day(7))
        device.reports([.weather: 1], .day(7, hour: 10))
        #expect(device.outcomes == [1, 1])
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    @Test func `of two models each has its own used suspect`() {
        var device = Device.suspected([.weather: 2, `Sign of life`.large: 2])
        device.opens(.weather, .day(5))
        device.opens(`Sign of life`.large, .day(5, hour: 10))
        device.reports([.weather: 2, `Sign of life`.large: 3], .day(6))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 2))
        #expect(device.level(`Sign of life`.large) == .of(certain: 1, suspect: 2, reported: 3))
    }

    @Test func `use of another family, another kind or another surface proves nothing of a suspect`() {
        var device = Device.suspected()
        device.opens(`Sign of life`.large, .day(5))
        device.opens(.search, .day(5))
        device.opens(.weather, .day(5), on: .control)
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
    }

    /// R7 speaks of suspects only; what nobody listed yet and somebody uses was placed since the report.
    @Test func `a used widget that is not held is certain until the next report`() {
        var device = Device()
        device.reports([:], .day(1))
        device.opens(.weather, .day(2))
        #expect(device.level(.weather) == .of(certain: 1, reported: 0))
        #expect(device.state.spans.last?.began == Change(.installed, by: .signOfLife))
        device.reports([:], .day(3))
        #expect(device.level(.weather) == .none)
    }

    @Test func `if one is certain already, it can be the one that was used`() {
        var device = Device.suspected()
        device.reports([.weather: 2], .day(5))
        device.opens(.weather, .day(6))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 2))
        device.reports([.weather: 2], .day(7))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 2))
    }

    @Test func `a use without a family proves one of the kind`() {
        var device = Device.suspected([.weather: 1, `Sign of life`.large: 1])
        device.opens(Placement(kind: "weather"), .day(5))
        let held = device.state.surfaces[.widget]?.holdings ?? [:]
        #expect(held.values.reduce(0) { $0 + $1.certain } == 1)
        #expect(held.values.reduce(0) { $0 + $1.possible } == 3)
    }

    @Test func `use proves nothing of a removed suspect`() {
        var device = Device.suspected()
        device.removes(.weather, .day(5))
        device.opens(.weather, .day(6))
        #expect(device.level(.weather).suspect == 0)
    }

    @Test func `a removal after the use takes the certain one, and the suspects remain`() {
        var device = Device.suspected([.weather: 2])
        device.opens(.weather, .day(5))
        device.removes(.weather, .day(6))
        #expect(device.level(.weather) == .of(suspect: 2, reported: 2))
        device.reports([.weather: 2], .day(7))
        #expect(device.level(.weather) == .of(suspect: 2, reported: 2))
    }

    @Test func `use after a removal is a sign of life again`() {
        var device = Device.suspected([.weather: 2])
        device.opens(.weather, .day(5))
        device.removes(.weather, .day(6))
        device.opens(.weather, .day(7))
        #expect(device.level(.weather).certain == 1)
    }

    @Test func `a failed read between use and report changes nothing`() {
        var device = Device.suspected()
        device.opens(.weather, .day(5))
        device.failsToRead(.day(6))
        device.reports([.weather: 1], .day(7))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
    }

    @Test func `a use says nothing about reports after the next one`() {
        var device = Device.suspected()
        device.opens(.weather, .day(5))
        device.reports([.weather: 2], .day(6))
        device.reports([.weather: 2], .day(7))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 2))
    }

    @Test func `a reinstallation discards the use`() {
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

    @Test func `suspects of a fresh install can be used, too, and are installed`() {
        var device = Device()
        device.reports([.weather: 1], .day(0, minute: 5))
        device.opens(.weather, .day(1))
        device.reports([.weather: 1], .day(2))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
        #expect(device.outcomes == [1, 1])
        #expect(!device.state.spans.contains { $0.began.cause == .reinstalled })
    }
}

/// What is learned of suspects before any boot: a ghost does not leave the list until then.
@Suite struct `Departure of suspects` {
    private func suspected(_ claims: [Placement: Int], booted: Timestamp? = .day(-10)) -> Device {
        var device = Device()
        device.boots(booted)
        device.reports([:], .day(1))
        device.reinstalls(.day(3))
        device.reports(claims, .day(4))
        return device
    }

    @Test func `a suspect that leaves the list although the device has not booted was there`() {
        var device = suspected([.weather: 1])
        device.reports([:], .day(5))
        #expect(device.story == ["weather 4…5 certain 0 possible 1 there 1 installed…removed"])
    }

    @Test func `of two suspects one leaves and was there, the other stays suspect`() {
        var device = suspected([.weather: 2])
        device.reports([.weather: 1], .day(5))
        #expect(device.outcomes == [1, nil])
        device.boots(.day(6))
        device.reports([:], .day(7))
        #expect(device.outcomes == [1, 0])
    }

    @Test func `if the boot is unknown, a suspect that leaves can have been a ghost`() {
        var device = suspected([.weather: 1], booted: nil)
        device.reports([:], .day(5))
        #expect(device.outcomes == [nil])
    }

    @Test func `a suspect that a removal takes was there as soon as a report confirms it`() {
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

    @Test func `certainty stays where it was, and suspicion moves to what is newer`() {
        var device = suspected([.weather("a"): 1])
        device.reports([.weather("a"): 1, .weather("b"): 1], .day(5))
        #expect(device.level(.weather("a")) == .of(suspect: 1, reported: 1))
        #expect(device.level(.weather("b")) == .of(certain: 1, reported: 1))
        device.reports([.weather("b"): 1, .weather("c"): 1], .day(6))
        #expect(device.level(.weather("b")) == .of(certain: 1, reported: 1))
        #expect(device.level(.weather("c")) == .of(suspect: 1, reported: 1))
    }

    /// The ghost was certain for ever: the list had shrunk by the widget that was removed, and grown by the one that was opened.
    @Test func `if a list makes up for a removal by events, the used widget was a new one`() {
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

    @Test func `a removal that only suspects can explain keeps the proof`() {
        var device = Device.suspected([.weather: 2])
        device.removes(.weather, .day(5))
        device.opens(.weather, .day(6))
        device.reports([.weather: 2], .day(7))
        #expect(device.level(.weather).certain == 1)
    }
}
