import Fleet
import SeededRandom

@testable import CensusCore

/// What one erratic phone sends, and how it is folded.
struct RandomHistory {
    var observations: [Observation]
    let window: ActivityWindow
    let doubtedBuilds: Set<String>

    private static let zones = ["UTC", "Europe/Prague", "America/Sao_Paulo", "Pacific/Apia"]
        .compactMap(ReportingZone.init(identifier:))

    var fold: DeviceFold { DeviceFold(window: window, doubtedBuilds: doubtedBuilds) }
    var isAndroid: Bool { observations.contains { $0.circumstances.platform == .android } }

    /// - Parameter collides: whether instances can be restored to one name, or to a name that is held in another size.
    init(_ seed: UInt64, collides: Bool = false) {
        var random = Seeded(seed)
        var style = Dice.Style()
        (style.hasSizes, style.collides) = (collides || seed.isMultiple(of: 2), collides)
        window = ActivityWindow(days: random.pick([1, 7, 28]), zone: random.pick(RandomHistory.zones))
        doubtedBuilds = random.chance(25) ? ["beta"] : []
        var now = Timestamp.day(0, hour: 10)
        let circumstances = Observation.Circumstances(
            platform: random.pick([.ios, .ios, .ios, .ipados, .android, .android]),
            osVersion: random.pick(["14.3", nil]), osBuild: random.pick([nil, "beta", "release"]), appVersion: "1.0",
            bootedAt: random.pick([.day(-10), nil]), rebooted: random.pick([nil, nil, false, true]),
            // The day before, an hour, three minutes or exactly ten minutes before the first observation.
            firstLaunchedAt: random.pick([.day(-1), .day(0), now - .minutes(3), now - .minutes(10), nil]))
        var dice = Dice("phone", circumstances, style)
        for _ in 0..<(random.below(18) + 2) {
            // Often at the same instant, within an echo's minute, exactly at the end of a window, or past it.
            switch random.below(10) {
            case 0, 1: break
            case 2: now = now + .seconds(Int64(random.below(120)))
            case 3: now = now + .days(Int64(random.below(60)))
            case 4: now = Timestamp(seconds: (now + .days(1)).microseconds / 86_400_000_000 * 86_400)
            case 5: now = random.chance(30) ? window.end(lastHeard: now) : now + .minutes(7)
            default: now = now + .minutes(Int64(random.below(3_000)))
            }
            dice.speak(at: now, using: &random)
        }
        observations = dice.life.observations
    }

    /// Instances that are held under two placements at some moment of the history.
    var instancesHeldTwice: [String] {
        var state = DeviceState()
        var doubles: [String] = []
        for instant in instants {
            state = fold(instant, onto: state)
            // The Today surface has no list, and so no instances.
            for (surface, state) in state.surfaces where surface != .today {
                let held = state.holdings.filter { $0.value.possible > 0 }
                let instances = held.compactMap { $0.key.instance }
                if Set(instances).count < instances.count { doubles += instances }
                doubles += held.compactMap { $0.value.possible > 1 ? $0.key.instance : nil }
            }
        }
        return doubles
    }

    /// In fold order, grouped by instant, because the order within an instant is unknown.
    var instants: [[Observation]] { observations.sorted().byInstant }

    func fold(_ some: some Sequence<Observation>, onto state: DeviceState = DeviceState()) -> DeviceState {
        fold.fold(some, onto: state)
    }
}

extension [Observation] {
    var byInstant: [[Observation]] {
        reduce(into: []) { instants, observation in
            if instants.last?.last?.at == observation.at {
                instants[instants.count - 1].append(observation)
            } else {
                instants.append([observation])
            }
        }
    }
}
