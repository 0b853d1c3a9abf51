import CensusCore
@testable import Fleet
import SeededRandom
import Testing

@Suite struct `Ghosts` {
    private static let widget = Placement(kind: "com.example.weather.radar", family: "systemLarge")
    private static let added = Placement(kind: "com.example.weather.hourly", family: "systemMedium")
    private static let day = FoldedFleet.end - .days(1)

    /// A widget is placed, the app deleted, installed again and opened.
    private func reinstalled(on system: OperatingSystem) -> SimulatedDevice {
        var device = SimulatedDevice(id: "6F1D", system: system, bootedAt: Self.day - .days(5))
        device.installApp("20.12.0", id: "first")
        device.launchApp(at: Self.day - .days(4))
        device.place(Self.widget)
        device.deleteApp()
        device.installApp("20.13.0", id: "second")
        device.launchApp(at: Self.day)
        return device
    }

    @Test(arguments: [OperatingSystem(14, 3), OperatingSystem(14, 8)])
    func `ghosts are listed after a reinstall until the device boots`(system: OperatingSystem) {
        var device = reinstalled(on: system)
        #expect(device.placed == [])
        #expect(device.listed == [Self.widget: 1])
        device.place(Self.added)
        #expect(device.listed == [Self.widget: 1, Self.added: 1])
        device.restart(at: Self.day + .hours(1))
        #expect(device.listed == [Self.added: 1])
    }

    @Test(arguments: [OperatingSystem(14, 2), OperatingSystem(17, 7), OperatingSystem(18, 5), OperatingSystem(26, 1)])
    func `other systems list no ghosts`(system: OperatingSystem) {
        #expect(reinstalled(on: system).listed == [:])
    }

    @Test func `an update of the system ends ghosts`() {
        var device = reinstalled(on: OperatingSystem(14, 3))
        device.update(to: OperatingSystem(14, 8), at: Self.day + .hours(1))
        #expect(device.listed == [:])
    }

    @Test(arguments: [(OperatingSystem(14, 3), [Self.widget: 1]), (OperatingSystem(18, 5), [:])])
    func `the first report contains the ghosts`(system: OperatingSystem, reported: [Placement: Int]) throws {
        let device = reinstalled(on: system)
        var client = AppClient(
            appID: "com.example.weather", clockError: .zero, device: device, generator: Seeded(2))
        client.forgetEverything()
        let sent = client.open(on: device, at: Self.day) + client.retry(until: Self.day + .days(1), on: device)
        let delivery = try #require(sent.first?.delivery)
        let batch = try BatchDecoder().decode(delivery.body, received: delivery.receivedAt)
        #expect(batch.installationID == "second")
        #expect(batch.circumstances.firstLaunchedAt == Self.day)
        #expect(try batch.events.first?.get().event.decoded() == .reported(reported))
    }
}
