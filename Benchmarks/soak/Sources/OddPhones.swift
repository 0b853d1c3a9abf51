import CensusCore
import Fleet
import SeededRandom

// Phones that follow no rules. Their reports must be counted alike in any order of arrival, and must stop nothing.

extension SoakCast {
    private static let oddKinds = [
        "weather", "search", "weather ", "Weather", "wetter ☂", "'; drop table census.span; --", "a\tb\\n", "e\u{301}",
        "\u{E9}",
    ]

    /// Any event of any type, surface and platform, from installations that reappear, at times that repeat.
    func dice(_ name: String, using random: inout Seeded) -> SoakLife {
        var style = Dice.Style()
        func some(_ choices: [String]) -> String? { random.chance(45) ? random.pick(choices) : nil }
        style.placements = (0..<60).map { _ in
            Placement(
                kind: random.pick(SoakCast.oddKinds), family: some(["systemSmall", "systemMedium"]),
                intent: some(["CityIntent", "MapIntent"]), configuration: some(["aa", "bb"]),
                instance: some((1...9).map { "\($0)" }))
        }
        style.providers = ["weather": (1...5).map { "\($0)" }, "wetter ☂": (6...9).map { "\($0)" }]
        (style.hasSizes, style.collides) = (random.chance(50), random.chance(50))
        style.counts = [1, 1, 1, 2, 3, 1_000]
        style.events = [(.failure, 1), (.restored, 4), (.report, 9)] + WidgetAct.allCases.map { (.act($0), 2) }
        style.osBuilds = [nil]
        style.reinstallations = 5
        style.restarts = 5
        style.corrected = .zero
        var now = story.lowerBound + .milliseconds(Int64(random.fraction() * 20 * 86_400_000))
        var dice = Dice(
            name,
            Observation.Circumstances(
                platform: random.pick([.ios, .android, .android, .ios, .watchos]), appVersion: "1.0",
                firstLaunchedAt: random.chance(80) ? now : nil), style)
        let pace = RandomPhone.Pace.people(silences: random.chance(30) ? 0.05 : 0.005)
        while now < story.upperBound {
            if random.chance(2) { dice.life.circumstances.platform = random.pick([.ios, .android]) }
            dice.life.circumstances.osVersion = random.pick(["14.3", "17.2", "17.2.1", "16"])
            dice.speak(at: now, using: &random)
            if random.chance(5) { dice.life.boots.append(now + .seconds(random.pick([-200, 0, 200]))) }
            now =
                random.chance(10)
                ? now - random.pick([.milliseconds(100), .seconds(30)]) : pace.next(after: now, using: &random)
        }
        var life = SoakLife(dice.life, skew: .zero)
        life.tellsBootTime = random.chance(70)
        return life
    }

    /// Strings of maximum length that do not compress.
    func giant(_ name: String, using random: inout Seeded) -> SoakLife {
        func long() -> String {
            var text = ""
            while text.count < 200 {
                let scalar = UInt32(random.chance(50) ? 0x4E00 + random.below(0x51FF) : 0x21 + random.below(0x5D))
                let next = Unicode.Scalar(scalar).map { String($0) } ?? ""
                if text.utf8.count + next.utf8.count > 500 { break }
                text += next
            }
            return text
        }
        let (kinds, families) = ([long(), long()], [long(), long()])
        var now = story.lowerBound + .milliseconds(Int64(random.fraction() * 30 * 86_400_000))
        var life = Life(
            name,
            Observation.Circumstances(
                platform: .ios, osVersion: long(), appVersion: long(), firstLaunchedAt: story.lowerBound))
        while now < story.upperBound {
            life.circumstances.osBuild = long()
            let widgets = kinds.flatMap { kind in families.map { (kind, $0) } }.filter { _ in random.chance(70) }
                .map { (Placement(kind: $0, family: $1, intent: long(), configuration: long()), 1) }
            life.reports(Dictionary(widgets, uniquingKeysWith: +), now)
            now = now + .hours(Int64(24 + random.below(120)))
        }
        var said = SoakLife(life, skew: .zero)
        said.source = long()
        return said
    }

    /// Phones with many widgets that send rarely and much.
    func hoarder(_ name: String, using random: inout Seeded) -> SoakLife {
        var life = Life(
            name, Observation.Circumstances(platform: .ipados, osVersion: "18.1", appVersion: "1.0"), bootWords: nil)
        var shelf: [Placement] = []
        var now = story.lowerBound + .milliseconds(Int64(random.fraction() * 20 * 86_400_000))
        while now < story.upperBound, life.observations.count < 700 {
            for _ in 0..<random.pick([0, 3, 40]) {
                shelf.append(
                    Placement(
                        kind: "shelf \(random.below(40))", family: random.pick(["systemSmall", "systemLarge"]),
                        configuration: String(random.next() >> 40, radix: 16)))
            }
            while shelf.count > 900 { shelf.remove(at: random.below(shelf.count)) }
            life.reports(shelf.reduce(into: [:]) { $0[$1, default: 0] += 1 }, now)
            for _ in 0..<random.pick([0, 40]) {
                now = now + .milliseconds(100)
                life.opens(Placement(kind: "shelf \(random.below(40))"), now)
            }
            now = now + .hours(Int64(random.below(38) + 1))
        }
        var said = SoakLife(life, skew: .zero)
        said.hoards = true
        return said
    }
}
