import Fleet
import Foundation
import SeedTesting
import SeededRandom
import Testing

@testable import CensusCore

/// The bounds contain every world that the evidence allows. A failure names its seed.
///
/// `CENSUS_ORACLE_HISTORIES=50000` tries that many histories.
@Suite struct `Oracle` {
    private static let asked = ProcessInfo.processInfo.environment["CENSUS_ORACLE_HISTORIES"].flatMap { UInt64($0) }
    static let chunks = seeds(3_000)
    /// For histories with many worlds.
    static let fewer = seeds(1_000)

    private static func seeds(_ count: UInt64) -> [Range<UInt64>] {
        guard let asked else { return Seeds.of(0..<count, by: 100) }
        return stride(from: 0, to: asked, by: 100).map { $0..<($0 + 100) }
    }

    /// Users do as they like between reports, and apps report some of it.
    @Test(arguments: chunks) func `the bounds contain every possible world after every report`(seeds: Range<UInt64>) {
        for seed in seeds { OracleHistory(seed, tellsAll: false).play() }
    }

    /// Apps report everything that happens, often without its configuration or family.
    @Test(arguments: chunks)
    func `the bounds contain every possible world after every event, if apps report all events`(seeds: Range<UInt64>) {
        for seed in seeds { OracleHistory(~seed, tellsAll: true).play() }
    }

    /// Android: instances, phantoms, and events that name no instance.
    @Test(arguments: fewer, [false, true])
    func `the bounds contain every set of instances that can be on the screens`(seeds: Range<UInt64>, tellsAll: Bool) {
        for seed in seeds { InstanceHistory(tellsAll ? ~seed : seed, tellsAll: tellsAll).play() }
    }
}

/// One Android phone, and all the worlds in which its app could have sent what it sent.
private struct InstanceHistory {
    private let seed: UInt64
    private let tellsAll: Bool
    private var random: Seeded
    private var phone: RandomPhone
    private var device = Device(.android)
    private var worlds = InstanceWorlds()

    init(_ seed: UInt64, tellsAll: Bool) {
        self.seed = seed
        self.tellsAll = tellsAll
        random = Seeded(seed)
        phone = RandomPhone("phone", .fewInstances(tellsAll: tellsAll), using: Seeded(seed).derived(for: "phone"))
    }

    /// Compares the fold's bounds with the possible worlds.
    func play() {
        var history = self
        history.live()
    }

    private mutating func live() {
        step(.open)
        for _ in 0..<(random.below(8) + 4) { step() }
    }

    private mutating func step(_ act: RandomPhone.Act? = nil) {
        worlds.pass(userMoves: !tellsAll)
        let act = phone.step(act)
        for observation in phone.life.observations.dropFirst(device.observations.count) { worlds.hear(observation) }
        device.observations = phone.life.observations
        expectTruth()
        if act == .open || tellsAll { compare() }
    }

    /// Expects the phone's true state to be among the possible worlds.
    private func expectTruth() {
        func instances(_ widgets: [Placement]) -> Set<Int> { Set(widgets.compactMap(InstanceWorlds.instance(of:))) }
        let screen = phone.device[.widget]
        let (real, phantoms) = (instances(screen.placed), instances(screen.phantoms))
        let isPossible = worlds.possible.contains { $0.real == real && $0.phantoms == phantoms }
        #expect(isPossible, "seed \(seed) \(device.told)")
    }

    private func compare() {
        let held = device.state.surfaces[.widget]?.holdings ?? [:]
        let certain = held.values.reduce(0) { $0 + $1.certain }
        let possible = held.values.reduce(0) { $0 + $1.possible }
        let (least, most) = (worlds.count.lowerBound, worlds.count.upperBound)
        let isSound = certain <= least && possible >= most
        #expect(isSound, "seed \(seed): \(certain)...\(possible) but \(least)...\(most) \(device.told)")
        let unnamed = held[Placement(kind: "Weather")]?.possible ?? 0
        for instance in InstanceWorlds.instances {
            let level = held[Placement(kind: "Weather", instance: String(instance))] ?? .none
            let range = worlds.count(of: instance)
            let isSound = level.certain <= range.lowerBound && level.possibleInFamily + unnamed >= range.upperBound
            #expect(isSound, "seed \(seed), #\(instance): \(level), \(unnamed) unnamed, but \(range) \(device.told)")
        }
    }
}

/// One WidgetKit phone, and all the worlds in which its app could have sent what it sent.
private struct OracleHistory {
    private let seed: UInt64
    private let tellsAll: Bool
    private var random: Seeded
    private var phone: RandomPhone
    private var device = Device()
    private var worlds: Worlds
    private let isFresh: Bool

