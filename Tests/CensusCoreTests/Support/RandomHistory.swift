@testable import CensusCore

/// A random history of one device: reports, failed reads, events, reinstallations, reboots, silences and clones.
struct RandomHistory {
    var observations: [Observation] = []
    let window: ActivityWindow

    static let placements: [Placement] = [
        .weather, .weather("Prague"), .weather("Brno"), Placement(kind: "weather"), .search,
        Placement(kind: "search", family: "systemLarge"), Placement(kind: "caf\u{E9}"), Placement(kind: "cafe\u{301}"),
    ]

    private static let zones = ["UTC", "Europe/Prague", "America/Sao_Paulo", "Pacific/Apia"]
        .compactMap(ReportingZone.init(identifier:))

    init(_ seed: UInt64) {
        var random = Seeded(seed)
        window = ActivityWindow(days: random.pick([1, 7, 28]), zone: random.pick(RandomHistory.zones))
        var circumstances = Observation.Circumstances(
            platform: random.pick([.ios, .ios, .ios, .ipados, .android]), osVersion: random.pick(["14.3", nil]),
            appVersion: "1.0", bootedAt: random.pick([.day(-10), nil]), firstLaunchedAt: random.pick([.day(0), nil]))
        var installations = 1
        var now = Timestamp.day(0, hour: 10)
        for number in 0..<(random.below(20) + 2) {
            // Often at the same instant, within the minute of an echo, or past the window.
            switch random.below(10) {
            case 0, 1: break
            case 2: now = now + .seconds(Int64(random.below(120)))
            case 3: now = now + .days(Int64(random.below(60)))
            case 4: now = Timestamp(seconds: (now + .days(1)).microseconds / 86_400_000_000 * 86_400)
            default: now = now + .minutes(Int64(random.below(3_000)))
            }
            if random.chance(8) {
                installations += 1
                circumstances.firstLaunchedAt = random.pick([
                    now, now - .hours(5), now - .days(3), now + .hours(1), nil,
                ])
            }
            if random.chance(12) {
                circumstances.bootedAt = random.pick([now - .minutes(1), now + .hours(1), now, nil])
            }
            var said = circumstances
            said.channel = random.chance(5) ? "testflight" : "production"
            observations.append(
                Observation(
                    id: "\(random.below(5))-\(number)", occurredAt: now - .seconds(3), at: now,
                    installation: Pseudonym(high: 7, low: UInt64(random.chance(4) ? 1 : installations)),
                    surface: random.chance(20) ? .control : .widget, circumstances: said,
                    event: RandomHistory.event(&random)))
        }
    }

    private static func event(_ random: inout Seeded) -> Event {
        let placement = random.pick(placements)
        switch random.below(14) {
        case 0: return .readFailed(domain: "CHSErrorDomain", code: 1101)
        case 1, 2: return .installed(placement)
        case 3, 4: return .removed(placement)
        case 5:
            return random.pick([
                .configured(placement), .opened(placement), .rendered(placement), .restored(["1": "2"]),
            ])
        default:
            let claims = (0..<random.below(4)).map { _ in (random.pick(placements), random.below(3) + 1) }
            return .reported(Dictionary(claims, uniquingKeysWith: { $0 + $1 }))
        }
    }

    func fold(_ some: some Sequence<Observation>, onto state: DeviceState = DeviceState()) -> DeviceState {
        DeviceFold(window: window).fold(some, onto: state)
    }
}
