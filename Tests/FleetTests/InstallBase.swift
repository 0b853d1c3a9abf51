import CensusCore
@testable import Fleet
import Testing

@Suite struct `Install base` {
    @Test(arguments: UInt64(1)..<5) func `the install base looks like a small real app's`(seed: UInt64) throws {
        let fleet = try FoldedFleet(WeatherFleet.Plan(seed: seed, end: FoldedFleet.end))
        let start = FoldedFleet.end - .days(11)
        // A phone that is restored from a backup is another device.
        #expect((52...63).contains(fleet.states.count))
        #expect((42...58).contains(fleet.devices()))
        #expect(fleet.devices() > fleet.devices(at: start))
        #expect(
            fleet.kinds == [
                "com.example.weather.forecast", "com.example.weather.current", "com.example.weather.hourly",
                "com.example.weather.radar", "weather", "com.example.weather.ForecastWidgetProvider",
                "com.example.weather.CurrentWidgetProvider",
            ])
        #expect((5...18).contains(fleet.devices(with: "weather")))
        #expect(fleet.devices(with: "weather") < fleet.devices(with: "weather", at: start))
    }

    @Test(arguments: UInt64(1)..<5) func `a reinstalled device's widgets stay suspect`(seed: UInt64) throws {
        let fleet = try FoldedFleet(WeatherFleet.Plan(seed: seed, end: FoldedFleet.end))
        let unsettled = fleet.states.values.filter { $0.installation.map { $0.isReinstall && !$0.isSettled } ?? false }
        #expect(unsettled.contains { $0.surfaces.values.contains { $0.holdings.values.contains { $0.suspect > 0 } } })
        #expect(fleet.kinds.contains { fleet.devices(with: $0) > fleet.devices(with: $0, counting: \.certain) })
    }

    @Test func `devices update the app and the system`() throws {
        let fleet = try FoldedFleet(WeatherFleet.Plan(devices: 200, end: FoldedFleet.end))
        let appVersions = fleet.observations.values.map { Set($0.map(\.circumstances.appVersion)) }
        let systems = fleet.observations.values.map { Set($0.map(\.circumstances.osVersion)) }
        #expect(appVersions.count { $0.count > 1 } > 80)
        #expect((8...80).contains(systems.count { $0.count > 1 }))
        #expect(Set(systems.joined()).isSuperset(of: ["14.3", "17.7", "18.5", "26.1"]))
    }

    @Test(arguments: [Quirks(), Quirks(ghosts: [OperatingSystem(18, 5), OperatingSystem(26, 1)]), Quirks(ghosts: [])])
    func `only the systems that the plan names have ghosts`(quirks: Quirks) {
        let plan = WeatherFleet.Plan(devices: 250, days: 7, end: FoldedFleet.end, reinstallsAMonth: 3, quirks: quirks)
        let casting = Casting(plan)
        let haunted = (0..<plan.devices).compactMap { index -> OperatingSystem? in
            var life = DeviceLife(plan: plan, casting: casting, index: index)
            _ = life.story()
            return life.device.ghosts.isEmpty ? nil : life.device.system
        }
        #expect(quirks.ghosts.isEmpty || haunted.count > 2)
        #expect(Set(haunted).isSubset(of: quirks.ghosts))
    }
}
