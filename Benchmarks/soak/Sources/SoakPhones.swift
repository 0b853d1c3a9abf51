import CensusCore
import Fleet
import Foundation
import SeededRandom

/// `soak-phones SEED START END PHONES [WITHOUT]`: prints the lives of the soak's phones, one a line, as JSON.
///
/// START and END are seconds since 1970; WITHOUT lists kinds to leave out, separated by commas (`Benchmarks/soak/run --help`).
@main
struct SoakPhones {
    static func main() {
        let words = CommandLine.arguments.dropFirst().map { $0 }
        guard (4...5).contains(words.count), let start = Int64(words[1]), let end = Int64(words[2]),
            let phones = Int(words[3]), start < end
        else {
            FileHandle.standardError.write(Data("usage: soak-phones SEED START END PHONES [WITHOUT]\n".utf8))
            exit(2)
        }
        let story = Timestamp(seconds: start)..<Timestamp(seconds: end)
        let without = Set((words.count > 4 ? words[4] : "").split(separator: ",").map(String.init))
        let cast = SoakCast(seed: words[0], story: story, without: without)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for number in 0..<phones {
            for life in cast.lives(ofPhone: number) {
                guard let line = try? encoder.encode(life) else { exit(1) }
                FileHandle.standardOutput.write(line + Data("\n".utf8))
            }
        }
    }
}

/// The kinds of phones.
struct SoakCast {
    let seed: String
    let story: Range<Timestamp>
    let without: Set<String>

    enum Kind: String, CaseIterable {
        case apple, android, dice, clones, liars, giants, hoarders

        var weight: Int {
            switch self {
            case .apple: 20
            case .android: 12
            case .dice: 8
            case .clones, .liars: 2
            case .giants, .hoarders: 1
            }
        }
    }

    func lives(ofPhone number: Int) -> [SoakLife] {
        var random = Seeded(0).derived(for: "\(seed) phone \(number)")
        let kinds = Kind.allCases.filter { !without.contains($0.rawValue) }
        // The first phones are one of each kind.
        guard let kind = number < kinds.count ? kinds[number] : random.pick(weighted: kinds.map { ($0, $0.weight) })
        else { return [] }
        let name = "\(seed)-\(kind.rawValue)-\(number)"
        var lives: [SoakLife]
        switch kind {
        case .apple:
            // Only one of the apps is set up to disbelieve lists of betas.
            let isForgetting = random.chance(33)
            lives = apple(name, hasBetas: !isForgetting && !without.contains("betas"), using: &random)
            for index in lives.indices { lives[index].isForgetting = isForgetting }
        case .android:
            let isForgetting = random.chance(33)
            lives = android(name, using: &random)
            for index in lives.indices { lives[index].isForgetting = isForgetting }
        case .dice: lives = [dice(name, using: &random)]
        case .clones:
            // A backup with the ids on two phones, so both go on as one device.
            lives = ["a", "b"].map { mark in
                var life = apple(name, hasBetas: false, using: &random)[0]
                life.idSuffix = mark
                return life
            }
        case .liars: lives = apple(name, hasBetas: false, using: &random).map(\.lying)
        case .giants: lives = [giant(name, using: &random)]
        case .hoarders: lives = [hoarder(name, using: &random)]
        }
        for index in lives.indices {
            lives[index].end = story.upperBound
            if kind != .apple, kind != .android { lives[index].isJudged = false }
        }
        lives = lives.filter { !$0.told.isEmpty }
        lives.indices.last.map { lives[$0].isLast = true }
        return lives
    }

    private func begin(using random: inout Seeded) -> Timestamp {
        story.lowerBound + .milliseconds(Int64(random.fraction() * 12 * 86_400_000))
    }

    private func pace(using random: inout Seeded) -> RandomPhone.Pace {
        .people(silences: random.chance(25) && !without.contains("silence") ? 0.05 : 0.005)
    }

    // Phones with a truth.

    private static let kinds = ["calendar", "radar", "search", "stocks", "weather"]
    private static let families = ["systemSmall", "systemMedium", "systemLarge", "accessoryCircular"]
    private static let versions = [(14, 3), (15, 7), (16, 7), (17, 7), (18, 5), (26, 0)]
    private static let haunted = [(14, 3), (16, 7), (17, 7)]
    /// A beta of iOS 14.0 that went on listing removed widgets.
    private static let beta = "18A5301v"

