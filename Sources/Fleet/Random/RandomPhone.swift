package import CensusCore
package import SeededRandom

/// A phone with known screens: its owner and its system act at random, and its app sends events about some of it.
///
/// The truth is in ``device``, and what was sent in ``life``. The plan decides what can happen, and how likely it is.
package struct RandomPhone: Sendable {
    package internal(set) var device: SimulatedDevice
    package internal(set) var life: Life
    /// Of device ids that the phone had before.
    package internal(set) var earlierLives: [Life] = []
    package internal(set) var now: Timestamp

    let plan: Plan
    var random: Seeded
    /// Whether a steady owner adds widgets until the next list, or removes them.
    var isGrowing = true
    var saysFirstLaunch: Bool
    var news = News()
    /// The lists as last read by this installation.
    var lists: [Surface: [Placement: Int]] = [:]

    /// What owners and systems do.
    package enum Act: Sendable, CaseIterable {
        case place, remove, configure
        /// A widget is tapped, which opens the app.
        case tap
        /// The app is opened and reads its lists.
        case open
        case failToRead
        /// The system asks for a widget's content.
        case render
        case restart, updateApp, updateSystem, reinstall, changePhone
        /// Android keeps the id of a widget whose configuration was cancelled, and sometimes forgets it.
        case cancel, forgetPhantom
        case useToday
        /// Android's launcher restores its layout under new ids.
        case restoreLayout
    }

    package init(_ name: String, _ plan: Plan, using generator: Seeded) {
        self.plan = plan
        random = generator
        now = plan.begins
        var instances = SimulatedDevice.Instances.from(random.below(40) + 1)
        if let only = plan.instances { instances = .only(only.shuffled(using: &random)) }
        device = SimulatedDevice(
            id: name, system: plan.system, build: plan.build, bootedAt: plan.bootedAt, quirks: plan.quirks,
            instances: instances)
        saysFirstLaunch = plan.saysFirstLaunch
        life = Life(
            name,
            Observation.Circumstances(
                platform: plan.system.platform, osVersion: plan.system.description, osBuild: plan.build,
                appVersion: "20.1.0"), bootWords: plan.bootWords)
        device.installApp(life.circumstances.appVersion, id: name)
        begin(launched: plan.launched)
        for widget in plan.gallery[.widget] ?? [] {
            device[.widget].ghosts += Array(repeating: widget, count: random.below(plan.mostGhosts + 1))
        }
    }

    /// The histories of all device ids that the phone has had.
    package var lives: [Life] { earlierLives + [life] }

    /// Lets time pass, and carries out an act.
    ///
    /// - Parameter wanted: the act; nil lets the plan decide.
    /// - Returns: the last act.
    @discardableResult
    package mutating func step(_ wanted: Act? = nil) -> Act? {
        now = plan.pace.next(after: now, using: &random)
        for _ in 0..<random.below(plan.mostQuietActs + 1) {
            if let act = drawn(from: plan.quietActs) { perform(act, isTold: false) }
        }
        if let wanted {
            perform(wanted, isTold: true)
            return wanted
        }
        var last: Act?
        for number in 0..<random.pick(plan.together) {
            // A list has its instant alone, because other acts of the same instant could be before or after it.
            guard let act = drawn(from: number == 0 ? plan.acts : plan.acts.filter { $0.0 != .open }) else { continue }
            perform(act, isTold: true)
            last = act
            if act == .open { break }
        }
        return last
    }

    /// Simulates until a time.
    package mutating func live(until end: Timestamp) {
        repeat { step() } while now < end
    }

    private mutating func drawn(from acts: [(Act, weight: Int)]) -> Act? {
        random.pick(weighted: acts.filter { isPossible($0.0) })
    }
}

