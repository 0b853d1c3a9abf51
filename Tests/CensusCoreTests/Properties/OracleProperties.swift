import Testing

@testable import CensusCore

/// The bounds contain every world that the evidence allows. A failure names its seed.
@Suite struct `Oracle` {
    static let chunks = stride(from: UInt64(0), to: 1_600, by: 100).map { $0..<($0 + 100) }

    @Test(arguments: chunks) func `after every report the bounds contain every possible world`(seeds: Range<UInt64>) {
        for seed in seeds {
            var random = Seeded(seed)
            var device = Device()
            let isFresh = random.chance(30)
            let bootsUnseen = random.chance(25)
            if bootsUnseen { device.boots(nil) }
            var worlds = Worlds(mayHaveGhosts: isFresh)
            worlds.bootsUnseen = bootsUnseen
            guard var truth = worlds.possible.sorted(by: Oracle.precedes).randomElement(using: &random) else {
                continue
            }
            var now = isFresh ? Timestamp.day(0, minute: 5) : .day(1)
            worlds.pass()
            for _ in 0..<random.below(3) { truth = random.pick([truth] + worlds.moves(truth)) }
            if isFresh { tell(&device, &worlds, &truth, at: now, &random) } else { device.failsToRead(now) }
            for _ in 0..<(random.below(6) + 2) {
                now = now + .hours(1)
                worlds.pass()
                for _ in 0..<random.below(3) { truth = random.pick([truth] + worlds.moves(truth)) }
                switch random.below(10) {
                case 0 where !bootsUnseen:
                    truth.ghosts = [0, 0]
                    worlds.boot()
                    device.boots(now)
                    now = now + .minutes(10)
                case 1, 2:
                    device.reinstalls(now)
                    now = now + .minutes(20)
                    worlds.reinstall()
                    guard let next = Worlds.afterReinstallation(truth).randomElement(using: &random) else { continue }
                    truth = next
                    device.failsToRead(now)
                case 3, 4:
                    let index = random.below(2)
                    guard truth.real[index] > 0 else { continue }
                    worlds.open(index)
                    device.opens(Worlds.placements[index], now)
                case 5: device.failsToRead(now)
                case 6, 7:
                    let index = random.below(2)
                    guard let next = worlds.changed(truth, index) else { continue }
                    worlds.change(index, isAdded: truth.isGrowing)
                    if truth.isGrowing {
                        device.adds(Worlds.placements[index], now)
                    } else {
                        device.removes(Worlds.placements[index], now)
                    }
                    truth = next
                default:
                    tell(&device, &worlds, &truth, at: now, &random)
                    let held = (device.state.surfaces[.widget]?.holdings ?? [:]).values
                    let certain = held.reduce(0) { $0 + $1.certain }
                    let possible = held.reduce(0) { $0 + $1.possible }
                    let isSound = certain <= worlds.least && possible >= worlds.most
                    #expect(
                        isSound && !worlds.possible.isEmpty,
                        "seed \(seed): \(certain)...\(possible) but \(worlds.least)...\(worlds.most) \(device.told)")
                }
            }
        }
    }

    private func tell(
        _ device: inout Device, _ worlds: inout Worlds, _ truth: inout Worlds.World, at now: Timestamp,
        _ random: inout Seeded
    ) {
        device.reports(truth.list, now)
        worlds.report(truth.list)
        truth.isGrowing = random.chance(50)
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
            let booted = observation.circumstances.bootedAt.map(\.story) ?? "?"
            let names = "\(observation.installation.low) \(observation.at.story) booted \(booted) "
            switch observation.event {
            case .reported(let claimed):
                let list = claimed.map { "\($0.key.configuration ?? "")\($0.value)" }.sorted()
                return names + list.joined(separator: " ")
            case .opened(let placement): return names + "opens \(placement.configuration ?? "")"
            default: return names + observation.event.type.rawValue
            }
        }
    }
}
