import Fleet
import Testing

@testable import CensusCore

/// Histories that the fold once got wrong.
@Suite struct `Collisions` {
    private func widget(_ instance: String, family: String? = nil) -> Placement {
        Placement(kind: "Weather", family: family, instance: instance)
    }

    private func held(_ device: Device) -> [Placement: Level] { device.state.surfaces[.widget]?.holdings ?? [:] }

    @Test func `a used suspect that is still listed after the reboot was there`() {
        var device = Device.suspected([.weather: 1])
        device.opens(.weather, .day(5))
        device.boots(.day(6))
        device.reports([.weather: 1], .day(7))
        #expect(device.outcomes == [1, 1])
        #expect(device.state.spans.last?.began == Change(.reinstalled, by: .reboot))
    }

    @Test func `two suspects still listed after the reboot were both there, even if only one was used`() {
        var device = Device.suspected([.weather: 2])
        device.opens(.weather, .day(5))
        device.boots(.day(6))
        device.reports([.weather: 2], .day(7))
        #expect(device.outcomes == [2, 2])
    }

    @Test func `a suspect that left the list proves nothing about another of its model`() {
        var device = Device.suspected([.weather("a"): 1, .weather("b"): 1])
        device.reports([.weather("a"): 2, .weather("b"): 1], .day(5))
        device.reports([.weather("a"): 2], .day(6))
        device.boots(.day(7))
        device.reports([.weather("a"): 1], .day(8))
        let first = device.state.spans.filter { $0.from == .day(4) }
        #expect(first.reduce(0) { $0 + ($1.stillThere ?? 0) } == 1)
    }

    @Test func `two instances restored to one id become one, which is certain if either was`() {
        for attempt in 0..<32 {
            var device = Device(.android)
            device.reports([widget("1"): 1, widget("2"): 1], .day(1))
            device.opens(widget("\(attempt % 2 + 1)"), .day(2))
            device.restores(["1": "7", "2": "7"], .day(3))
            #expect(held(device).mapValues(\.certain) == [widget("7"): 1])
            let isOneState = device.state == device.state
            #expect(isOneState)
        }
    }

    @Test func `two instances restored to one id both keep their history`() {
        var device = Device(.android)
        device.reports([widget("1"): 1], .day(1))
        device.reports([widget("1"): 1, widget("2"): 1], .day(2))
        device.restores(["1": "7", "2": "7"], .day(3))
        // The new id's span begins with the restoration, and past spans keep the old ids.
        let spans = device.state.spans
        #expect(Set(spans.filter { $0.placement != widget("7") }.map(\.from)) == [.day(1), .day(2)])
        #expect(spans.filter { $0.placement == widget("7") }.map(\.from) == [.day(3)])
    }

    @Test func `a certain instance stays certain when restored to an id that the list had first`() {
        var device = Device(.android)
        device.adds(widget("1"), .day(1))
        device.reports([widget("1"): 1, widget("7"): 1], .day(2))
        device.restores(["1": "7"], .day(3))
        #expect(held(device).mapValues(\.certain) == [widget("7"): 1])
    }

    @Test func `an instance restored to an id that is held in another size counts once`() {
        var device = Device(.android)
        device.reports([widget("1", family: "small"): 1, widget("7", family: "large"): 1], .day(1))
        device.restores(["1": "7"], .day(2))
        #expect(held(device).values.reduce(0) { $0 + $1.possible } == 1)
    }

    @Test func `an instance listed in two sizes counts once`() {
        var device = Device(.android)
        device.reports([widget("1", family: "small"): 1, widget("1", family: "large"): 1], .day(1))
        #expect(held(device).values.reduce(0) { $0 + $1.possible } == 1)
    }

    /// The OS hides removals until the device boots, so an event derived from an app's list proves nothing either.
    @Test func `an installation event on a doubted build makes a widget only possible`() {
        var device = Device()
        device.doubtedBuilds = ["beta"]
        device.circumstances.osBuild = "beta"
        device.reports([:], .day(1))
        device.adds(.weather, .day(2))
        #expect(device.level(.weather).certain == 0)
    }

    @Test func `Today extensions that expire at one time expire in a fixed order`() {
        var device = Device()
        for name in ["a", "b", "c", "d", "e"] { device.renders(Placement(kind: name), .day(1), on: .today) }
        device.reports([:], .day(20))
        device.reports([:], .day(40))
        let expected = device.state
        for _ in 0..<32 {
            let isOneState = device.fold.fold(device.observations.reversed()) == expected
            #expect(isOneState)
        }
    }

    @Test(arguments: UInt64(0)..<64) func `arrival order doesn't matter when instances collide`(chunk: UInt64) {
        for seed in (chunk * 16)..<(chunk * 16 + 16) {
            let history = RandomHistory(seed, collides: true)
            let expected = history.fold(history.observations)
            let isSame = history.fold(history.observations.reversed()) == expected
            #expect(isSame, "seed \(seed)")
        }
    }

    @Test(arguments: UInt64(0)..<64) func `an instance is held at most once when instances collide`(chunk: UInt64) {
        for seed in (chunk * 16)..<(chunk * 16 + 16) {
            let history = RandomHistory(seed, collides: true)
            guard history.isAndroid else { continue }
            let doubles = history.instancesHeldTwice
            #expect(doubles.isEmpty, "seed \(seed) \(doubles)")
        }
    }
}
