import CensusCore
@testable import Fleet
import Testing

@Suite struct `Phones` {
    private static let widget = Placement(kind: "com.example.weather.radar", family: "systemLarge")
    private static let provider = Placement(kind: "com.example.weather.ForecastWidgetProvider", configuration: "5f1c")
    private static let day = FoldedFleet.end - .days(9)

    private func phone(_ system: OperatingSystem, holding placement: Placement, quirks: Quirks = Quirks())
        -> SimulatedDevice
    {
        var device = SimulatedDevice(id: "6F1D", system: system, bootedAt: Self.day - .days(5), quirks: quirks)
        device.installApp("20.12.0", id: "first")
        device.launchApp(at: Self.day - .days(4))
        device.place(placement)
        return device
    }

    @Test func `a phone restored from a backup has new ids and the old widgets`() {
        var device = phone(OperatingSystem(18, 5), holding: Self.widget)
        let renamed = device.moveToNewPhone(
            id: "A0C2", system: OperatingSystem(26, 1), appVersion: "20.13.0", installation: "second", at: Self.day)
        #expect(device.id == "A0C2")
        #expect(device.app?.id == "second")
        #expect(device.app?.firstLaunchedAt == nil)
        #expect(device.bootedAt == Self.day)
        #expect(device.held == [Self.widget: 1])
        #expect(device.listed == [Self.widget: 1])
        #expect(renamed == [:])
    }

    @Test func `a replaced phone falls silent, and the new one is heard from`() throws {
        let plan = WeatherFleet.Plan(devices: 250, days: 60, end: FoldedFleet.end, reinstallsAMonth: 0)
        let fleet = WeatherFleet(plan)
        let stories = (0..<plan.devices).map { fleet.story(ofDevice: $0) }.filter { $0.truths.count > 1 }
        #expect((5...30).contains(stories.count))
        for story in stories {
            let heard = try FoldedFleet(story.deliveries).observations.values
                .map { Set($0.map(\.at)) }.sorted { ($0.min() ?? .now) < ($1.min() ?? .now) }
            for (old, new) in zip(heard, heard.dropFirst()) {
                let (last, first) = (try #require(old.max()), try #require(new.min()))
                #expect(last < first + .minutes(1))
            }
        }
    }

    @Test func `a phone that lost its id keeps its ghosts`() {
        var device = phone(OperatingSystem(14, 3), holding: Self.widget)
        device.deleteApp()
        device.loseID(to: "A0C2")
        device.installApp("20.13.0", id: "second")
        #expect(device.id == "A0C2")
        #expect(device.held == [:])
        #expect(device.listed == [Self.widget: 1])
    }

    @Test func `Android numbers its widgets, and a restore renumbers them`() throws {
        var device = phone(.android(14), holding: Self.provider)
        let old = try #require(device.placed.first?.instance)
        let renamed = device.moveToNewPhone(
            id: "A0C2", system: .android(16), appVersion: "20.13.0", installation: "second", at: Self.day)
        let new = try #require(device.placed.first?.instance)
        #expect(renamed == [old: new])
        #expect(old != new)
    }

    @Test func `Android lists phantoms until the app is deleted`() throws {
        var device = phone(.android(14), holding: Self.provider)
        device.abandon(Self.provider)
        let phantom = try #require(device.phantoms.first)
        device.restart(at: Self.day)
        device.update(to: .android(15), at: Self.day + .hours(1))
        #expect(device.held.count == 1)
        #expect(device.listed.count == 2)
        #expect(device.listed[phantom] == 1)
        device.deleteApp()
        #expect(device.listed == [:])
    }

    @Test func `Android renumbers widgets when the launcher restores its layout`() throws {
        var device = phone(.android(14), holding: Self.provider)
        device.place(Self.provider)
        let last = try #require(device.placed.last?.instance)
        let renamed = device.renumber()
        #expect(renamed.count == 2)
        #expect(renamed[last] == device.placed.last?.instance)
        #expect(device.app?.id == "first")
    }

    @Test func `a phone loses a kind that the app's last release no longer has`() {
        var device = SimulatedDevice(
            id: "6F1D", system: OperatingSystem(18, 5), bootedAt: Self.day, droppedKind: Self.widget.kind)
        device.installApp("20.12.0", id: "first")
        device.launchApp(at: Self.day)
        device.place(Self.widget)
        device.place(Placement(kind: "weather"))
        device.updateApp(to: AppRelease.last)
        #expect(device.listed == [Placement(kind: "weather"): 1])
        #expect(device.place(Self.widget) == nil)
    }

    @Test func `iOS keeps nothing of a widget whose placing was abandoned`() {
        var device = phone(OperatingSystem(18, 5), holding: Self.widget)
        #expect(device.abandon(Self.widget) == nil)
        #expect(device.listed == device.held)
    }

    @Test func `a system that folds duplicates lists identical widgets once`() {
        let quirks = Quirks(foldedDuplicates: [OperatingSystem(18, 5)])
        var device = phone(OperatingSystem(18, 5), holding: Self.widget, quirks: quirks)
        device.place(Self.widget)
        #expect(device.held == [Self.widget: 2])
        #expect(device.listed == [Self.widget: 1])
        device.update(to: OperatingSystem(26, 1), at: Self.day)
        #expect(device.listed == [Self.widget: 2])
    }

    @Test func `a new configuration replaces the old one of a widget`() {
        let city = Placement(kind: "forecast", family: "systemSmall", intent: "City", configuration: "5f1c")
        var device = phone(OperatingSystem(18, 5), holding: city)
        #expect(device.configure(city, to: "9f2c")?.configuration == "9f2c")
        #expect(device.configure(city, to: "a07e") == nil)
        #expect(device.held.map(\.key.configuration) == ["9f2c"])
    }
}