    /// iPhones and their like: WidgetKit's lists, ghosts after a reinstall, apps that send their own differences of lists.
    private func apple(_ name: String, hasBetas: Bool, using random: inout Seeded) -> [SoakLife] {
        let platform = random.pick(Array(repeating: Platform.ios, count: 6) + [.ipados, .watchos, .visionos, .macos])
        func system(_ version: (Int, Int)) -> OperatingSystem {
            OperatingSystem(platform: platform, major: version.0, minor: version.1)
        }
        let isBeta = hasBetas && random.chance(6)
        let version = isBeta ? (14, 0) : random.pick(SoakCast.versions)
        var widgets = SoakCast.kinds.flatMap { kind in
            SoakCast.families.map { Placement(kind: kind, family: $0) }
        }
        widgets = widgets.flatMap { widget in
            guard widget.kind == "weather" else { return [widget] }
            return ["aa", "bb", nil].map { configuration in
                var configured = widget
                (configured.intent, configured.configuration) = ("CityIntent", configuration)
                return configured
            }
        }
        let begins = begin(using: &random)
        let skew: Duration =
            without.contains("skews")
            ? .zero : random.pick(Array(repeating: .zero, count: 8) + [.hours(2), .zero - .days(1)])
        var plan = RandomPhone.Plan(
            system: system(version), gallery: [.widget: widgets], launched: begins, begins: begins,
            pace: pace(using: &random),
            acts: [
                (.place, 80), (.remove, 50), (.configure, 30), (.open, 240), (.render, 30), (.restart, 40),
                (.updateApp, 20), (.reinstall, 30), (.changePhone, 6), (.updateSystem, 10),
            ])
        plan.build = isBeta ? SoakCast.beta : nil
        plan.quirks = Quirks(
            ghosts: Set(SoakCast.haunted.map(system)), foldedDuplicates: [], listedRemovals: [SoakCast.beta])
        plan.bootedAt = begins - .hours(Int64(random.below(19 * 24) + 24))
        plan.configurations = ["aa", "bb", "cc"]
        if version.0 >= 18, !without.contains("controls") {
            plan.gallery[.control] = SoakCast.kinds.map { Placement(kind: $0) }
        }
        if !without.contains("today"), random.chance(15) {
            plan.todayKinds = ["today.agenda", "today.tides"]
            plan.acts.append((.useToday, 30))
        }
        plan.most = 7
        plan.copies = [1, 1, 1, 2]
        plan.sparesNews = true
        plan.hears = 0
        plan.failures = 8
        plan.dropped = 15
        plan.bootWords = random.pick([nil, .time, .flag, .both])
        plan.saysFirstLaunch = random.chance(85)
        // If the clock is wrong every batch is shifted by a little more or less, so change nothing within seconds.
        if skew == .zero, !without.contains("taps") {
            plan.acts.append((.tap, 100))
            (plan.opensByTaps, plan.tapsOfNew) = (60, 20)
        }
        if skew == .zero, !without.contains("differences") {
            plan.differences = random.pick(Differences.allCases)
            // If one of two equal widgets is removed, the report still lists the kind, and the removal counts as news (R3).
            if plan.differences != .none { plan.copies = [1] }
            plan.takesFirstListForNew = random.chance(50)
        }
        if !without.contains("names") {
            plan.naming = random.pick([
                .full, Naming(configuration: 0), Naming(family: 0, configuration: 0),
            ])
        }
        plan.reinstallation.away = .minutes(1)...random.pick([.minutes(5), .days(3)])
        plan.reinstallation.restarts = 15
        plan.reinstallation.opens = 70
        plan.reinstallation.opensAfter = .seconds(2)...(.minutes(5))
        plan.reinstallation.failures = 8
        plan.reinstallation.ghosts = 100
        return lives(name, plan, skew, &random)
    }

    /// Android phones: instances, phantoms that are not on a screen, restores that rename.
    private func android(_ name: String, using random: inout Seeded) -> [SoakLife] {
        let family = random.chance(30) ? "4x2" : nil
        let widgets = ["com.example.ForecastWidget", "com.example.ClockWidget", "com.example.ListWidget"]
            .map { Placement(kind: $0, family: family) }
        let begins = begin(using: &random)
        let skew: Duration =
            without.contains("skews") ? .zero : random.pick(Array(repeating: .zero, count: 8) + [.zero - .hours(2)])
        var plan = RandomPhone.Plan(
            system: OperatingSystem(platform: .android, major: random.pick([12, 13, 14, 16]), minor: 0),
            gallery: [.widget: widgets], launched: begins, begins: begins, pace: pace(using: &random),
            acts: [
                (.place, 90), (.remove, 60), (.cancel, 20), (.open, 180), (.tap, 100), (.render, 40), (.restart, 20),
                (.updateApp, 20), (.reinstall, 20),
            ])
        if !without.contains("android-restores") { plan.acts += [(.restoreLayout, 20), (.changePhone, 6)] }
        plan.bootedAt = begins - .days(1)
        plan.sparesNews = true
        plan.hears = random.pick([100, 90])
        plan.failures = 5
        plan.bootWords = random.pick([nil, .flag])
        if !without.contains("names") { plan.naming = Naming(instance: random.pick([100, 60])) }
        plan.reinstallation.away = .minutes(1)...(.days(2))
        plan.reinstallation.opens = 0
        plan.reinstallation.phantoms = 30
        return lives(name, plan, skew, &random)
    }

    private func lives(
        _ name: String, _ plan: RandomPhone.Plan, _ skew: Duration, _ random: inout Seeded
    ) -> [SoakLife] {
        var phone = RandomPhone(name, plan, using: random.derived(for: "life"))
        phone.live(until: story.upperBound)
        return phone.lives.map { SoakLife($0, skew: skew) }
    }
}
