import Fleet
import Testing

@testable import CensusCore

/// How much a device holds. These counts set aside devices that report more than a phone can hold.
@Suite struct `Held counts` {
    private var device: Device {
        var device = Device()
        device.reports([.weather: 2, .weather("Prague"): 1, .search: 1], .day(1))
        device.reports([.search: 3, Placement(kind: "search"): 4], .day(1), on: .control)
        device.reports([.weather: 2, .weather("Prague"): 1], .day(2))
        return device
    }

    @Test func `placements, widgets and models are counted over all surfaces`() {
        let state = device.state
        #expect(state.heldCount == 4, "weather, weather for Prague, and two on the other surface")
        #expect(state.widgetCount == 2 + 1 + 3 + 4)
        #expect(state.heldModelCount == 3, "weather is one model; search with and without a family are two")
    }

    @Test func `the change count includes ended spans, open spans and phases`() {
        #expect(device.state.spans.count == 5)
        #expect(device.state.phases.count == 1)
        #expect(device.state.changeCount == 6)
    }

    @Test func `a kind's upper bound is the sum over its placements`() {
        let surface = device.state.surfaces[.widget]
        #expect(surface?.possible(ofKind: "weather") == 3)
        #expect(surface?.possible(ofKind: "search") == 0)
    }

    @Test func `a surface lacks a kind if a report lacks it and no later event names it`() {
        func lacks(_ kind: String, _ device: Device) -> Bool? { device.state.surfaces[.widget]?.lacks(kind: kind) }
        var device = Device()
        device.adds(.search, .day(1))
        #expect(lacks("weather", device) == false, "no report lacks it")
        device.reports([.search: 1], .day(2))
        #expect(lacks("weather", device) == true)
        #expect(lacks("search", device) == false)
        device.adds(.weather, .day(3))
        #expect(lacks("weather", device) == false)
        var android = Device(.android)
        android.reports([:], .day(1))
        android.restores(["1": "2"], .day(2))
        #expect(lacks("weather", android) == false, "the restored kind is unknown")
    }

    @Test func `a phase is fixed if it is older than the phases still known`() {
        var device = Device()
        device.reports([:], .day(1))
        device.upgrades(to: "2.0")
        device.reports([:], .day(2))
        let (state, phases) = (device.state, device.state.phases)
        #expect(phases.map(state.isFixed) == [false, false])
        var later = state
        later.phaseHistory = PhaseHistory(all: Array(phases.suffix(1)))
        #expect(phases.map(later.isFixed) == [true, false])
        #expect(phases.map(DeviceState().isFixed) == [false, false])
    }

    /// Another observation of the same instant can still change a span that ends with the last observation.
    @Test func `a span is fixed once the device is heard from after its end`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reports([:], .day(2))
        #expect(device.state.spans.map(device.state.isFixed) == [false])
        device.failsToRead(.day(2) + .microseconds(1))
        #expect(device.state.spans.map(device.state.isFixed) == [true])
    }

    @Test func `an open span is never fixed`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.failsToRead(.day(2))
        #expect(device.state.spans.map(device.state.isFixed) == [false])
    }

    @Test func `a span with suspects is fixed once their outcome is known, and one without immediately`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reinstalls(.day(3))
        device.reports([.weather: 1], .day(4))
        device.reports([.weather: 2, .search: 1], .day(5))
        device.reports([.weather: 3], .day(6))
        device.failsToRead(.day(7))
        let state = device.state
        #expect(state.suspectSince == .day(4))
        func fixed(_ device: Device) -> [String] { device.state.spans.filter(device.state.isFixed).map(\.line) }
        #expect(
            fixed(device) == [
                "weather 1…3 certain 1 possible 1 installed…reinstalled",
                "search 5…6 certain 1 possible 1 installed…removed",
            ])
        device.boots(.day(8))
        device.reports([.weather: 3], .day(9))
        device.failsToRead(.day(10))
        #expect(device.state.suspectSince == nil)
        #expect(fixed(device).count == 5)
    }

    /// Suspects of an ended installation have no outcome.
    @Test func `a span with suspects of an earlier installation is fixed`() {
        var device = Device.suspected()
        device.reinstalls(.day(5))
        device.reports([.weather: 1], .day(6))
        device.failsToRead(.day(7))
        #expect(device.state.spans.map(device.state.isFixed) == [true, false])
    }
}
