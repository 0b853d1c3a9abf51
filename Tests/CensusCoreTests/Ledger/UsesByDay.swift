import Fleet
import Testing

@testable import CensusCore

@Suite struct `Uses by day` {
    private static let opened = DeviceUses.Key(.opened, surface: .widget, kind: "weather")
    private static let rendered = DeviceUses.Key(.rendered, surface: .widget, kind: "weather")
    private static let january31 = Day("2026-01-31") ?? .first

    private func uses(_ counts: [(DeviceUses.Key, Int32, Int)]) -> DeviceUses {
        var uses = DeviceUses()
        for (key, day, count) in counts { uses.add(count, of: key, on: Day(daysSince1970: day)) }
        return uses
    }

    @Test func `a day counts as heard at most once, and uses add up`() {
        let both = uses([(.heard, 1, 1), (.heard, 1, 3), (.heard, 2, 1), (Self.opened, 1, 2), (Self.opened, 1, 3)])
        #expect(both.events[.heard] == [Day(daysSince1970: 1): 1, Day(daysSince1970: 2): 1])
        #expect(both.events[Self.opened] == [Day(daysSince1970: 1): 5])
        #expect(both.daysHeard == 2)
        var sum = both
        sum.add(uses([(.heard, 2, 1), (Self.opened, 1, 1), (Self.opened, 2, 4)]))
        #expect(sum.events[.heard] == both.events[.heard])
        #expect(sum.events[Self.opened] == [Day(daysSince1970: 1): 6, Day(daysSince1970: 2): 4])
    }

    @Test func `an observation marks its day as heard, and counts its use`() {
        var device = Device()
        device.opens(.weather, .day(1))
        device.opens(.weather, .day(1, hour: 10))
        device.renders(.weather, .day(1, hour: 11))
        device.adds(.weather, .day(2))
        device.reports([:], .day(3))
        device.circumstances.channel = "testflight"
        device.opens(.weather, .day(4))
        var uses = DeviceUses()
        for observation in device.observations { uses.add(observation, zone: .utc) }
        let days = (1...3).map { ReportingZone.utc.day(of: .day($0)) }
        #expect(
            uses.events == [
                .heard: [days[0]: 1, days[1]: 1, days[2]: 1], Self.opened: [days[0]: 2], Self.rendered: [days[0]: 1],
                DeviceUses.Key(.installed, surface: .widget, kind: "weather"): [days[1]: 1],
            ])
    }

    @Test func `raising keeps the larger number for each use and day`() {
        var known = uses([(.heard, 1, 1), (Self.opened, 1, 3), (Self.opened, 2, 1)])
        known.raise(to: uses([(.heard, 2, 1), (Self.opened, 1, 2), (Self.opened, 2, 4), (Self.rendered, 3, 1)]))
        #expect(
            known
                == uses([
                    (.heard, 1, 1), (.heard, 2, 1), (Self.opened, 1, 3), (Self.opened, 2, 4), (Self.rendered, 3, 1),
                ]))
    }

    @Test func `subtracting leaves the rest, and no empty days`() {
        var left = uses([(.heard, 1, 1), (Self.opened, 1, 3), (Self.opened, 2, 2), (Self.rendered, 1, 1)])
        left.subtract(uses([(Self.opened, 1, 1), (Self.opened, 2, 2), (Self.opened, 3, 1), (Self.rendered, 1, 2)]))
        #expect(left == uses([(.heard, 1, 1), (Self.opened, 1, 2)]))
    }

    @Test func `a month has exactly its own days`() {
        let last = Self.january31.daysSince1970
        let some = uses([
            (Self.opened, last - 30, 1), (Self.opened, last, 2), (Self.opened, last + 1, 3), (.heard, last + 28, 1),
        ])
        let (january, february) = (Self.january31.month, (Self.january31 + 1).month)
        #expect(
            some.months == [
                .init(key: Self.opened, month: january, days: [1, 31], events: [1, 2]),
                .init(key: Self.opened, month: february, days: [1], events: [3]),
                .init(key: .heard, month: february, days: [28], events: [1]),
            ])
        #expect(DeviceUses(some.months) == some)
    }

    @Test func `a range of days keeps its numbers`() {
        let some = uses([(.heard, 1, 1), (Self.opened, 1, 2), (Self.opened, 2, 3), (Self.opened, 3, 4)])
        #expect(some.during(Day(daysSince1970: 2)...) == uses([(Self.opened, 2, 3), (Self.opened, 3, 4)]))
        #expect(some.during(...Day(daysSince1970: 1)) == uses([(.heard, 1, 1), (Self.opened, 1, 2)]))
    }
}
