package import CensusCore
package import SeededRandom

/// A phone whose screens are known: its owner and its system do something at random, and its app tells some of it.
///
/// The truth is in ``device``, what was told in ``life``. The plan decides what can happen, and how likely it is.
package struct RandomPhone: Sendable {
    package internal(set) var device: SimulatedDevice
    package internal(set) var life: Life
    /// Those of device ids that the phone had before.
    package internal(set) var earlierLives: [Life] = []
    package internal(set) var now: Timestamp

    let plan: Plan
    var random: Seeded
    /// Of a steady owner: whether widgets are added until the next list, or removed.
    var isGrowing = true
    var saysFirstLaunch: Bool
    var news = News()
    /// The lists as last read by this installation.
    var lists: [Surface: [Placement: Int]] = [:]

    /// What people and systems do.
    package enum Act: Sendable, CaseIterable {
        case place, remove, configure
        /// A widget is tapped, which opens the app.
        case tap
        /// The app is opened, and reads its lists.
        case open
        case failToRead
        /// The system asks for a widget's content.
        case render
        case restart, updateApp, updateSystem, reinstall, changePhone
        /// Android keeps the id of a widget whose configuration was cancelled, and may forget it.
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

    /// All device ids that the phone had.
    package var lives: [Life] { earlierLives + [life] }

    /// Time passes, and something happens.
    ///
    /// - Parameter wanted: what; nil: the plan decides.
    /// - Returns: what happened last.
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
            // A list is always alone: what else its instant has could have come before it or after.
            guard let act = drawn(from: number == 0 ? plan.acts : plan.acts.filter { $0.0 != .open }) else { continue }
            perform(act, isTold: true)
            last = act
            if act == .open { break }
        }
        return last
    }

    /// Lives until a time.
    package mutating func live(until end: Timestamp) {
        repeat { step() } while now < end
    }

    private mutating func drawn(from acts: [(Act, weight: Int)]) -> Act? {
        random.pick(weighted: acts.filter { isPossible($0.0) })
    }
}

extension RandomPhone {
    /// What a phone is like, what can happen to it, and what its app tells. Shares are percent.
    package struct Plan: Sendable {
        package var system: OperatingSystem
        package var build: String?
        package var quirks = Quirks()
        /// What the owner chooses from, by surface. Of choices each is as likely as any other.
        package var gallery: [Surface: [Placement]]
        /// What a widget with an intent may be configured to.
        package var configurations: [String?] = []
        /// Android's ids: none is given again once something was heard of it. Nil: there is no end of them.
        package var instances: [Int]?
        /// The room of one surface.
        package var most = Int.max
        /// How many equal widgets are placed at once.
        package var copies = [1]

        package var begins: Timestamp
        package var bootedAt: Timestamp
        /// The app's first launch, if it was before the story.
        package var launched: Timestamp
        package var pace: Pace
        /// One of these happens at a time.
        package var acts: [(Act, weight: Int)]
        /// How many of them happen at one instant.
        package var together = [1]
        /// Some of these happen before, and the app never tells.
        package var quietActs: [(Act, weight: Int)] = []
        package var mostQuietActs = 0
        /// Whether the owner never adds and removes between the same two lists.
        package var isSteady = false
        /// Whether the owner never places, uses and removes one of a kind between the same two lists: what was used then counts as
        /// one of those that the next list has (R7 and R10, a known limit).
        package var sparesNews = false

        package var bootWords: BootWords? = .time
        package var saysFirstLaunch = true
        /// How many of the changes that are not quiet the app tells by events.
        package var hears = 100
        package var naming = Naming.full
        /// How many of its readings fail.
        package var failures = 0
        package var differences = Differences.none
        /// Or for no news at all.
        package var takesFirstListForNew = false
        /// How many of the taps open the app, which is a list.
        package var opensByTaps = 0
        /// How many are of a widget that was just placed.
        package var tapsOfNew = 0
        package var reinstallation = Reinstallation()
        /// How many of its updates take a kind away.
        package var dropped = 0
        /// Kinds of the Today extension, which has no list: only what is there is rendered.
        package var todayKinds: [String] = []
        /// How many of each placement are listed from the start, though the app is new to the phone: at most.
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

    /// How an app comes back that was deleted.
    package struct Reinstallation: Sendable {
        package var away = Duration.zero...(.zero)
        /// How many phones restart meanwhile.
        package var restarts = 0
        /// How many open the app soon.
        package var opens = 100
        package var opensAfter = Duration.minutes(20)...(.minutes(20))
        package var failures = 100
        /// How many of the widgets a system with the bug goes on listing.
        package var ghosts = 50
        /// How many of Android's phones keep what was on the screen as phantoms.
        package var phantoms = 0

        package init() {}
    }

    /// How time goes by between what people do.
    package enum Pace: Sendable {
        case steady(Duration)
        /// Mostly hours, now and then seconds or weeks. Silences are a share.
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
