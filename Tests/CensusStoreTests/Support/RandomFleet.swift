import CensusCore
import Fleet
import PostgresTesting

/// Phones with random histories that follow no rule.
struct RandomFleet: Sendable {
    private(set) var phones: [Phone] = []

    /// - Parameters:
    ///   - platforms: if there are several, each phone has one of them, and all surfaces are used.
    ///   - reinstalls: if false, no event changes the past.
    init(_ seed: UInt64, phones count: Int, days: Int = 75, platforms: [Platform] = [.ios], reinstalls: Bool = true) {
        var random = Seeded(seed)
        var style = Dice.Style()
        style.providers = ["weather": ["1", "2", "3", "4"], "search": ["5", "6", "7"]]
        style.collides = true
        style.corrected = .zero
        style.osBuilds = [nil]
        style.appVersions = ["1.0", "2.0"]
        style.updates = platforms.count > 1 ? 8 : 0
        style.policies = 0
        style.surfaces =
            platforms.count > 1
            ? [.widget, .widget, .widget, .widget, .widget, .control, .today, .liveActivity]
            : Array(repeating: .widget, count: 9) + [.control]
        if !reinstalls { (style.reinstallations, style.clones) = (0, 0) }
        for number in 0..<count {
            style.hasSizes = random.chance(50)
            var now = Timestamp.day(random.below(20), hour: Int64(random.below(24)))
            var dice = Dice(
                "phone \(number)",
                Observation.Circumstances(
                    platform: random.pick(platforms), osVersion: random.pick(["14.3", "17.2", nil]), appVersion: "1.0",
                    bootedAt: random.chance(20) ? nil : .day(-10), firstLaunchedAt: random.chance(10) ? nil : .day(0)),
                style)
            while now < .day(days) {
                dice.speak(at: now, using: &random)
                switch random.below(12) {
                case 0: break
                case 1: now = now + .seconds(Int64(random.below(120)))
                case 2: now = now + .days(Int64(random.below(50)))
                // Midnight to the microsecond.
                case 3: now = .day(random.below(3) + 1 + Int((now - .day(0, hour: 0)) / .days(1)), hour: 0)
                default: now = now + .minutes(Int64(random.below(8_000)))
                }
            }
            phones.append(dice.life)
        }
    }
}
