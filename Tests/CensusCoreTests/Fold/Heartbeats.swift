import Fleet
import Testing

@testable import CensusCore

/// The common case, which reads nothing stored: only the times of the last sign of life and the last report move.
@Suite struct `Heartbeat` {
    private static let moment: Duration = .microseconds(1)

    /// Whether the observations after the first `known` are a heartbeat.
    private func isHeartbeat(
        _ device: Device, after known: Int, listed: [Surface] = [.widget], dueAt: Timestamp? = .day(3),
        now: Timestamp = .day(3)
    ) -> Bool {
        let start = device.fold.fold(device.observations.prefix(known))
        return device.fold.isHeartbeat(from: start, to: device.state, listed: listed, dueAt: dueAt, now: now)
    }

    /// The same list on two days. Without the second one, the device would be silent from day 29 at midnight.
    private var repeated: Device {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reports([.weather: 1], .day(3))
        return device
    }

    /// Reads fail after day 1, so its widgets are doubted on day 29 at midnight, ten days before it would fall silent.
    private var unread: Device {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.failsToRead(.day(11))
        device.failsToRead(.day(12))
        return device
    }

    @Test func `a repeated list is a heartbeat, and a different one isn't`() {
        #expect(isHeartbeat(repeated, after: 1))
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reports([.weather: 2], .day(3))
        #expect(!isHeartbeat(device, after: 1))
    }

    @Test func `an unknown device has no heartbeat`() {
        #expect(!isHeartbeat(repeated, after: 0))
    }

    @Test func `a new installation, OS version, app version or platform is no heartbeat`() {
        for change in 0..<4 {
            var device = Device()
            device.reports([:], .day(1))
            switch change {
            case 0: device.reinstalls(.day(2))
            case 1: device.circumstances.osVersion = "14.3.1"
            case 2: device.upgrades(to: "2.0")
            default: device.circumstances.platform = .ipados
            }
            device.reports([:], .day(3))
            #expect(!isHeartbeat(device, after: 1), "change \(change)")
        }
    }

    @Test func `a surface's first list is no heartbeat, because it begins the surface's cohorts`() {
        var device = Device()
        device.reports([:], .day(1))
        device.reports([:], .day(3), on: .control)
        #expect(!isHeartbeat(device, after: 1, listed: [.control]))
    }

    @Test func `a list is no heartbeat once the device would have fallen silent`() {
        let silentAt = Timestamp.day(29, hour: 0)
        #expect(isHeartbeat(repeated, after: 1, now: silentAt - Self.moment))
        #expect(!isHeartbeat(repeated, after: 1, now: silentAt))
    }

    @Test func `changes by time alone must be due by the time the device would have fallen silent`() {
        let silentAt = Timestamp.day(29, hour: 0)
        #expect(isHeartbeat(repeated, after: 1, dueAt: silentAt))
        #expect(!isHeartbeat(repeated, after: 1, dueAt: silentAt + Self.moment))
        #expect(!isHeartbeat(repeated, after: 1, dueAt: nil))
    }

    @Test func `changes by time alone must be due by the time a report stops counting`() {
        let reportingUntil = Timestamp.day(29, hour: 0)
        #expect(isHeartbeat(unread, after: 2, listed: [], dueAt: reportingUntil, now: reportingUntil - Self.moment))
        #expect(!isHeartbeat(unread, after: 2, listed: [], dueAt: reportingUntil, now: reportingUntil))
        #expect(!isHeartbeat(unread, after: 2, listed: [], dueAt: reportingUntil + Self.moment, now: .day(12)))
    }

    @Test func `a device that has never read its list has heartbeats, too`() {
        var device = Device()
        device.failsToRead(.day(1))
        device.failsToRead(.day(3))
        #expect(isHeartbeat(device, after: 1, listed: []))
        #expect(!isHeartbeat(device, after: 1, listed: [], now: .day(29, hour: 0)), "it was silent by then")
        device.reports([:], .day(3, hour: 10))
        #expect(!isHeartbeat(device, after: 1, listed: []))
    }
}
