import CensusCore
import PostgresTesting

/// Random phones: reports, failed reads, events, reinstallations, reboots, silences, clones and test builds; on Android
/// instances that are restored under other names.
struct RandomFleet: Sendable {
    private(set) var phones: [Phone] = []

    static let placements: [Placement] = [
        Placement(kind: "weather", family: "systemSmall"), Placement(kind: "weather"),
        Placement(kind: "weather", family: "systemSmall", intent: "CityIntent", configuration: "Prague"),
        Placement(kind: "weather", family: "systemMedium"), Placement(kind: "search", family: "systemMedium"),
        Placement(kind: "caf\u{E9}"), Placement(kind: "cafe\u{301}"),
    ]

    /// An appWidgetId belongs to one provider as long as it lives.
    private static let providers = ["weather": ["1", "2", "3", "4"], "search": ["5", "6", "7"]]

    /// - Parameters:
    ///   - platforms: several: each phone is of one, and all surfaces are used.
    ///   - reinstalls: false: nothing that is heard changes what was before it.
    init(_ seed: UInt64, phones count: Int, days: Int = 75, platforms: [Platform] = [.ios], reinstalls: Bool = true) {
        let isMixed = platforms.count > 1
        var random = Seeded(seed)
        for number in 0..<count {
            var phone = Phone("phone \(number)", osVersion: random.pick(["14.3", "17.2", nil]))
            if isMixed { phone.circumstances.platform = random.pick(platforms) }
            let isAndroid = phone.circumstances.platform == .android
            if random.chance(20) { phone.boots(nil) }
            if random.chance(10) { phone.circumstances.firstLaunchedAt = nil }
            var now = Timestamp.day(random.below(20), hour: Int64(random.below(24)))
            while now < .day(days) {
                let surface: Surface =
                    isMixed
                    ? random.pick([.widget, .widget, .widget, .widget, .widget, .control, .today, .liveActivity])
                    : random.chance(10) ? .control : .widget
                phone.happens(
                    isAndroid ? RandomFleet.androidEvent(&random) : RandomFleet.event(&random), now, on: surface)
                if isMixed, random.chance(8) { phone.circumstances.appVersion = random.pick(["1.0", "2.0"]) }
                switch random.below(12) {
                case 0: break
                case 1: now = now + .seconds(Int64(random.below(120)))
                case 2: now = now + .days(Int64(random.below(50)))
                // Midnight to the microsecond.
                case 3:
                    now = .day(random.below(3) + 1 + Int((now - .day(0, hour: 0)).components.seconds / 86_400), hour: 0)
                default: now = now + .minutes(Int64(random.below(8_000)))
                }
                phone.circumstances.channel = random.chance(4) ? "testflight" : "production"
                if reinstalls, random.chance(12) { phone.reinstalls(random.pick([now, now - .hours(5), nil])) }
                if random.chance(15) { phone.boots(now - .minutes(1)) }
                if reinstalls, random.chance(2) { phone.installation = "1" }
            }
            phones.append(phone)
        }
    }

    private static func event(_ random: inout Seeded) -> Event {
        let placement = random.pick(placements)
        switch random.below(12) {
        case 0: return .readFailed(domain: "CHSErrorDomain", code: 1101)
        case 1, 2: return .installed(placement)
        case 3: return .removed(placement)
        case 4: return random.pick([.configured(placement), .opened(placement), .rendered(placement)])
        default:
            let claims = (0..<random.below(4)).map { _ in (random.pick(placements), random.below(3) + 1) }
            return .reported(Dictionary(claims, uniquingKeysWith: +))
        }
    }

    private static func androidEvent(_ random: inout Seeded) -> Event {
        let kind = random.pick(["weather", "weather", "search"])
        let instances = providers[kind] ?? []
        let placement = Placement(
            kind: kind, family: random.pick([nil, nil, "small"]),
            instance: random.chance(10) ? nil : random.pick(instances))
        switch random.below(14) {
        case 0: return .readFailed(domain: "Binder", code: 1)
        case 1, 2: return .installed(placement)
        case 3, 4: return .removed(placement)
        case 5: return random.pick([.configured(placement), .opened(placement), .rendered(placement)])
        case 6, 7, 8:
            let old = Array(instances.shuffled(using: &random).prefix(random.below(3) + 1))
            return .restored(Dictionary(uniqueKeysWithValues: old.map { (Text($0), random.pick(instances + ["9"])) }))
        default:
            let listed = instances.filter { _ in random.chance(50) }
            return .reported(
                Dictionary(
                    uniqueKeysWithValues: listed.map {
                        (Placement(kind: kind, family: placement.family, instance: $0), 1)
                    }
                ))
        }
    }
}
