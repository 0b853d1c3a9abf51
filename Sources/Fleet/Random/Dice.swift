package import CensusCore
package import SeededRandom

/// A phone with a random history that follows no rules: reports, failed reads, events, reinstallations, restarts, updates,
/// silences and clones, in any order. On Android, instances are restored under other names; on WidgetKit, tokens rotate.
///
/// It has no truth. Its observations must be counted alike in whatever order and groups they arrive.
package struct Dice: Sendable {
    package var life: Life

    /// The possible outcomes. All elements of a list are equally likely, so one that is listed twice is twice as likely.
    /// Numbers are percentages at each event.
    package struct Style: Sendable {
        package var surfaces: [Surface] = [
            .widget, .widget, .widget, .widget, .widget, .widget, .control, .today, .today, .liveActivity,
        ]
        /// On WidgetKit.
        package var placements: [Placement] = [
            Placement(kind: "weather", family: "systemSmall"), weather("Prague"), weather("Brno"),
            Placement(kind: "weather"),
            Placement(kind: "search", family: "systemMedium"), Placement(kind: "search", family: "systemLarge"),
            Placement(kind: "caf\u{E9}"), Placement(kind: "cafe\u{301}"),
        ]
        /// Android's kinds with their instances. An appWidgetId always belongs to one provider.
        package var providers = ["Weather": ["1", "2", "3", "4"], "Search": ["5", "6", "7"]]
        /// Whether Android's instances have sizes. If so, restores only swap instances or give new ones.
        package var hasSizes = false
        /// Whether several instances can be restored as one, or as one that exists in another size.
        package var collides = false
        package var events: [(Kind, weight: Int)] =
            [(.failure, 1)]
            + WidgetAct.allCases.filter { Dice.often.contains($0) }.map { (.act($0), 2) }
            + WidgetAct.allCases.filter { !Dice.often.contains($0) }.map { (.act($0), 1) }
            + [(.restored, 1), (.report, 10)]
        /// The counts of one placement in a list.
        package var counts = [1, 2, 3]
        package var osBuilds: [String?] = [nil, "beta", "release"]
        package var appVersions = ["1.0", "2.0", "3.0"]
        package var reinstallations = 8
        package var restarts = 14
        package var updates = 10
        package var policies = 10
        package var testBuilds = 4
        /// The first installation sends an event again.
        package var clones = 4
        /// By how much the server shifted the times of its batches.
        package var corrected = Duration.seconds(3)

        package init() {}

        package static func weather(_ city: String) -> Placement {
            Placement(kind: "weather", family: "systemSmall", intent: "CityIntent", configuration: city)
        }
    }

    private static let often: Set<WidgetAct> = [.installed, .removed, .opened]

    package enum Kind: Sendable {
        case failure, restored, report
        case act(WidgetAct)
    }

    private let style: Style
    private var installations: UInt64 = 1

    package init(_ id: String, _ circumstances: Observation.Circumstances, _ style: Style) {
        life = Life(id, circumstances)
        self.style = style
    }

    /// Sends something, at a time that is not before the last.
    package mutating func speak(at now: Timestamp, using random: inout Seeded) {
        if random.chance(style.reinstallations) {
            installations += 1
            life.circumstances.firstLaunchedAt = random.pick([
                now, now - .hours(5), now - .days(3), now + .hours(1), nil,
            ])
            life.circumstances.rebooted = random.pick([life.circumstances.rebooted, false, nil])
        }
        if random.chance(style.restarts) {
            life.circumstances.bootedAt = random.pick([
                now - .minutes(1), now + .hours(1), now, now - .minutes(20), nil,
            ])
            life.circumstances.rebooted = random.pick([life.circumstances.rebooted, true, false, nil])
        }
        if random.chance(style.updates) {
            life.circumstances.appVersion = random.pick(style.appVersions)
            life.circumstances.osBuild = random.pick(style.osBuilds)
        }
        if random.chance(style.policies) { life.circumstances.galleryPolicy = random.pick([nil, 3, 4]) }
        life.circumstances.channel =
            random.chance(style.testBuilds) ? "testflight" : Observation.Circumstances.countedChannel
        let surface = random.pick(style.surfaces)
        let id = "\(random.below(5))-\(life.observations.count)"
        life.installation = random.chance(style.clones) ? 1 : installations
        life.happens(event(on: surface, using: &random), now, id: id, on: surface, corrected: style.corrected)
        life.installation = installations
    }

    private var isAndroid: Bool { life.circumstances.platform == .android }

    private func event(on surface: Surface, using random: inout Seeded) -> Event {
        let placement = placement(on: surface, using: &random)
        switch random.pick(weighted: style.events) ?? .report {
        // Neither says anything about widgets. Without a die, so that histories stay as they were.
        case .failure:
            return life.observations.count.isMultiple(of: 2)
                ? .appOpened : .readFailed(domain: "CHSErrorDomain", code: 1101)
        case .act(let act): return .happened(act, to: placement)
        case .restored: return isAndroid || random.chance(20) ? .restored(names(&random)) : .opened(placement)
        case .report: return .reported(list(on: surface, using: &random))
        }
    }

    private func list(on surface: Surface, using random: inout Seeded) -> [Placement: Int] {
        var claimed: [Placement: Int] = [:]
        for _ in 0..<random.below(4) {
            let placement = placement(on: surface, using: &random)
            // The OS lists an instance once.
            let isListed = claimed.keys.contains { $0.instance != nil && $0.instance == placement.instance }
            if isAndroid, isListed { continue }
            let count = isAndroid && placement.instance != nil ? 1 : random.pick(style.counts)
            // The contract's limit of `count`.
            claimed[placement] = min(1_000, claimed[placement, default: 0] + count)
        }
        return claimed
    }

    private func placement(on surface: Surface, using random: inout Seeded) -> Placement {
        if isAndroid {
            let kind = random.pick(style.providers.keys.sorted())
            let family = random.pick([nil, nil, nil, "small", "large"])
            return Placement(
                kind: kind, family: style.hasSizes ? family : nil,
                instance: random.chance(25) ? nil : random.pick(style.providers[kind] ?? []))
        }
        var placement = random.pick(style.placements)
        if surface == .control { placement.instance = random.pick(["token a", "token b", nil]) }
        return placement
    }

    /// Makes swaps, chains, instances that exist already, and collisions.
    private func names(_ random: inout Seeded) -> [Text: String] {
        let instances = style.providers[random.pick(style.providers.keys.sorted())] ?? []
        let old = Array(instances.shuffled(using: &random).prefix(random.below(instances.count) + 1))
        if style.collides {
            return Dictionary(uniqueKeysWithValues: old.map { (Text($0), random.pick(instances)) })
        }
        var new = (style.hasSizes ? old : instances).shuffled(using: &random)
        // A chain ends with a new instance.
        if random.chance(40) { new[0] = "\(old[0]) of \(random.below(1_000_000))" }
        return Dictionary(uniqueKeysWithValues: zip(old.map { Text($0) }, new))
    }
}
