import Foundation
import SeedTesting
import SeededRandom
import Testing

@testable import CensusCore

/// The bounds contain every world that the evidence allows. A failure names its seed.
///
/// `CENSUS_ORACLE_HISTORIES=50000` tries as many.
@Suite struct `Oracle` {
    private static let asked = ProcessInfo.processInfo.environment["CENSUS_ORACLE_HISTORIES"].flatMap { UInt64($0) }
    static let chunks = seeds(3_000)
    /// Their worlds are many.
    static let fewer = seeds(1_000)

    private static func seeds(_ count: UInt64) -> [Range<UInt64>] {
        guard let asked else { return Seeds.of(0..<count, by: 100) }
        return stride(from: 0, to: asked, by: 100).map { $0..<($0 + 100) }
    }

    /// Users do as they like between reports, and apps tell some of it.
    @Test(arguments: chunks) func `after every report the bounds contain every possible world`(seeds: Range<UInt64>) {
        for seed in seeds { OracleHistory(seed, tellsAll: false).play() }
    }

    /// Apps tell of all that happens, often without saying which configuration or family it happened to.
    @Test(arguments: chunks) func `after every event they do, where apps tell all`(seeds: Range<UInt64>) {
        for seed in seeds { OracleHistory(~seed, tellsAll: true).play() }
    }

    /// Android: instances, phantoms, and events that name no instance.
    @Test(arguments: fewer, [false, true])
    func `the bounds contain every set of instances that may be on the screens`(seeds: Range<UInt64>, tellsAll: Bool) {
        for seed in seeds { InstanceHistory(tellsAll ? ~seed : seed, tellsAll: tellsAll).play() }
    }
}

/// One history of an Android device, beside all the worlds in which it may have happened.
private struct InstanceHistory {
    private let seed: UInt64
    private let tellsAll: Bool
    private var random: Seeded
    private var device = Device(.android)
    private var worlds = InstanceWorlds()
    private var truth: InstanceWorlds.World
    private var now = Timestamp.day(1)

    init(_ seed: UInt64, tellsAll: Bool) {
        self.seed = seed
        self.tellsAll = tellsAll
        random = Seeded(seed)
        truth = InstanceWorlds.World(isGrowing: random.chance(80))
    }

    /// Replays it, and compares what the fold says with what may be true.
    func play() {
        var history = self
        history.live()
    }

    private mutating func live() {
        report()
        for _ in 0..<(random.below(8) + 4) {
            now = now + .hours(1)
            worlds.pass(userMoves: !tellsAll)
            for _ in 0..<random.below(3) {
                truth = random.pick([truth] + worlds.moves(truth, userMoves: !tellsAll))
            }
            switch random.below(12) {
            case 0...3: open()
            case 4...7: change()
            default:
                report()
                compare()
                continue
            }
            if tellsAll { compare() }
        }
    }

    private mutating func open() {
        guard !truth.real.isEmpty else { return }
        let instance = random.chance(50) ? random.pick(truth.real.sorted()) : nil
        worlds.open(instance)
        device.opens(widget(instance), now)
    }

    private mutating func change() {
        let changes = InstanceWorlds.instances.filter { worlds.changed(truth, $0) != nil }
        guard !changes.isEmpty else { return }
        let instance = random.pick(Array(changes))
        guard let next = worlds.changed(truth, instance) else { return }
        let named = random.chance(50) ? instance : nil
        worlds.change(named, isAdded: truth.isGrowing)
        if truth.isGrowing { device.adds(widget(named), now) } else { device.removes(widget(named), now) }
        truth = next
    }

    private mutating func report() {
        let list = truth.list
        device.reports(Dictionary(uniqueKeysWithValues: list.map { (widget($0), 1) }), now)
        worlds.report(list)
        truth.isGrowing = random.chance(50)
    }

    private func widget(_ instance: Int?) -> Placement {
        Placement(kind: "Weather", instance: instance.map(String.init))
    }

    private func compare() {
        let held = device.state.surfaces[.widget]?.holdings ?? [:]
        let certain = held.values.reduce(0) { $0 + $1.certain }
        let possible = held.values.reduce(0) { $0 + $1.possible }
        let (least, most) = (worlds.count.lowerBound, worlds.count.upperBound)
        let isSound = certain <= least && possible >= most && !worlds.possible.isEmpty
        #expect(isSound, "seed \(seed): \(certain)...\(possible) but \(least)...\(most) \(device.told)")
        let unnamed = held[Placement(kind: "Weather")]?.possible ?? 0
        for instance in InstanceWorlds.instances {
            let level = held[widget(instance)] ?? .none
            let range = worlds.count(of: instance)
            let isSound = level.certain <= range.lowerBound && level.possibleInFamily + unnamed >= range.upperBound
            #expect(isSound, "seed \(seed), #\(instance): \(level), \(unnamed) unnamed, but \(range) \(device.told)")
        }
    }
}

/// One history of a WidgetKit device, beside all the worlds in which it may have happened.
private struct OracleHistory {
    private let seed: UInt64
    private let tellsAll: Bool
    private var random: Seeded
    private var device = Device()
    private var worlds: Worlds
    private var truth: Worlds.World
    private var now: Timestamp
    private let isFresh: Bool

