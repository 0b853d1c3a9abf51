import CensusCore
@testable import FleetSimulator
import Testing

@Suite struct `Install base` {
    @Test(arguments: UInt64(1)..<5) func `looks like a small real app's`(seed: UInt64) throws {
        let fleet = try FoldedFleet(Fleet.Plan(seed: seed, end: FoldedFleet.end))
        let start = FoldedFleet.end - .days(11)
        #expect((52...60).contains(fleet.states.count))
        #expect((42...58).contains(fleet.devices()))
        #expect(fleet.devices() > fleet.devices(at: start))
        #expect(
            fleet.kinds == [
                "com.example.weather.forecast", "com.example.weather.current", "com.example.weather.hourly",
                "com.example.weather.radar", "weather",
            ])
        #expect((5...18).contains(fleet.devices(with: "weather")))
        #expect(fleet.devices(with: "weather") < fleet.devices(with: "weather", at: start))
    }

    @Test(arguments: UInt64(1)..<5) func `leaves a reinstalled device in suspicion`(seed: UInt64) throws {
        let fleet = try FoldedFleet(Fleet.Plan(seed: seed, end: FoldedFleet.end))
        let unsettled = fleet.states.values.filter { $0.installation.map { $0.isReinstall && !$0.isSettled } ?? false }
        #expect(unsettled.contains { $0.surfaces.values.contains { $0.holdings.values.contains { $0.suspect > 0 } } })
        #expect(fleet.kinds.contains { fleet.devices(with: $0) > fleet.devices(with: $0, counting: \.certain) })
    }

    @Test func `upgrades apps and systems`() throws {
        let fleet = try FoldedFleet(Fleet.Plan(devices: 200, end: FoldedFleet.end))
        let appVersions = fleet.observations.values.map { Set($0.map(\.circumstances.appVersion)) }
        let systems = fleet.observations.values.map { Set($0.map(\.circumstances.osVersion)) }
        #expect(appVersions.count { $0.count > 1 } > 80)
        #expect((8...80).contains(systems.count { $0.count > 1 }))
        #expect(Set(systems.joined()).isSuperset(of: ["14.3", "17.7", "18.5", "26.1"]))
    }

    @Test func `lies within the bounds of the fold, nearly`() throws {
        // What was placed or removed since the last report that arrived is beyond any reader.
        let plan = Fleet.Plan(devices: 300, end: FoldedFleet.end)
        let casting = Casting(plan)
        var (held, outside) = (0, 0)
        for index in 0..<plan.devices {
            var life = DeviceLife(plan: plan, casting: casting, index: index)
            let state = try FoldedFleet(life.deliveries()).states[life.device.id]
            let holdings = state?.surfaces[.widget]?.holdings ?? [:]
            for kind in Set(holdings.keys.map(\.kind)).union(life.device.placed.map(\.kind)) {
                let levels = holdings.filter { $0.key.kind == kind }.values
                let (low, high) = levels.reduce((0, 0)) { ($0.0 + $1.certain, $0.1 + $1.possible) }
                held += 1
                if !(low...high).contains(life.device.placed.count { $0.kind == kind }) { outside += 1 }
            }
        }
        #expect(held > 400)
        #expect(Double(outside) < 0.05 * Double(held), "\(outside) of \(held)")
    }

    @Test func `has ghosts on iOS 14 alone`() {
        let plan = Fleet.Plan(devices: 600, end: FoldedFleet.end)
        let casting = Casting(plan)
        let haunted = (0..<plan.devices).compactMap { index -> OperatingSystem? in
            var life = DeviceLife(plan: plan, casting: casting, index: index)
            _ = life.deliveries()
            return life.device.ghosts.isEmpty ? nil : life.device.system
        }
        #expect(haunted.count > 5)
        #expect(Set(haunted.map(\.major)) == [14])
    }
}
