import Fleet
import SeededRandom
import Testing

@testable import CensusCore

/// R10: events that name no instance.
@Suite struct `Unnamed instances` {
    private let one = Self.widget("1")
    private let two = Self.widget("2")
    private let three = Self.widget("3")
    private let any = Placement(kind: "Weather")

    private static func widget(_ instance: String) -> Placement { Placement(kind: "Weather", instance: instance) }

    private func reported(_ placements: Placement...) -> Device {
        var device = Device(.android)
        device.reports(Dictionary(uniqueKeysWithValues: placements.map { ($0, 1) }), .day(1))
        return device
    }

    private func bounds(_ device: Device) -> ClosedRange<Int> {
        let held = (device.state.surfaces[.widget]?.holdings ?? [:]).values
        return held.reduce(0) { $0 + $1.certain }...held.reduce(0) { $0 + $1.possible }
    }

    @Test func `a removal takes one instance and leaves no single one certain`() {
        var device = reported(one, two)
        device.opens(two, .day(2))
        device.removes(any, .day(3))
        #expect(bounds(device) == 0...1)
        device.reports([two: 1], .day(4))
        #expect(device.level(two) == .of(certain: 1, reported: 1), "it was proved, and another one left")
    }

    /// A list that has all of them was once counted as a removal of those that no event had named.
    @Test(arguments: UInt64(0)..<64) func `a list counts no more as removed than are gone`(seed: UInt64) {
        var random = Seeded(seed)
        var (device, held, next) = (Device(.android), [Placement](), 1)
        device.reports([:], .day(1))
        for day in 2...14 {
            let (at, before) = (Timestamp.day(Int64(day)), device.netChanges)
            switch random.below(3) {
            case 0:
                let new = Self.widget("\(next)")
                (next, held) = (next + 1, held + [new])
                device.adds(random.chance(50) ? any : new, at)
            case 1 where !held.isEmpty:
                let gone = held.remove(at: random.below(held.count))
                device.removes(random.chance(50) ? any : gone, at)
                #expect((device.netChanges[.removed] ?? 0) - (before[.removed] ?? 0) >= -1, "day \(day)")
            default:
                // Events told of all changes, so a list shows nothing new.
                device.reports(Dictionary(uniqueKeysWithValues: held.map { ($0, 1) }), at)
                #expect((device.netChanges[.removed] ?? 0) >= (before[.removed] ?? 0), "day \(day)")
            }
        }
    }

    /// With a widget known only from an event without an instance, the removal was once counted as an edit.
    @Test(arguments: UInt64(0)..<64) func `a removal counts as one removed, however events name their widgets`(
        seed: UInt64
    ) {
        var random = Seeded(seed)
        var device = reported(one, two)
        for widget in [one, two] where random.chance(70) { device.opens(widget, .day(2)) }
        for day in 3...12 {
            let (before, causes) = (bounds(device), device.netChanges)
            if random.chance(50) {
                device.adds(random.pick([any, three]), .day(Int64(day)))
                continue
            }
            device.removes(any, .day(Int64(day)))
            let after = device.netChanges
            guard bounds(device).lowerBound < before.lowerBound else { continue }
            #expect((after[.removed] ?? 0) - (causes[.removed] ?? 0) == -1, "day \(day)")
            #expect((after[.configured] ?? 0) == (causes[.configured] ?? 0), "day \(day)")
        }
    }

    @Test func `a removal leaves one of two certain instances, and a use shows which one`() {
        var device = reported(one, two)
        device.opens(one, .day(2))
        device.opens(two, .day(2))
        device.removes(any, .day(3))
        #expect(bounds(device) == 1...1)
        device.opens(one, .day(4))
        #expect(bounds(device).lowerBound == 1)
    }

    /// The first instance in order was once proved, although it was a phantom.
    @Test func `a use proves that one instance is there, but not which one`() {
        var device = reported(one, two)
        device.opens(any, .day(2))
        device.opens(any, .day(3))
        #expect(bounds(device) == 1...3, "a third might have been placed since")
        device.reports([one: 1, two: 1], .day(4))
        #expect(bounds(device) == 1...2)
        for instance in [one, two] { #expect(device.level(instance).certain == 0) }
        device.reports([one: 1], .day(5))
        #expect(device.level(one) == .of(presumed: 1, reported: 1), "the other one might have been used")
    }

    @Test func `a use that might be of an unlisted instance leaves the listed ones unchanged`() {
        var device = reported(one)
        device.opens(any, .day(2))
        #expect(device.level(one) == .of(presumed: 1, reported: 1))
        device.reports([one: 1, two: 1], .day(3))
        #expect(bounds(device) == 1...2)
        device.opens(two, .day(4))
        #expect(device.level(one) == .of(presumed: 1, reported: 1))
        #expect(device.level(two) == .of(certain: 1, reported: 1))
    }

    /// The removal once withdrew the use and then took it away again.
    @Test func `a removal after a use across several families leaves no count below zero`() {
        var device = Device(.android)
        let large = Placement(kind: "Weather", family: "large", instance: "1")
        device.reports([large: 1, Placement(kind: "Weather", family: "small", instance: "2"): 1], .day(1))
        device.opens(any, .day(2))
        device.removes(any, .day(3))
        #expect(bounds(device) == 0...2)
        #expect((device.state.surfaces[.widget]?.holdings ?? [:]).values.allSatisfy { $0.certain >= 0 })
    }

    @Test func `a use of a kind that isn't held proves one instance`() {
        var device = reported()
        device.opens(any, .day(2))
        #expect(bounds(device) == 1...1)
    }

    @Test func `an instance installed without a name stays certain when a list has it`() {
        var device = reported(one)
        device.adds(any, .day(2))
        device.reports([one: 1, two: 1], .day(3))
        #expect(bounds(device) == 1...2)
        #expect(device.level(one) == .of(presumed: 1, reported: 1), "it was there before")
        device.reports([one: 1], .day(4))
        #expect(bounds(device) == 0...1)
    }

    @Test func `a use across several families leaves one certain while all stay listed`() {
        var device = Device(.android)
        let list = [
            Placement(kind: "Weather", family: "large", instance: "1"): 1,
            Placement(kind: "Weather", family: "small", instance: "2"): 1,
        ]
        device.reports(list, .day(1))
        device.opens(any, .day(2))
        device.reports(list, .day(3))
        #expect(bounds(device) == 1...2)
    }

    @Test func `a named instance can be the one installed without a name`() {
        var device = reported()
        device.adds(any, .day(2))
        device.opens(three, .day(3))
        #expect(bounds(device) == 1...2)
        device.removes(three, .day(4))
        #expect(bounds(device) == 0...1)
    }
}