    init(_ seed: UInt64, tellsAll: Bool) {
        self.seed = seed
        self.tellsAll = tellsAll
        random = Seeded(seed)
        isFresh = random.chance(30)
        let bootsUnseen = random.chance(25)
        device.bootForm = random.pick(Device.BootForm.allCases)
        if bootsUnseen { device.boots(nil) }
        let areFamilies = seed.isMultiple(of: 2)
        worlds = Worlds(of: areFamilies ? Worlds.families : Worlds.configurations, mayHaveGhosts: isFresh)
        worlds.bootsUnseen = bootsUnseen
        truth = worlds.possible.sorted(by: OracleHistory.precedes).randomElement(using: &random) ?? Worlds.World()
        now = isFresh ? Timestamp.day(0, minute: 5) : .day(1)
    }

    /// Replays it, and compares what the fold says with what may be true.
    func play() {
        var history = self
        history.live()
    }

    private mutating func live() {
        pass()
        if isFresh || tellsAll { report() } else { device.failsToRead(now) }
        for _ in 0..<(random.below(8) + 4) {
            now = now + .hours(1)
            pass()
            switch random.below(20) {
            case 0 where !worlds.bootsUnseen: boot()
            case 1, 2: reinstall()
            case 3: device.failsToRead(now)
            case 4...8: open()
            case 9...12: change()
            default:
                report()
                compare()
                continue
            }
            if tellsAll { compare() }
        }
    }

    /// The user does as he likes.
    private mutating func pass() {
        guard !tellsAll else {
            if worlds.bootsUnseen { worlds.forgetGhosts() }
            return
        }
        worlds.pass()
        for _ in 0..<random.below(3) { truth = random.pick([truth] + worlds.moves(truth)) }
    }

    private mutating func boot() {
        truth.ghosts = [0, 0]
        worlds.boot()
        device.boots(now)
        now = now + .minutes(10)
    }

    private mutating func reinstall() {
        device.reinstalls(now)
        now = now + .minutes(20)
        worlds.reinstall()
        truth = random.pick(Worlds.afterReinstallation(truth))
        device.failsToRead(now)
    }

    private mutating func open() {
        let index = random.below(2)
        guard truth.real[index] > 0 else { return }
        let (named, meant) = named(index)
        worlds.open(meant)
        device.opens(named, now)
    }

    private mutating func change() {
        let index = random.below(2)
        guard let next = worlds.changed(truth, index) else { return }
        let (named, meant) = named(index)
        worlds.change(meant, isAdded: truth.isGrowing)
        if truth.isGrowing { device.adds(named, now) } else { device.removes(named, now) }
        truth = next
    }

    /// What an event says of a placement, and which ones it may mean.
    private mutating func named(_ index: Int) -> (Placement, [Int]) {
        let placement = worlds.placements[index]
        // A configuration may have been another since: the bounds of a kind do not depend on it.
        guard worlds.areFamilies, random.chance(50) else { return (placement, [index]) }
        return (Placement(kind: placement.kind), [0, 1])
    }

    private mutating func report() {
        let list = worlds.list(of: truth)
        device.reports(list, now)
        worlds.report(list)
        truth.isGrowing = random.chance(50)
    }

    private func compare() {
        let held = device.state.surfaces[.widget]?.holdings ?? [:]
        let certain = held.values.reduce(0) { $0 + $1.certain }
        let possible = held.values.reduce(0) { $0 + $1.possible }
        let (least, most) = (worlds.ofKind.lowerBound, worlds.ofKind.upperBound)
        let isSound = certain <= least && possible >= most && !worlds.possible.isEmpty
        #expect(isSound, "seed \(seed): \(certain)...\(possible) but \(least)...\(most) \(device.told)")
        guard worlds.areFamilies else { return }
        let unnamed = held.reduce(0) { $0 + ($1.key.family == nil ? $1.value.possible : 0) }
        for (index, placement) in worlds.placements.enumerated() {
            let level = held[placement] ?? .none
            let range = worlds.count(of: index)
            let isSound =
                level.certain <= range.lowerBound && level.possibleInFamily + unnamed >= range.upperBound
            #expect(
                isSound,
                "seed \(seed), family \(index): \(level) and \(unnamed) unnamed, but \(range) \(device.told)")
        }
    }

    private static func precedes(_ one: Worlds.World, _ other: Worlds.World) -> Bool {
        (one.real + one.ghosts + [one.isGrowing ? 1 : 0]).lexicographicallyPrecedes(
            other.real + other.ghosts + [other.isGrowing ? 1 : 0])
    }
}

extension Device {
    /// What was observed, in short.
    fileprivate var told: [String] {
        observations.map { observation in
            let said = observation.circumstances
            let booted = said.rebooted.map { "\($0)" } ?? said.bootedAt.map(\.story) ?? "?"
            let names = "\(observation.installation.low) \(observation.at.story) booted \(booted) "
            switch observation.event {
            case .reported(let claimed):
                let list = claimed.map { "\($0.key.told) \($0.value)" }.sorted()
                return names + list.joined(separator: " ")
            case .happened(let act, to: let placement): return names + "\(act) \(placement.told)"
            case .readFailed, .restored: return names + observation.event.type.rawValue
            }
        }
    }
}

extension Placement {
    fileprivate var told: String {
        if kind == "Weather" { return "#\(instance ?? "?")" }
        return "\(family == nil ? "?" : family == "systemLarge" ? "L" : "S")\(configuration ?? "")"
    }
}
