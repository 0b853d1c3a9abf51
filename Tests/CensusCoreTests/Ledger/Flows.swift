import Fleet
import Testing

@testable import CensusCore

/// Additions, removals and outcomes around silences and new installations.
@Suite struct `Flows` {
    private func net(_ device: Device) -> NetChanges {
        var net = NetChanges()
        net.add(DeviceReading(device.state, device.fold), times: 1)
        return net
    }

    private func outcomes(_ device: Device) -> [Int] {
        net(device).outcomes.byCell.values.flatMap { [$0.settled, $0.stillThere] }
    }

    private func changes(_ device: Device, on day: Int64) -> [Cause: Int] {
        let cells = net(device).changes.byCell.filter { $0.key.kind.day == ReportingZone.utc.day(of: .day(day)) }
        return Dictionary(cells.map { ($0.key.cause, $0.value.added - $0.value.removed) }, uniquingKeysWith: +)
    }

    @Test func `widgets that return from silence and new ones have separate causes`() {
        var device = Device()
        device.reports([.weather: 1], .day(1))
        device.reports([.weather: 2], .day(50))
        #expect(changes(device, on: 50) == [.returned: 1, .installed: 1])
        #expect(changes(device, on: 29) == [.silent: -1])
    }

    @Test func `a widget that doesn't return from silence is not removed twice`() {
        var device = Device()
        device.reports([.weather: 2], .day(1))
        device.reports([.weather: 1], .day(50))
        #expect(changes(device, on: 50) == [.returned: 1])
    }

    @Test(arguments: [0, 1])
    func `a returning device's report settles a suspect's outcome`(left: Int) {
        var device = Device.suspected([.weather: 1])
        device.boots(.day(45))
        device.reports(left == 0 ? [:] : [.weather: 1], .day(50))
        #expect(outcomes(device) == [1, left])
    }

    /// A rarely opened app is heard once after the boot, and its next installation claims to have begun before that.
    @Test func `a suspect keeps its outcome when the next installation claims an earlier beginning`() {
        var device = Device.suspected([.weather: 2])
        device.boots(.day(5))
        device.reports([.weather: 1], .day(6))
        device.reinstalls(.day(5))
        device.reports([:], .day(9))
        #expect(outcomes(device) == [2, 1])
    }

    /// No widget was used, and the event named no suspect, so none reached its outcome.
    @Test func `a widget added by an event before its list settles no suspect`() {
        var device = Device.suspected([.weather: 1])
        device.reports([.weather: 2], .day(5))
        device.adds(.weather, .day(6))
        device.reports([.weather: 3], .day(7))
        #expect(changes(device, on: 7) == [.installed: 1])
        device.boots(.day(8))
        device.reports([.weather: 2], .day(9))
        #expect(outcomes(device) == [1, 0])
    }

    /// The app compares lists itself, and sends the difference before the list.
    @Test func `a removal after the boot settles its suspect's outcome`() {
        var device = Device.suspected([.weather: 2])
        device.boots(.day(5))
        device.removes(.weather, .day(6))
        device.reports([.weather: 1], .day(6, second: 1))
        #expect(net(device).outcomes.byCell.values.reduce(0) { $0 + $1.settled } == 2)
        #expect(net(device).outcomes.byCell.values.reduce(0) { $0 + $1.stillThere } == 1)
    }
}
