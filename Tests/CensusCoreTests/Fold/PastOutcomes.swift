import Fleet
import Testing

@testable import CensusCore

/// How the outcome of suspects reaches past spans. Suspects are of day 4; the phone boots only if a test says so.
@Suite struct `Past outcomes` {
    private static let large = Placement(kind: "weather", family: "systemLarge")

    /// Each span of the second installation: its start, how many suspects it had, and how many were there.
    private func spans(_ device: Device) -> [String] {
        device.state.spans.filter { $0.from >= .day(4) }.map { span in
            let name = span.placement.configuration ?? span.placement.kind
            return "\(name) \(span.from.story): \(span.level.suspect), there \(span.stillThere.map(String.init) ?? "?")"
                + (span.settled > 0 ? ", settled \(span.settled)" : "")
        }
    }

    private func returned(_ claims: [Placement: Int]) -> Device {
        var device = Device.suspected([.weather("a"): 1, .weather("b"): 1])
        device.boots(.day(59))
        device.reports(claims, .day(60))
        return device
    }

    @Test func `suspects missing after a silence and a boot are settled as of the start of the silence`() {
        #expect(spans(returned([:])) == ["a 4: 1, there 0, settled 1", "b 4: 1, there 0, settled 1"])
    }

    @Test func `suspects still listed after a silence and a boot are settled as of the start of the silence`() {
        #expect(
            spans(returned([.weather("a"): 1, .weather("b"): 1])) == [
                "a 4: 1, there 1, settled 1", "b 4: 1, there 1, settled 1", "a 60: 0, there ?", "b 60: 0, there ?",
            ])
    }

    @Test func `a device that returned before the boot settles suspects with its last span`() {
        var device = Device.suspected()
        device.failsToRead(.day(60))
        device.boots(.day(61))
        device.reports([:], .day(62))
        #expect(spans(device) == ["weather 4: 1, there 0", "weather 60: 1, there 0"])
    }

    @Test func `a span without suspects has no outcome`() {
        var removed = Device.suspected()
        removed.removes(.weather, .day(5))
        removed.reports([:], .day(6))
        #expect(spans(removed) == ["weather 4: 1, there 1", "weather 5: 0, there ?"])
        var beside = Device.suspected([.weather("a"): 1])
        beside.reports([.weather("a"): 1, Self.large: 1], .day(5))
        beside.reports([:], .day(6))
        #expect(spans(beside) == ["a 4: 1, there 1", "weather 5: 0, there ?"])
    }

    @Test func `each family or kind is credited with its own suspects`() {
        var device = Device.suspected([.search: 2, .weather: 1])
        device.reports([.search: 1], .day(5))
        #expect(spans(device) == ["search 4: 2, there 1", "weather 4: 1, there 1", "search 5: 1, there ?"])
    }

    @Test func `suspects that left the list are credited before others of their family`() {
        var device = Device.suspected([.weather("a"): 1, .weather("b"): 2])
        device.reports([.weather("b"): 1], .day(5))
        #expect(spans(device) == ["a 4: 1, there 1", "b 4: 2, there 1", "b 5: 1, there ?"])
        var last = Device.suspected([.weather("a"): 2, .weather("b"): 1])
        last.reports([.weather("a"): 2], .day(5))
        #expect(spans(last) == ["a 4: 2, there ?", "b 4: 1, there 1"])
    }

    @Test func `a used suspect is credited to one of those that left`() {
        var device = Device.suspected([.weather("a"): 1, .weather("b"): 1])
        device.boots(nil)
        device.opens(.weather("a"), .day(5))
        device.reports([:], .day(6))
        #expect(spans(device) == ["a 4: 1, there 1", "b 4: 1, there 0", "a 5: 1, there 1"])
    }

    @Test func `a span is credited with no more suspects than it had, and keeps its credits`() {
        var device = Device.suspected([.weather("a"): 1, .weather("b"): 2])
        device.reports([.weather("a"): 1, .weather("b"): 1], .day(5))
        #expect(spans(device) == ["a 4: 1, there ?", "b 4: 2, there 1", "b 5: 1, there ?"])
        device.reports([.weather("a"): 1], .day(6))
        #expect(spans(device) == ["a 4: 1, there ?", "b 4: 2, there 2", "b 5: 1, there 1"])
    }

    /// The second list finds the span already credited with one.
    @Test func `a span credited with one departed suspect is credited with the next one, too`() {
        var device = Device.suspected([.weather("b"): 2, .weather("c"): 1])
        device.reports([.weather("b"): 1, .weather("c"): 1], .day(5))
        device.reports([:], .day(6))
        #expect(spans(device).prefix(1) == ["b 4: 2, there 2"])
        #expect(spans(device).suffix(1) == ["b 5: 1, there 1"])
    }

    @Test func `suspects that left during a silence are credited before those still listed`() {
        var device = Device.suspected([.weather("a"): 3, .weather("b"): 1])
        device.reports([.weather("a"): 3], .day(60))
        #expect(spans(device) == ["a 4: 3, there 0", "b 4: 1, there 1", "a 60: 3, there ?"])
    }

    @Test func `placements still listed after the boot are credited first`() {
        var device = Device.suspected([.weather("a"): 1, .weather("b"): 1])
        device.reports([.weather("a"): 2, .weather("b"): 2], .day(5))
        device.boots(.day(6))
        device.reports([.weather("b"): 2], .day(7))
        #expect(
            spans(device).prefix(4) == [
                "a 4: 1, there 0", "b 4: 1, there 1", "a 5: 1, there 0", "b 5: 1, there 1",
            ])
    }

    @Test func `a list settles only the suspects of its own surface`() {
        var device = Device()
        device.reports([.weather: 1], .day(0, minute: 5))
        device.reports([.weather: 1], .day(0, minute: 6), on: .liveActivity)
        device.boots(.day(1))
        device.reports([:], .day(2))
        #expect(device.state.spans.map(\.stillThere) == [0, nil])
    }

    @Test func `an edited suspect was there under both configurations`() {
        var device = Device.suspected([.weather("a"): 1])
        device.reports([.weather("b"): 1], .day(5))
        device.reports([:], .day(6))
        #expect(spans(device) == ["a 4: 1, there 1", "b 5: 1, there 1"])
    }
}

