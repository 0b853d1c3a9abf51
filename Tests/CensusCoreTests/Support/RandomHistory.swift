import SeededRandom
@testable import CensusCore

/// A random history of one device: reports, failed reads, events, signs of life, reinstallations, reboots, updates,
/// silences and clones; on Android instances that are restored under other names, on WidgetKit tokens that rotate.
struct RandomHistory {
    var observations: [Observation] = []
    let window: ActivityWindow
    let doubtedBuilds: Set<String>

    static let placements: [Placement] = [
        .weather, .weather("Prague"), .weather("Brno"), Placement(kind: "weather"), .search,
        Placement(kind: "search", family: "systemLarge"), Placement(kind: "caf\u{E9}"), Placement(kind: "cafe\u{301}"),
    ]
    /// An appWidgetId belongs to one provider as long as it lives.
    private static let providers = ["Weather": ["1", "2", "3", "4"], "Search": ["5", "6", "7"]]
    private static let kinds = providers.keys.sorted()

    private static let zones = ["UTC", "Europe/Prague", "America/Sao_Paulo", "Pacific/Apia"]
        .compactMap(ReportingZone.init(identifier:))

    var fold: DeviceFold { DeviceFold(window: window, doubtedBuilds: doubtedBuilds) }
    var isAndroid: Bool { observations.contains { $0.circumstances.platform == .android } }

    /// - Parameter collides: whether instances may be restored to one name, or to one that is held in another size.
    init(_ seed: UInt64, collides: Bool = false) {
        var random = Seeded(seed)
        let style = Style(hasSizes: collides || seed.isMultiple(of: 2), collides: collides)
        window = ActivityWindow(days: random.pick([1, 7, 28]), zone: random.pick(RandomHistory.zones))
        doubtedBuilds = random.chance(25) ? ["beta"] : []
        var now = Timestamp.day(0, hour: 10)
        var circumstances = Observation.Circumstances(
            platform: random.pick([.ios, .ios, .ios, .ipados, .android, .android]),
            osVersion: random.pick(["14.3", nil]), osBuild: random.pick([nil, "beta", "release"]), appVersion: "1.0",
            bootedAt: random.pick([.day(-10), nil]), rebooted: random.pick([nil, nil, false, true]),
            // The day before, an hour, minutes or exactly ten of them before the first observation.
            firstLaunchedAt: random.pick([.day(-1), .day(0), now - .minutes(3), now - .minutes(10), nil]))
        var installations = 1
        for number in 0..<(random.below(18) + 2) {
            // Often at the same instant, within the minute of an echo, at a window's very end, or past it.
            switch random.below(10) {
            case 0, 1: break
            case 2: now = now + .seconds(Int64(random.below(120)))
            case 3: now = now + .days(Int64(random.below(60)))
            case 4: now = Timestamp(seconds: (now + .days(1)).microseconds / 86_400_000_000 * 86_400)
            case 5: now = random.chance(30) ? window.end(lastHeard: now) : now + .minutes(7)
            default: now = now + .minutes(Int64(random.below(3_000)))
            }
            if random.chance(8) {
                installations += 1
                circumstances.firstLaunchedAt = random.pick([
                    now, now - .hours(5), now - .days(3), now + .hours(1), nil,
                ])
                circumstances.rebooted = random.pick([circumstances.rebooted, false, nil])
            }
            if random.chance(14) {
                circumstances.bootedAt = random.pick([now - .minutes(1), now + .hours(1), now, now - .minutes(20), nil])
                circumstances.rebooted = random.pick([circumstances.rebooted, true, false, nil])
            }
            if random.chance(10) {
                circumstances.appVersion = random.pick(["1.0", "2.0", "3.0"])
                circumstances.osBuild = random.pick([nil, "beta", "release"])
            }
            if random.chance(10) { circumstances.galleryPolicy = random.pick([nil, 3, 4]) }
            var said = circumstances
            said.channel = random.chance(4) ? "testflight" : "production"
            let surface: Surface = random.pick([
                .widget, .widget, .widget, .widget, .widget, .widget, .control, .today, .today, .liveActivity,
            ])
            observations.append(
                Observation(
                    id: "\(random.below(5))-\(number)", occurredAt: now - .seconds(3), at: now,
                    installation: Pseudonym(high: 7, low: UInt64(random.chance(4) ? 1 : installations)),
                    surface: surface, circumstances: said,
                    event: RandomHistory.event(&random, on: surface, platform: circumstances.platform, style)))
        }
    }

    /// What Android's instances go through: where they have sizes, names only change places or are new ones.
    private struct Style {
        var hasSizes: Bool
        var collides: Bool
    }

    private static func event(_ random: inout Seeded, on surface: Surface, platform: Platform, _ style: Style) -> Event
    {
        let placement = placement(&random, on: surface, platform: platform, style)
        switch random.below(20) {
        case 0: return .readFailed(domain: "CHSErrorDomain", code: 1101)
        case 1, 2: return .installed(placement)
        case 3, 4: return .removed(placement)
        case 5, 6: return .opened(placement)
        case 7: return .configured(placement)
        case 8: return .rendered(placement)
        case 9: return platform == .android || random.chance(20) ? .restored(names(&random, style)) : .opened(placement)
        default:
            var claimed: [Placement: Int] = [:]
            for _ in 0..<random.below(4) {
                let placement = self.placement(&random, on: surface, platform: platform, style)
                // The OS lists an instance once.
                let isListed = claimed.keys.contains { $0.instance != nil && $0.instance == placement.instance }
                if platform == .android, isListed { continue }
                claimed[placement, default: 0] +=
                    platform == .android && placement.instance != nil
                    ? 1 : random.below(3) + 1
            }
            return .reported(claimed)
        }
    }

    private static func placement(
        _ random: inout Seeded, on surface: Surface, platform: Platform, _ style: Style
    ) -> Placement {
        if platform == .android {
            let kind = random.pick(kinds)
            let family = random.pick([nil, nil, nil, "small", "large"])
            return Placement(
                kind: kind, family: style.hasSizes ? family : nil,
                instance: random.chance(25) ? nil : random.pick(providers[kind] ?? []))
        }
        var placement = random.pick(placements)
        if surface == .control { placement.instance = random.pick(["token a", "token b", nil]) }
        return placement
    }

    /// Swaps, chains, names that are held already, and collisions.
    private static func names(_ random: inout Seeded, _ style: Style) -> [Text: String] {
        let instances = providers[random.pick(kinds)] ?? []
        let old = Array(instances.shuffled(using: &random).prefix(random.below(instances.count) + 1))
        if style.collides {
            return Dictionary(uniqueKeysWithValues: old.map { (Text($0), random.pick(instances)) })
        }
        var new = (style.hasSizes ? old : instances).shuffled(using: &random)
        // A chain ends in a name that was never held.
        if random.chance(40) { new[0] = "\(old[0]) of \(random.below(1_000_000))" }
        return Dictionary(uniqueKeysWithValues: zip(old.map { Text($0) }, new))
    }

    /// Instances that some moment of the history holds under two placements.
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

    /// In fold order, those of one instant together: their order is unknown.
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
