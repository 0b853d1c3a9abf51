import CensusCore
import Fleet
import SeededRandom

/// Phased releases that take a kind from some updating devices: how many nights until an incident opens?
///
/// Each phone is simulated twice, with a good release and with one that takes the kind; a coin decides which of the two a
/// fleet gets. The smaller fleets are parts of the large ones.
struct LossyReleases {
    private let size: Size

    private static let kind = "com.example.weather.forecast"
    private static let shares = [0.5, 0.1, 0.02]
    /// The share of updating devices that also update the OS between the same two lists.
    private static let osShares = [0.1, 0.3, 0.7]
    private static let withOS = [(2_000, 0.5), (20_000, 0.1), (20_000, 0.02), (500, 0.1)]
    private static let days = 25
    private static let sinceRelease = 11
    private static let releaseDay = days - sinceRelease
    private static let end = Timestamp(seconds: 20_700 * 86_400)
    private static let chunk = 100
    private static let last = "20.13.0"
    /// The budget is split over as many kinds as a large app has.
    private static let kinds = 20

    init(_ size: Size) { self.size = size }

    func run() async throws -> [Promise] {
        var trials: [Trial] = size.lossHolders.flatMap { holders in
            LossyReleases.shares.map { Trial(holders: holders, share: $0) }
        }
        trials += LossyReleases.withOS.filter { size.lossHolders.contains($0.0) }.flatMap { holders, share in
            LossyReleases.osShares.map { Trial(holders: holders, share: share, osShare: $0) }
        }
        let most = size.lossHolders.max() ?? 0
        var progress = Progress("losses, holders", total: most * size.lossBlocks)
        for block in 0..<size.lossBlocks {
            for place in trials.indices { trials[place].begin() }
            var (first, found) = (0, 0)
            while found < most {
                let begin = first
                let before = found
                // Enough chunks to keep all cores busy.
                try await concurrently(8) { number in
                    try LossyReleases.lives(begin + number * LossyReleases.chunk, seed: UInt64(1_000 + block))
                } each: { _, lives in
                    for life in lives where found < most {
                        if life.isHolder { found += 1 }
                        for place in trials.indices { trials[place].add(life) }
                    }
                }
                first += 8 * LossyReleases.chunk
                progress.advance(by: found - before)
            }
        }
        show(trials)
        return promises(trials)
    }

    private func show(_ trials: [Trial]) {
        var table = Table([
            "holders", "lost", "update the OS, too", "fleets", "updated by night 1", "night 1", "by 3", "by 7", "never",
            "median",
            "nights since the release", "false, or wrong kind or version",
        ])
        for trial in trials {
            let nights = trial.nights.compactMap { $0 }
            table.add([
                trial.holders.grouped, "\(Int((trial.share * 100).rounded()))%",
                "\(Int((trial.osShare * 100).rounded()))%", "\(trial.nights.count)",
                trial.updated.median.map { "\($0)" } ?? "-", nights.count { $0 <= 1 }.share(of: trial.nights.count),
                nights.count { $0 <= 3 }.share(of: trial.nights.count),
                nights.count { $0 <= 7 }.share(of: trial.nights.count),
                trial.nights.count { $0 == nil }.share(of: trial.nights.count),
                nights.median.map { "\($0)" } ?? "-", trial.sinceRelease.median.map { "\($0)" } ?? "-",
                "\(trial.wrong)",
            ])
        }
        table.show(
            """
            Losses in a phased release. Night 1 is the first by which 1% of the holders have updated and reported since. \
            Owners remove 0.2% of their widgets a day, with a wobble of 0.2.
            """)
    }

    private func promises(_ trials: [Trial]) -> [Promise] {
        let wrong = trials.reduce(0) { $0 + $1.wrong }
        var promises = [Promise(text: "\(wrong) incidents name another kind or version", isKept: wrong == 0)]
        for trial in trials where trial.holders == 2_000 && trial.share == 0.5 {
            // Fewer pairs can be compared if some update the OS, too.
            let night = trial.osShare == 0 ? 1 : 3
            let early = trial.nights.count { $0.map { $0 <= night } ?? false }
            promises.append(
                Promise(
                    text:
                        "half lost among 2,000, \(Int(trial.osShare * 100))% update the OS, too: by night \(night) in "
                        + "\(early) of \(trial.nights.count) fleets (required: 95 of 100)",
                    isKept: early * 100 >= trial.nights.count * 95))
        }
        return promises
    }