extension RandomPhone {
    /// The phone, what can happen to it, and what its app sends. Shares are percentages.
    package struct Plan: Sendable {
        package var system: OperatingSystem
        package var build: String?
        package var quirks = Quirks()
        /// The placements from which the owner chooses, by surface. All are equally likely.
        package var gallery: [Surface: [Placement]]
        /// The possible configurations of a widget with an intent.
        package var configurations: [String?] = []
        /// Android's ids. None is reused once the app has sent it. Nil for unlimited ids.
        package var instances: [Int]?
        /// The most widgets on one surface.
        package var most = Int.max
        /// How many equal widgets are placed at once.
        package var copies = [1]

        package var begins: Timestamp
        package var bootedAt: Timestamp
        /// The app's first launch, which is before the simulation begins.
        package var launched: Timestamp
        package var pace: Pace
        /// The acts of each step.
        package var acts: [(Act, weight: Int)]
        /// How many of them happen at one instant.
        package var together = [1]
        /// Acts before those, about which the app never sends events.
        package var quietActs: [(Act, weight: Int)] = []
        package var mostQuietActs = 0
        /// Whether the owner never adds and removes between the same two lists.
        package var isSteady = false
        /// Whether the owner never places, uses and removes a widget of a kind between the same two lists. The use would count
        /// for a widget in the next list (R7 and R10, a known limit).
        package var sparesNews = false

        package var bootWords: BootWords? = .time
        package var saysFirstLaunch = true
        /// The share of changes, except quiet ones, for which the app sends events.
        package var hears = 100
        package var naming = Naming.full
        /// The share of reads that fail.
        package var failures = 0
        package var differences = Differences.none
        /// Whether the app takes everything in an installation's first list for new, or nothing.
        package var takesFirstListForNew = false
        /// The share of taps that open the app, which then reads its lists.
        package var opensByTaps = 0
        /// The share of taps on a widget that was just placed.
        package var tapsOfNew = 0
        package var reinstallation = Reinstallation()
        /// The share of app updates that remove a kind.
        package var dropped = 0
        /// Kinds of the Today extension, which has no list. Only existing widgets are rendered.
        package var todayKinds: [String] = []
        /// The most ghosts of each placement that are listed from the start, although the app is new on the phone.
        package var mostGhosts = 0

        package init(
            system: OperatingSystem, gallery: [Surface: [Placement]], launched: Timestamp, begins: Timestamp,
            pace: Pace,
            acts: [(Act, weight: Int)]
        ) {
            self.system = system
            self.gallery = gallery
            self.launched = launched
            self.begins = begins
            self.pace = pace
            self.acts = acts
            bootedAt = launched - .days(10)
        }
    }

    /// How a deleted app is installed again. Numbers are percentages.
    package struct Reinstallation: Sendable {
        package var away = Duration.zero...(.zero)
        /// The share of phones that restart in between.
        package var restarts = 0
        /// The share of owners who open the app soon.
        package var opens = 100
        package var opensAfter = Duration.minutes(20)...(.minutes(20))
        package var failures = 100
        /// The share of widgets that a system with the bug still lists.
        package var ghosts = 50
        /// The share of Android phones that keep the placed widgets as phantoms.
        package var phantoms = 0

        package init() {}
    }

    /// The time between acts.
    package enum Pace: Sendable {
        case steady(Duration)
        /// Mostly hours, sometimes seconds or weeks. `silences` is the share of the latter.
        case people(silences: Double)

        package func next(after time: Timestamp, using random: inout Seeded) -> Timestamp {
            switch self {
            case .steady(let pause): return time + pause
            case .people(let silences):
                switch random.fraction() {
                case ..<silences: return time + random.duration(.days(8)...(.days(36)))
                case ..<0.25: return time + random.duration(.seconds(2)...(.seconds(50)))
                case ..<0.4: return time + random.duration(.minutes(2)...(.minutes(60)))
                default: return time + random.exponential(mean: .hours(14)) + .minutes(5)
                }
            }
        }
    }

    /// The kinds that were placed, and used, since the last list.
    struct News: Sendable {
        var placed: Set<String> = []
        var used: Set<String> = []
    }
}
