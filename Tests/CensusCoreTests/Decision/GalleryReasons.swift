import Fleet
import Testing

@testable import CensusCore

/// Why a device is told to show or to hide a kind.
@Suite struct `Gallery reasons` {
    private func device(_ platform: Platform = .ios, osVersion: String? = "17.1") -> Device {
        var device = Device(platform)
        device.circumstances.osVersion = osVersion
        return device
    }

    private func reason(_ device: Device, at now: Timestamp = .day(2)) -> GalleryReason? {
        DeviceGalleryPolicy(device.state, window: device.window, now: now).reason(kind: "weather", lifecycle: .legacy)
    }

    private static let systems: [(Platform, String?, GalleryReason)] = [
        (.ios, "14.8", .ios14), (.ios, "15", .lacksIt), (.ios, "15.0", .lacksIt), (.ios, nil, .ios14),
        (.ios, "beta", .ios14), (.ipados, "14.8.1", .ios14), (.ipados, "15.0", .lacksIt), (.ipados, nil, .ios14),
        (.android, nil, .lacksIt), (.android, "14", .lacksIt), (.macos, "11.0", .lacksIt), (.watchos, "9", .lacksIt),
        (.visionos, nil, .lacksIt),
    ]

    @Test(arguments: systems)
    func `a system before iOS 15 can't hide a single kind`(
        platform: Platform, version: String?, expected: GalleryReason
    ) {
        var device = device(platform, osVersion: version)
        device.reports([:], .day(1))
        #expect(reason(device) == expected)
    }

    @Test func `a device that never sent a list is unknown`() {
        var device = device()
        #expect(reason(device) == .unknownDevice)
        device.failsToRead(.day(1))
        #expect(reason(device) == .unknownDevice)
        let policy = DeviceGalleryPolicy(device.state, window: device.window, now: .day(2))
        #expect(policy.report == nil && policy.validUntil == nil)
    }

    @Test func `a list goes stale at the instant the window ends`() {
        var device = device()
        device.reports([:], .day(1))
        let end = device.window.end(lastHeard: .day(1))
        let policy = DeviceGalleryPolicy(device.state, window: device.window, now: end)
        #expect(policy.validUntil == end)
        #expect(reason(device, at: end - .microseconds(1)) == .lacksIt)
        #expect(reason(device, at: end) == .staleEvidence)
    }

    @Test func `a device with a certain widget holds the kind, and with only a suspect one is suspect`() {
        var device = device()
        device.reports([.weather: 1], .day(1))
        #expect(reason(device) == .holdsIt)
        device.reinstalls(.day(3))
        device.reports([.weather: 1], .day(4))
        #expect(device.level(.weather) == .of(suspect: 1, reported: 1))
        #expect(reason(device, at: .day(5)) == .suspect)
        device.removes(.weather, .day(6))
        device.opens(.weather, .day(6, hour: 10))
        #expect(reason(device, at: .day(7)) == .holdsIt)
    }

    /// The device holds none any more, but the OS might list another.
    @Test func `a widget removed by an event since the last list still counts as held`() {
        var device = device()
        device.reports([.weather: 1], .day(1))
        device.removes(.weather, .day(1, hour: 12))
        #expect(device.level(.weather).possible == 0)
        #expect(reason(device) == .holdsIt)
    }

    @Test func `a cloned device is suspect`() {
        var device = device()
        device.reports([:], .day(1))
        device.reinstalls(.day(2))
        device.reports([:], .day(3))
        device.speaks(as: 1)
        device.reports([:], .day(4))
        device.speaks(as: 2)
        device.reports([:], .day(5))
        #expect(device.state.isCloned)
        #expect(reason(device, at: .day(6)) == .suspect)
    }

    @Test func `an active kind needs no reason, and only a device without the kind hides it`() {
        var device = device()
        device.reports([:], .day(1))
        let policy = DeviceGalleryPolicy(device.state, window: device.window, now: .day(2))
        #expect(policy.reason(kind: "weather", lifecycle: .active) == nil)
        #expect(policy.reason(kind: "weather", lifecycle: .retired) == .lacksIt)
        #expect(GalleryReason.allCases.filter { $0.answer == .hide } == [.lacksIt])
        #expect([Lifecycle.active, .legacy, .retired].map(GalleryAnswer.init) == [.show, .hideUnlessInstalled, .hide])
    }
}
