import Fleet
import Testing

@testable import CensusCore

/// R1.
@Suite struct `Report` {
    @Test func `a device holds what its first report lists`() {
        var device = Device()
        device.reports([.weather: 2, .search: 1], .day(1))
        #expect(device.level(.weather) == .of(certain: 2, reported: 2))
        #expect(
            device.story == [
                "search 1… certain 1 possible 1 installed…", "weather 1… certain 2 possible 2 installed…",
            ])
        #expect(device.state.spans.allSatisfy { $0.began.rule == .report })
    }

    @Test func `a repeated report changes nothing`() {
        var device = Device()
        for day in 1...5 { device.reports([.weather: 2], .day(Int64(day))) }
        #expect(device.story == ["weather 1… certain 2 possible 2 installed…"])
        #expect(device.state.surfaces[.widget]?.lastReport?.at == .day(5))
    }

    @Test func `a later report overrides an earlier one`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reports([.weather: 3], .day(2))
        device.reports([.search: 1], .day(3))
        device.reports([:], .day(4))
        #expect(
            device.story == [
                "weather 1…2 certain 1 possible 1 installed…installed",
                "weather 2…3 certain 3 possible 3 installed…removed",
                "search 3…4 certain 1 possible 1 installed…removed",
            ])
    }

    @Test func `a device with an empty report still exists`() {
        var device = Device()
        device.reports([:], .day(1))
        #expect(device.story.isEmpty)
        #expect(device.state.lastReportAt == .day(1) && device.state.lastHeardAt == .day(1))
    }

    @Test func `a changed configuration counts as configured, neither removed nor installed`() {
        var device = Device()
        device.reports([.weather("Prague"): 2, .search: 1], .day(1))
        device.reports([.weather("Prague"): 1, .weather("Brno"): 1, .search: 1], .day(2))
        #expect(
            device.story == [
                "search 1… certain 1 possible 1 installed…",
                "weather(Prague) 1…2 certain 2 possible 2 installed…configured",
                "weather(Brno) 2… certain 1 possible 1 configured…",
                "weather(Prague) 2… certain 1 possible 1 configured…",
            ])
    }

    @Test func `a new configuration with a different count is a removal and an installation`() {
        var device = Device()
        device.reports([.weather("Prague"): 1], .day(1))
        device.reports([.weather("Brno"): 2], .day(2))
        device.reports([.weather("Oslo"): 1], .day(3))
        #expect(
            device.story == [
                "weather(Prague) 1…2 certain 1 possible 1 installed…removed",
                "weather(Brno) 2…3 certain 2 possible 2 installed…removed",
                "weather(Oslo) 3… certain 1 possible 1 installed…",
            ])
    }

    @Test func `a changed family is a removal and an installation, not a configuration`() {
        var device = Device()
        let large = Placement(kind: "weather", family: "systemLarge")
        device.reports([.weather: 1], .day(1))
        device.reports([large: 1], .day(2))
        #expect(device.state.spans.compactMap(\.ended?.cause) == [.removed])
        #expect(device.state.spans.last?.began.cause == .installed)
    }

    @Test func `a report affects only its own surface`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reports([.search: 1], .day(2), on: .control)
        device.reports([:], .day(3), on: .liveActivity)
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
        #expect(device.level(.search, on: .control) == .of(certain: 1, reported: 1))
    }

    @Test func `either of two reports at one time can be the last, and no span is empty`() {
        var device = Device()
        device.happens(.reported([.weather: 2]), .day(1), id: "b")
        device.happens(.reported([.weather: 1, .search: 1]), .day(1), id: "a")
        #expect(
            device.story == [
                "search 1… certain 0 possible 1 installed…", "weather 1… certain 1 possible 2 installed…",
            ])
    }

    @Test func `a widget that left and returned at one instant might be gone`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.happens(.reported([:]), .day(2), id: "a")
        device.happens(.reported([.weather: 1]), .day(2), id: "b")
        #expect(
            device.story == [
                "weather 1…2 certain 1 possible 1 installed…removed", "weather 2… certain 0 possible 1 removed…",
            ])
    }

    @Test func `two spellings of one letter are two kinds`() {
        var device = Device()
        device.reports([Placement(kind: "\u{E9}"): 1, Placement(kind: "e\u{301}"): 2], .day(1))
        #expect(device.state.spans.map(\.level.certain) == [2, 1])
    }
}

/// R2.
@Suite struct `Failed read` {
    @Test func `a failed read is never an empty list`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.failsToRead(.day(2))
        #expect(device.story == ["weather 1… certain 1 possible 1 installed…"])
        #expect(device.state.lastReportAt == .day(1))
    }

    @Test func `a failed read is a sign of life`() {
        var device = Device()
        device.failsToRead(.day(1))
        #expect(device.state.firstHeardAt == .day(1) && device.state.lastHeardAt == .day(1))
        #expect(device.state.surfaces.isEmpty && device.state.lastReportAt == nil)
    }

    @Test func `a failed read keeps a device from falling silent`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.failsToRead(.day(20))
        device.reports([.weather: 1], .day(40))
        // Its widgets were only doubted meanwhile (R8).
        #expect(
            device.story == [
                "weather 1…29@0 certain 1 possible 1 installed…silent",
                "weather 29@0…40 certain 0 possible 1 silent…returned",
                "weather 40… certain 1 possible 1 returned…",
            ])
    }

    @Test func `a failed read after a reinstallation leaves the first successful report suspect`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reinstalls(.day(2))
        device.failsToRead(.day(2, hour: 10))
        device.reports([.weather: 1], .day(3))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
    }
}