/// How a device's history begins and ends spans.
@Suite struct `Span beginnings` {
    @Test func `one family's removal is not another family's installation`() {
        var device = Device()
        device.adds(Placement(kind: "weather", family: "systemLarge"), .day(1))
        device.reports([.weather("a"): 1], .day(2))
        #expect(
            device.story == [
                "weather 1…2 certain 1 possible 1 installed…removed", "weather(a) 2… certain 1 possible 1 installed…",
            ])
    }

    @Test func `a returning device begins a new phase`() {
        var device = Device()
        device.failsToRead(.day(1))
        device.failsToRead(.day(60))
        let phases = device.state.phases
        #expect(phases.map(\.from) == [.day(1), .day(60)])
        #expect(phases.map(\.to) == [.day(29, hour: 0), nil])
    }

    @Test func `a version that differs for only one instant begins no phase`() {
        var device = Device()
        device.reports([:], .day(1))
        device.upgrades(to: "2.0")
        device.happens(.opened(.weather), .day(2), id: "a")
        device.upgrades(to: "1.0")
        device.happens(.opened(.weather), .day(2), id: "b")
        #expect(device.state.phases.map(\.traits.appVersion) == ["1.0"])
        #expect(device.state.phases.map(\.to) == [nil])
    }

    @Test func `phases that ended by the last observation are fixed, except the last one`() {
        let traits = Phase.Traits(platform: .ios, osRelease: "14.3", appVersion: "1.0")
        #expect(!traits.isReporting && !traits.isCloned)
        let all = [
            Phase(from: .day(1), to: .day(2), traits: traits), Phase(from: .day(2), to: .day(3), traits: traits),
            Phase(from: .day(5), to: .day(6), traits: traits),
        ]
        let history = PhaseHistory(all: all)
        #expect(history.withoutFixed(heardAt: .day(9)).all == Array(all.suffix(1)))
        #expect(history.withoutFixed(heardAt: .day(3)).all == Array(all.suffix(1)))
        #expect(history.withoutFixed(heardAt: .day(2)).all == Array(all.suffix(2)))
        #expect(history.withoutFixed(heardAt: .day(1)).all == all)
        #expect(history.withoutFixed(heardAt: nil).all == all)
    }

    /// The fold consults the calendar only when the window might have ended.
    @Test func `a device last heard from in a day's last minute is silent a minute after its window ends`() {
        var device = Device()
        device.reports([.weather: 1], .day(1, hour: 23, minute: 59))
        device.failsToRead(.day(29, hour: 0, minute: 1))
        #expect(device.state.spans.first?.to == .day(29, hour: 0))
        #expect(ActivityWindow().days == 28)
    }
}