    /// One phone with a good release and, if it matters, with the bad one.
    private struct Life: Sendable {
        var healthy: NightlyPairs
        var broken: NightlyPairs
        /// The same where the OS is updated together with the app.
        var healthyWithOS: NightlyPairs
        var brokenWithOS: NightlyPairs
        var isHolder: Bool
        var osCoin: Double
        /// Each share of losing devices has its own coin.
        var coins: [Double]
    }

    private static func lives(_ first: Int, seed: UInt64) throws -> [Life] {
        var plan = WeatherFleet.Plan(
            devices: first + chunk, days: days, seed: seed, end: end, androidShare: 0,
            releases: WeatherFleet.Releases(age: .days(Int64(sinceRelease)), isPhased: true),
            habits: WeatherFleet.Habits(removalsADay: 0.002, wobble: 0.2))
        let healthy = WeatherFleet(plan)
        plan.droppedKind = kind
        let broken = WeatherFleet(plan)
        return try (first..<first + chunk).map { device in
            let story = healthy.story(ofDevice: device)
            let good = try NightlyPairs(story, of: plan)
            let held = good.days[kind] ?? []
            let isTouched = held.contains { $0 >= releaseDay }
            var random = Seeded(seed).derived(for: "coins").derived(for: device)
            var osRandom = Seeded(seed).derived(for: "OS").derived(for: device)
            let badStory = isTouched ? broken.story(ofDevice: device) : story
            let withOS = OSUpdate.withApp(last)
            return Life(
                healthy: good, broken: isTouched ? try NightlyPairs(badStory, of: plan) : good,
                healthyWithOS: isTouched ? try NightlyPairs(story, of: plan, osUpdate: withOS) : good,
                brokenWithOS: isTouched ? try NightlyPairs(badStory, of: plan, osUpdate: withOS) : good,
                isHolder: held.contains { (releaseDay - 7..<releaseDay).contains($0) }, osCoin: osRandom.fraction(),
                coins: shares.map { _ in random.fraction() })
        }
    }

    /// Fleets of one size that lose one share.
    private struct Trial {
        let holders: Int
        let share: Double
        let osShare: Double
        /// For each fleet, the nights until its incident, counted from night 1; nil if there was none.
        private(set) var nights: [Int?] = []
        private(set) var sinceRelease: [Int] = []
        /// Holders that had updated and reported by night 1.
        private(set) var updated: [Int] = []
        private(set) var wrong = 0
        private var watch = FleetWatch(days: days)
        private var found = 0

        private static let before = "20.12.0"

        init(holders: Int, share: Double, osShare: Double = 0) {
            (self.holders, self.share, self.osShare) = (holders, share, osShare)
        }

        mutating func begin() {
            (watch, found) = (FleetWatch(days: days), 0)
        }

        mutating func add(_ life: Life) {
            let coin = shares.firstIndex(of: share).map { life.coins[$0] } ?? 1
            if life.osCoin < osShare {
                watch.add(coin < share ? life.brokenWithOS : life.healthyWithOS)
            } else {
                watch.add(coin < share ? life.broken : life.healthy)
            }
            if life.isHolder { found += 1 }
            guard found == holders else { return }
            finish()
            begin()
        }

        private mutating func finish() {
            let opened = watch.incidents(leastKinds: kinds).opened
            let incident = opened.first { $0.kind == kind && $0.toVersion == last }
            wrong += opened.count { $0.kind != kind || $0.toVersion != last }
            if let incident, !incident.fromVersions.contains(Trial.before) { wrong += 1 }
            // If hardly anybody has updated there is no night 1.
            let wanted = max(1, holders / 100)
            guard let first = watch.night(of: wanted, to: last, kind: kind) else { return nights.append(nil) }
            updated.append(watch.updates(to: last, kind: kind, through: first))
            nights.append(incident.map { max(1, $0.night - first + 1) })
            if let incident { sinceRelease.append(incident.night - releaseDay + 1) }
        }
    }
}

extension [Int] {
    var median: Int? { isEmpty ? nil : sorted()[count / 2] }
}
