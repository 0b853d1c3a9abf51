import Fleet
import SeededRandom
import Testing

@testable import CensusCore

/// Events that name no family leave open which widget of the kind they mean (docs/why/reconciliation.md, R3).
@Suite struct `Unnamed families` {
    private static let large = Placement(kind: "weather", family: "systemLarge")
    private let large = Self.large
    private let any = Placement(kind: "weather")

    private func reported(_ claims: [Placement: Int]) -> Device {
        var device = Device()
        device.reports(claims, .day(1))
        return device
    }

    private func ofKind(_ device: Device) -> ClosedRange<Int> {
        let held = (device.state.surfaces[.widget]?.holdings ?? [:]).values
        return held.reduce(0) { $0 + $1.certain }...held.reduce(0) { $0 + $1.possible }
    }

    private func ofFamily(_ placement: Placement, _ device: Device) -> ClosedRange<Int> {
        device.level(placement).certain...device.level(placement).possibleInFamily
    }

    /// The first family once lost one for certain, and the other kept one for certain.
    @Test func `a removal takes one from the kind, and one from each family's lower bound`() {
        var device = reported([.weather: 1, large: 2])
        device.removes(any, .day(2))
        #expect(ofKind(device) == 2...2)
        #expect(ofFamily(.weather, device) == 0...1)
        #expect(ofFamily(large, device) == 1...2)
        device.reports([large: 2], .day(3))
        #expect(ofKind(device) == 2...2)
        #expect(ofFamily(large, device) == 2...2)
        let net = device.netChanges
        #expect(net[.removed] == -1, "one was removed in the end")
        #expect(net[.configured] ?? 0 == 0)
    }

    /// With a widget known only from an event without a family, the removal was once counted as an edit.
    @Test(arguments: UInt64(0)..<64) func `a removal counts as one removed, however events name their widgets`(
        seed: UInt64
    ) {
        var random = Seeded(seed)
        var device = reported([.weather: random.below(3), large: random.below(3)])
        for day in 2...12 {
            let named = random.pick([any, .weather, large])
            let (before, causes) = (ofKind(device), device.netChanges)
            if random.chance(50) {
                device.adds(named, .day(Int64(day)))
                continue
            }
            device.removes(named, .day(Int64(day)))
            let after = device.netChanges
            guard ofKind(device).lowerBound < before.lowerBound else { continue }
            #expect((after[.removed] ?? 0) - (causes[.removed] ?? 0) == -1, "day \(day)")
            #expect((after[.configured] ?? 0) == (causes[.configured] ?? 0), "day \(day)")
        }
    }

    @Test func `a removal beside a suspect of another family can mean either`() {
        var device = Device.suspected([large: 1])
        device.opens(.weather, .day(5))
        device.removes(any, .day(6))
        #expect(ofKind(device) == 0...1)
        #expect(ofFamily(.weather, device) == 0...1)
        #expect(ofFamily(large, device) == 0...1)
    }

    /// A ghost once became certain.
    @Test func `a use proves that one widget of the kind is there, but not which one`() {
        var device = Device.suspected([large: 1])
        device.opens(any, .day(5))
        #expect(ofKind(device) == 1...2)
        #expect(ofFamily(large, device) == 0...1)
        device.reports([.weather: 1, large: 1], .day(6))
        #expect(device.level(.weather) == .of(certain: 1, reported: 1), "it was placed since")
        #expect(device.level(large) == .of(suspect: 1, reported: 1))
    }

    @Test func `a use counts for the suspect if the list doesn't grow and only one family has suspects`() {
        var device = Device.suspected([large: 1])
        device.opens(any, .day(5))
        device.reports([large: 1], .day(6))
        #expect(device.level(large) == .of(certain: 1, reported: 1))
        var net = NetChanges()
        net.add(DeviceReading(device.state, device.fold), times: 1)
        #expect(net.outcomes.byCell.values.map(\.settled) == [1])
        #expect(net.outcomes.byCell.values.map(\.stillThere) == [1])
    }

    @Test func `a use without a family proves no suspect if two families have some`() {
        var device = Device.suspected([.weather: 1, large: 1])
        device.opens(any, .day(5))
        device.reports([.weather: 1, large: 1], .day(6))
        #expect(ofKind(device).lowerBound == 0)
    }

    @Test func `a use with a family can mean the widget of unknown family`() {
        var device = reported([:])
        device.adds(any, .day(2))
        device.opens(large, .day(3))
        #expect(ofKind(device) == 1...2)
        #expect(ofFamily(large, device) == 1...1)
    }

    /// A tap, the app's own difference of lists, and its list, seconds apart, all come from one new widget.
    @Test func `a use, an installation and a longer list are one new widget, and the suspect stays suspect`() {
        var device = Device.suspected([.weather: 1])
        device.opens(.weather, .day(5))
        device.adds(.weather, .day(5, second: 1))
        device.reports([.weather: 2], .day(5, second: 2))
        #expect(device.level(.weather) == .of(certain: 1, suspect: 1, reported: 2))
    }
}

extension Device {
    /// How many placements became certain, less those that stopped being so, by cause and without those installed on day 1.
    var netChanges: [Cause: Int] {
        var net = NetChanges()
        net.add(DeviceReading(state, fold), times: 1)
        var sums: [Cause: Int] = [:]
        for (cell, amounts) in net.changes.byCell where cell.cause != .installed || cell.kind.day > Day(.day(1)) {
            sums[cell.cause, default: 0] += amounts.added - amounts.removed
        }
        return sums
    }
}

extension Day {
    fileprivate init(_ time: Timestamp) { self = ReportingZone.utc.day(of: time) }
}