    init(_ seed: UInt64, tellsAll: Bool) {
        self.seed = seed
        self.tellsAll = tellsAll
        random = Seeded(seed)
        isFresh = random.chance(30)
        let bootWords = random.chance(25) ? nil : random.pick(BootWords.allCases)
        let placements = seed.isMultiple(of: 2) ? Worlds.families : Worlds.configurations
        worlds = Worlds(of: placements, mayHaveGhosts: isFresh)
        worlds.bootsUnseen = bootWords == nil
        phone = RandomPhone(
            "phone", .two(placements, bootWords: bootWords, tellsAll: tellsAll, isFresh: isFresh),
            using: Seeded(seed).derived(for: "phone"))
    }

    /// Compares the fold's bounds with the possible worlds.
    func play() {
        var history = self
        history.live()
    }

    private mutating func live() {
        step(isFresh || tellsAll ? .open : .failToRead)
        for _ in 0..<(random.below(8) + 4) { step() }
    }

    private mutating func step(_ act: RandomPhone.Act? = nil) {
        if !tellsAll { worlds.pass() } else if worlds.bootsUnseen { worlds.forgetGhosts() }
        let act = phone.step(act)
        let news = phone.life.observations.dropFirst(device.observations.count)
        for observation in news { worlds.hear(observation) }
        device.observations = phone.life.observations
        // The phone restarted, which its app reports with the next event.
        guard !news.isEmpty else { return }
        expectTruth()
        if act == .open || tellsAll { compare() }
    }

    /// Expects the phone's true state to be among the possible worlds.
    private func expectTruth() {
        let screen = phone.device[.widget]
        let real = worlds.placements.map { screen.held[$0] ?? 0 }
        let ghosts = worlds.placements.map { widget in screen.ghosts.count { $0 == widget } }
        let isPossible = worlds.possible.contains { $0.real == real && $0.ghosts == ghosts }
        #expect(isPossible, "seed \(seed) \(device.told)")
    }

    private func compare() {
        let held = device.state.surfaces[.widget]?.holdings ?? [:]
        let certain = held.values.reduce(0) { $0 + $1.certain }
        let possible = held.values.reduce(0) { $0 + $1.possible }
        let (least, most) = (worlds.ofKind.lowerBound, worlds.ofKind.upperBound)
        let isSound = certain <= least && possible >= most
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
}

extension RandomPhone.Plan {
    /// Few enough widgets to enumerate all worlds.
    fileprivate static func two(
        _ placements: [Placement], bootWords: BootWords?, tellsAll: Bool, isFresh: Bool
    ) -> RandomPhone.Plan {
        let system = OperatingSystem(14, 3)
        var plan = RandomPhone.Plan(
            // The first list of a fresh installation comes five minutes after its launch.
            system: system, gallery: [.widget: placements], launched: .day(0),
            begins: isFresh ? .day(0) - .minutes(55) : .day(1), pace: .steady(.hours(1)),
            acts: [
                (.restart, 1), (.reinstall, 2), (.failToRead, 1), (.tap, 3), (.place, 3), (.remove, 3), (.open, 7),
            ])
        plan.quirks = Quirks(ghosts: [system])
        plan.bootWords = bootWords
        plan.isSteady = true
        plan.most = Worlds.most + 1
        plan.configurations = placements.compactMap(\.configuration)
        // A configuration might have changed since, but a kind's bounds don't depend on it.
        plan.naming = Naming(family: placements.contains { $0.configuration != nil } ? 100 : 50)
        plan.mostGhosts = isFresh ? Worlds.most : 0
        if !tellsAll {
            plan.quietActs = [(.place, 2), (.remove, 2), (.configure, 4), (.restart, bootWords == nil ? 1 : 0)]
            plan.mostQuietActs = 2
        }
        return plan
    }

    /// Phantoms come and go without the app knowing.
    fileprivate static func fewInstances(tellsAll: Bool) -> RandomPhone.Plan {
        var plan = RandomPhone.Plan(
            system: OperatingSystem(platform: .android, major: 14, minor: 0),
            gallery: [.widget: [Placement(kind: "Weather")]], launched: .day(0), begins: .day(1),
            pace: .steady(.hours(1)), acts: [(.tap, 4), (.place, 4), (.remove, 4), (.open, 4)])
        plan.instances = Array(InstanceWorlds.instances)
        plan.isSteady = true
        plan.naming = Naming(instance: 50)
        plan.quietActs = [(.cancel, 1), (.forgetPhantom, 1)] + (tellsAll ? [] : [(.place, 1), (.remove, 1)])
        plan.mostQuietActs = 2
        return plan
    }
}

extension Device {
    /// The observations, in short.
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
            case .readFailed, .restored, .appOpened: return names + observation.event.type.rawValue
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
