import Fleet
import SeedTesting
import SeededRandom
import Testing

@testable import CensusCore

/// Observations of one instant, whose order is unknown.
@Suite struct `Instants` {
    private static let acts: [[WidgetAct]] = [[.installed, .removed], [.removed, .installed]]

    /// The ids once decided between two events of the same second.
    @Test(arguments: acts, [Platform.ios, .android])
    func `a widget installed and removed at one instant is possible`(acts: [WidgetAct], platform: Platform) {
        let hello = Placement(kind: "Hello", instance: platform == .android ? "7" : nil)
        var device = Device(platform)
        device.reports([:], .day(1))
        for act in acts { device.happens(.happened(act, to: hello), .day(2)) }
        #expect(device.level(hello) == Level(presumed: 1))
        device.reports([hello: 1], .day(3))
        #expect(device.level(hello).possible == 1)
        device.reports([:], .day(4))
        #expect(device.level(hello) == .none)
    }

    @Test func `an empty list doesn't hide a widget installed at its instant`() {
        var device = Device()
        device.reports([:], .day(1))
        device.reports([:], .day(2))
        device.adds(.weather, .day(2))
        #expect(device.level(.weather) == Level(presumed: 1))
        device.reports([:], .day(3))
        #expect(device.level(.weather) == .none)
    }

    @Test func `a list and the events derived from it at one instant leave nothing open`() {
        var device = Device()
        device.reports([.weather: 2], .day(1))
        device.reports([.weather: 1, .search: 1], .day(2))
        device.adds(.search, .day(2))
        device.removes(.weather, .day(2))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1))
        #expect(device.level(.search) == .of(certain: 1, reported: 1))
    }

    @Test func `either of two lists of one instant might be the newer`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reports([.weather: 2], .day(2))
        device.reports([:], .day(2))
        #expect(device.level(.weather).certain == 0)
        #expect(device.level(.weather).possible == 2)
        #expect(device.state.surfaces[.widget]?.lacks(kind: "weather") == false)
    }

    @Test func `a tap and an installation at one instant are one widget or two`() {
        var device = Device()
        device.opens(.weather, .day(1))
        device.adds(.weather, .day(1))
        #expect(device.level(.weather) == Level(certain: 1, presumed: 1))
    }

    /// The list might be older than the first tap. Then the later tap is on another widget.
    @Test func `a tap without a family beside a list can be on a different widget from a later tap`() {
        var device = Device()
        device.opens(Placement(kind: "weather"), .day(1))
        device.reports([.search: 1], .day(1))
        device.opens(.weather, .day(2))
        #expect(device.level(.weather) == Level(certain: 1))
        #expect(device.level(Placement(kind: "weather")) == Level(presumed: 1))
    }

    @Test func `an ongoing installation is folded before the one that ends it`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reinstalls(.day(2))
        device.happens(.installed(.search), .day(3), id: "a")
        device.speaks(as: 1)
        device.happens(.installed(.search), .day(3), id: "b")
        #expect(device.state.isCloned == false)
        #expect(device.level(.search) == Level(suspect: 1))
    }

    @Test func `an event with an old id is folded before the restoration of its instant`() {
        let (old, new) = (Placement(kind: "W", instance: "1"), Placement(kind: "W", instance: "8"))
        var device = Device(.android)
        device.restores(["1": "8"], .day(1))
        device.adds(old, .day(1))
        device.opens(new, .day(1))
        #expect(device.level(new) == Level(certain: 1))
        #expect(device.level(old) == .none)
    }

    static let chunks = Seeds.of(0..<6_000, by: 250)

    /// Every order of each instant, with its observations a microsecond apart, and the next instants.
    @Test(arguments: chunks) func `the bounds cover every order`(seeds: Range<UInt64>) {
        for seed in seeds { expectEveryOrder(seed) }
    }

    private func expectEveryOrder(_ seed: UInt64) {
        let history = RandomHistory(seed)
        let instants = history.observations.filter { $0.circumstances.channel == "production" }.sorted().byInstant
        for (place, instant) in instants.enumerated() where (2...4).contains(instant.count) {
            guard history.isFree(instant, of: instants) else { continue }
            let known = history.fold(instants[..<place].joined())
            let orders = instant.permutations.map { order in
                history.fold(
                    order.enumerated().map { offset, observation in
                        var observation = observation
                        observation.at = observation.at + .microseconds(offset)
                        return observation
                    }, onto: known)
            }
            expect(history.fold(instant, onto: known), covers: orders, "seed \(seed), instant \(place)")
            var (tied, apart) = (history.fold(instant, onto: known), orders)
            for (later, next) in instants.enumerated().dropFirst(place + 1).prefix(3) {
                // After another installation or a tie, the orders can say different things.
                guard next.count == 1, next[0].installation == instant[0].installation else { break }
                tied = history.fold(next, onto: tied)
                apart = apart.map { history.fold(next, onto: $0) }
                expect(tied, covers: apart, "seed \(seed), instant \(place), then \(later)")
            }
        }
    }

    private func expect(_ tied: DeviceState, covers orders: [DeviceState], _ seed: String) {
        let (certain, possible) = (tied.counts(\.certain), tied.counts(\.possible))
        for order in orders {
            for (place, count) in certain {
                let isCovered = count <= order.counts(\.certain)[place, default: 0]
                #expect(isCovered, "\(seed): \(place) certain \(count)")
            }
            for (place, count) in order.counts(\.possible) {
                let isCovered = count <= possible[place, default: 0]
                #expect(isCovered, "\(seed): \(place) possible \(count), not \(possible[place, default: 0])")
            }
        }
    }
}

extension RandomHistory {
    /// Whether a microsecond makes no difference to any rule, and all observations are of one installation.
    fileprivate func isFree(_ instant: [Observation], of instants: [[Observation]]) -> Bool {
        let at = instant[0].at
        guard window.zone.start(of: window.zone.day(of: at)) != at else { return false }
        return instant.allSatisfy { observation in
            observation.event.type != .widgetsRestored && observation.installation == instant[0].installation
                && observation.circumstances.firstLaunchedAt.map { at - $0 != .minutes(10) } ?? true
        } && instants.allSatisfy { $0[0].at >= at || at - $0[0].at != .seconds(60) }
    }
}

extension Array {
    fileprivate var permutations: [[Element]] {
        guard let last else { return [[]] }
        return dropLast().map(\.self).permutations.flatMap { rest in
            (0...rest.count).map { place in
                var order = rest
                order.insert(last, at: place)
                return order
            }
        }
    }
}
