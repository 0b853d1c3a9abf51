import Fleet
import Testing

@testable import CensusCore

/// R9.
@Suite struct `Upgrade loss` {
    private static let large = Placement(kind: "weather", family: "systemLarge")

    private func upgraded(
        from claims: [Placement: Int] = [.weather: 2, .search: 1], to later: [Placement: Int] = [.search: 1]
    ) -> Device {
        var device = Device()
        device.reports(claims, .day(1))
        device.upgrades(to: "2.0")
        device.reports(later, .day(2))
        return device
    }

    private func ends(_ device: Device) -> [Change] { device.state.spans.compactMap(\.ended) }

    @Test func `an upgrade loses a kind that the new version's first report lacks`() {
        #expect(ends(upgraded()) == [Change(.upgradeLoss, by: .upgradeLoss)])
        #expect(
            upgraded().story == [
                "search 1… certain 1 possible 1 installed…", "weather 1…2 certain 2 possible 2 installed…upgradeLoss",
            ])
    }

    @Test func `a kind that a report of the same version lacks is removed`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reports([:], .day(2))
        #expect(ends(device) == [Change(.removed, by: .report)])
    }

    @Test func `a downgrade can lose a kind, too`() {
        var device = Device()
        device.upgrades(to: "2.0")
        device.reports([.weather: 1], .day(1))
        device.upgrades(to: "1.0")
        device.reports([:], .day(2))
        #expect(ends(device).map(\.cause) == [.upgradeLoss])
    }

    @Test func `a lower count of a kind is a removal`() {
        let device = upgraded(from: [.weather: 2], to: [.weather: 1])
        #expect(ends(device).map(\.cause) == [.removed])
    }

    @Test func `a family lost while the kind stays is a removal`() {
        let device = upgraded(from: [.weather: 1, `Upgrade loss`.large: 1], to: [.weather: 1])
        #expect(ends(device).map(\.cause) == [.removed])
    }

    @Test func `an upgrade loses every family and configuration of a lost kind`() {
        let device = upgraded(from: [.weather("Prague"): 1, .weather("Brno"): 1, `Upgrade loss`.large: 1], to: [:])
        #expect(ends(device).map(\.cause) == [.upgradeLoss, .upgradeLoss, .upgradeLoss])
    }

    @Test func `a replacement kind doesn't prevent an upgrade loss`() {
        #expect(ends(upgraded(from: [.weather: 1], to: [.search: 1])).map(\.cause) == [.upgradeLoss])
    }

    @Test func `only the first report of a new version shows the upgrade`() {
        var device = upgraded(to: [.weather: 2, .search: 1])
        device.reports([:], .day(3))
        #expect(ends(device).map(\.cause) == [.removed, .removed])
    }

    /// An extension's old process goes on beside the new app, so each removal by hand once counted as an upgrade loss.
    @Test func `a change back to a version reported before is no upgrade`() {
        var device = Device()
        device.reports([.weather: 1, .search: 1], .day(1))
        device.upgrades(to: "2.0")
        device.reports([.weather: 1, .search: 1], .day(2))
        device.upgrades(to: "1.0")
        device.reports([.weather: 1], .day(3))
        device.upgrades(to: "2.0")
        device.reports([:], .day(4))
        #expect(ends(device).map(\.cause) == [.removed, .removed])
    }

    @Test func `a version that only an earlier installation reported is an upgrade`() {
        var device = Device()
        device.upgrades(to: "2.0")
        device.reports([.weather: 1], .day(1))
        device.reinstalls(.day(2))
        device.upgrades(to: "1.0")
        device.reports([:], .day(3))
        device.reports([.weather: 1], .day(4))
        device.upgrades(to: "2.0")
        device.reports([:], .day(5))
        #expect(ends(device).map(\.cause) == [.reinstalled, .upgradeLoss])
    }

    @Test func `an upgrade loses nothing after more than 200 versions`() {
        var device = Device()
        for number in 0...201 {
            device.upgrades(to: "\(number)")
            device.reports([.weather: 1], .day(1) + .hours(Int64(number)))
        }
        #expect(device.state.surfaces[.widget]?.versions.count == 201)
        device.upgrades(to: "new")
        device.reports([:], .day(20))
        #expect(ends(device).map(\.cause) == [.removed])
    }

    @Test func `a failed read counts as neither the earlier nor the later report`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.upgrades(to: "2.0")
        device.failsToRead(.day(2))
        device.reports([:], .day(3))
        #expect(ends(device).map(\.cause) == [.upgradeLoss])
    }

    @Test func `a widget that an event removed before the report counts as removed`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.upgrades(to: "2.0")
        device.removes(.weather, .day(2))
        device.reports([:], .day(3))
        #expect(Set(ends(device).map(\.cause)) == [.removed])
    }

    @Test func `a widget that an event installed after the earlier report can be lost`() {
        var device = Device()
        device.reports([:], .day(1))
        device.adds(.weather, .day(2))
        device.upgrades(to: "2.0")
        device.reports([:], .day(3))
        #expect(ends(device).map(\.cause) == [.upgradeLoss])
    }

    @Test func `a reinstallation with another version ends widgets as reinstalled, not as lost`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reinstalls(.day(2))
        device.upgrades(to: "2.0")
        device.reports([:], .day(3))
        #expect(ends(device) == [Change(.reinstalled, by: .reinstall)])
    }

    @Test func `an upgrade doesn't lose suspects that are gone after a reboot`() {
        var device = Device()
        device.reports([:], .day(1))
        device.reinstalls(.day(2))
        device.reports([.weather: 1], .day(3))
        device.boots(.day(4))
        device.upgrades(to: "2.0")
        device.reports([:], .day(5))
        #expect(ends(device).map(\.rule) == [.reboot])
        #expect(device.outcomes == [0])
    }

    @Test func `an upgrade doesn't lose suspects that leave before a reboot`() {
        var device = Device()
        device.reports([:], .day(1))
        device.reinstalls(.day(2))
        device.reports([.weather: 1], .day(3))
        device.upgrades(to: "2.0")
        device.reports([:], .day(4))
        #expect(ends(device).map(\.cause) == [.removed])
    }

    @Test func `an upgrade can lose certain widgets beside suspects`() {
        var device = Device()
        device.reports([:], .day(1))
        device.reinstalls(.day(2))
        device.reports([.weather: 1], .day(3))
        device.reports([.weather: 2], .day(4))
        device.boots(.day(5))
        device.upgrades(to: "2.0")
        device.reports([:], .day(6))
        #expect(device.state.spans.last?.ended == Change(.upgradeLoss, by: .upgradeLoss))
        #expect(device.outcomes == [0, 0])
    }

    @Test func `widgets doubted before the upgrade are removed, not lost`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        for day in 2...40 { device.failsToRead(.day(Int64(day))) }
        device.upgrades(to: "2.0")
        device.reports([:], .day(41))
        #expect(ends(device).map(\.cause) == [.silent, .removed])
    }

    @Test func `each surface is compared with its own previous report`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reports([.search: 1], .day(1), on: .control)
        device.upgrades(to: "2.0")
        device.reports([:], .day(2), on: .control)
        device.reports([.weather: 1], .day(3))
        device.reports([:], .day(4))
        #expect(ends(device).map(\.cause) == [.upgradeLoss, .removed])
    }

    @Test func `a certain Android instance is lost, and one that was only reported is removed`() {
        let (one, two) = (Placement(kind: "Weather", instance: "1"), Placement(kind: "Search", instance: "2"))
        var device = Device(.android)
        device.reports([one: 1, two: 1], .day(1))
        device.opens(one, .day(2))
        device.upgrades(to: "2.0")
        device.reports([:], .day(3))
        #expect(device.state.spans.last { $0.placement == one }?.ended?.cause == .upgradeLoss)
        #expect(device.state.spans.last { $0.placement == two }?.ended?.cause == .removed)
    }

    @Test func `versions are compared byte by byte`() {
        var device = Device()
        device.upgrades(to: "1.0-\u{E9}")
        device.reports([.weather: 1], .day(1))
        device.upgrades(to: "1.0-e\u{301}")
        device.reports([:], .day(2))
        #expect(ends(device).map(\.cause) == [.upgradeLoss])
    }
}
