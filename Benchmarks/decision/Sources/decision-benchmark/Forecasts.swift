import CensusCore
import Fleet
import Foundation
import SeededRandom

/// A legacy kind's install base that declines over a year and more: how near is `ready_on`, forecast at half time?
///
/// Simulating 20,000 phones for that long takes hours, so the base is drawn day by day, by the rates of the fleets' phones
/// (``WeatherFleet/Habits`` and the pauses of their owners).
struct Forecasts {
    private let size: Size

    static let readyDays = 14
    /// 0.03% of a million devices.
    private static let limit = 300

    init(_ size: Size) { self.size = size }

    func run() async -> [Promise] {
        var melting = Table([
            "20,000 holders, declining", "fleets", "true day (median)", "within 20% of it",
            "within 20% of the time left",
            "interval covers", "other answers",
        ])
        var all = Outcome()
        var progress = Progress(
            "forecasts, fleets",
            total: size.forecasts * (Melting.falling.count + Melting.staying.count + Melting.offered.count))
        for (name, base) in Melting.falling {
            let outcome = trial(base, &progress)
            all.add(outcome)
            melting.add([
                name, "\(size.forecasts)", outcome.truths.median.map { "\($0)" } ?? "-",
                outcome.near.share(of: size.forecasts), outcome.nearLeft.share(of: size.forecasts),
                outcome.covered.share(of: size.forecasts), outcome.answers,
            ])
        }
        melting.show(
            "Forecasts at half time of the day on which at most \(Forecasts.limit) devices have held it for 14 days."
        )

        var staying = Table([
            "20,000 holders, staying above the limit", "fleets", "forecast on day", "never", "other answers",
        ])
        var promises = all.promises
        for (name, base, day, isPromised) in Melting.staying {
            var outcome = Outcome()
            for seed in 0..<size.forecasts {
                outcome.note(base.history(days: day, seed: UInt64(seed)).forecast(after: day, limit: Forecasts.limit))
                progress.advance()
            }
            staying.add([
                name, "\(size.forecasts)", "\(day)", outcome.never.share(of: size.forecasts), outcome.answers,
            ])
            guard isPromised else { continue }
            promises.append(
                Promise(
                    text: "\(name): never in \(outcome.never) of \(size.forecasts) (required: 95 of 100)",
                    isKept: outcome.never * 100 >= size.forecasts * 95))
        }
        staying.show(
            "Bases that level off above the limit. The answer \"never\" is promised only if new placements hold the base up."
        )
        promises += beforeMarking(&progress)
        promises += scarce()
        return promises
    }

    /// Kinds that are still offered: what marking them would lead to, compared with what it then leads to.
    private func beforeMarking(_ progress: inout Progress) -> [Promise] {
        var table = Table([
            "20,000 holders, offered until day \(Melting.asked)", "fleets", "true day (median)",
            "within 20% of the time left", "interval covers", "never", "other answers",
        ])
        var all = Outcome()
        for (name, base, isEnding) in Melting.offered {
            var outcome = Outcome()
            for seed in 0..<size.forecasts {
                progress.advance()
                let history = base.history(days: 1_500, seed: UInt64(seed))
                outcome.judge(
                    history.forecast(
                        after: Melting.asked, limit: Forecasts.limit,
                        premise: .init(installs: 1 - (base.hidden?.share ?? 0))),
                    asked: Melting.asked, truth: Forecasts.readyDay(history.days), from: history.days[0].day)
            }
            if isEnding { all.add(outcome) }
            table.add([
                name, "\(size.forecasts)", outcome.truths.median.map { "\($0)" } ?? "-",
                outcome.nearLeft.share(of: size.forecasts), outcome.covered.share(of: size.forecasts),
                outcome.never.share(of: size.forecasts), outcome.answers,
            ])
        }
        table.show("Forecasts of kinds that are not marked yet, as if they were hidden on the day of the forecast.")
        return [
            Promise(
                text:
                    "before marking: within 20% of the time left in \(all.nearLeft) of \(all.tries) (required: 8 of 10)",
                isKept: all.nearLeft * 10 >= all.tries * 8),
            Promise(
                text:
                    "before marking: its interval covers the day in \(all.covered) of \(all.tries) (required: 8 of 10)",
                isKept: all.covered * 10 >= all.tries * 8),
        ]
    }

    private func trial(_ base: Melting, _ progress: inout Progress) -> Outcome {
        var outcome = Outcome()
        for seed in 0..<size.forecasts {
            progress.advance()
            let history = base.history(days: 1_500, seed: UInt64(seed))
            let truth = Forecasts.readyDay(history.days)
            let asked = (truth ?? 0) / 2
            outcome.judge(
                history.forecast(after: asked, limit: Forecasts.limit), asked: asked, truth: truth,
                from: history.days[0].day)
        }
        return outcome
    }

    private static func readyDay(_ history: [BaseDay]) -> Int? {
        var streak = 0
        for (number, day) in history.enumerated() {
            streak = day.holders <= limit ? streak + 1 : 0
            if streak == readyDays { return number }
        }
        return nil
    }

    /// With too little data, a forecast says so.
    private func scarce() -> [Promise] {
        var table = Table(["too little data", "fleets", "reported as such", "other answers"])
        var small = Melting()
        small.level = 60
        let cases: [(name: String, base: Melting, days: Int, hindrance: BaseForecast.Shortage?)] = [
            ("14 closed days", Melting(), 14, nil), ("60 holders", small, 120, nil),
            ("nobody removes it", Melting(removal: 0, silence: 0), 120, nil),
            ("an open loss", Melting(), 120, .openLoss),
        ]
        var said = 0
        for one in cases {
            var outcome = Outcome()
            for seed in 0..<size.forecasts {
                let history = one.base.history(days: one.days, seed: UInt64(seed))
                outcome.note(history.forecast(after: one.days, limit: 3, hindrance: one.hindrance))
            }
            said += outcome.unknown
            table.add([one.name, "\(size.forecasts)", outcome.unknown.share(of: size.forecasts), outcome.answers])
        }
        table.show("Too little data for a forecast.")
        let all = cases.count * size.forecasts
        let text = "too little data: reported in \(said) of \(all) such fleets (required: all)"
        return [Promise(text: text, isKept: said == all)]
    }
}

/// Counts the results of forecasts.
private struct Outcome {
    var tries = 0
    var truths: [Int] = []
    var near = 0
    var nearLeft = 0
    var covered = 0
    var never = 0
    var unknown = 0
    private var others: [String: Int] = [:]

    var answers: String {
        others.isEmpty
            ? "-" : others.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }

    var promises: [Promise] {
        [
            Promise(
                text: "ready_on within 20% of the true day in \(near) of \(tries) fleets (required: 9 of 10)",
                isKept: near * 10 >= tries * 9),
            Promise(
                text: "its interval covers the true day in \(covered) of \(tries) (required: 8 of 10)",
                isKept: covered * 10 >= tries * 8),
        ]
    }

    /// - Parameters:
    ///   - asked: the number of the day of the forecast.
    ///   - truth: the number of the day on which the base was ready; nil: it never was.
    mutating func judge(_ forecast: BaseForecast, asked: Int, truth: Int?, from first: Day) {
        tries += 1
        guard let truth else {
            if case .never = forecast.outcome { never += 1 } else { count("not ready in 1,500 days") }
            return
        }
        truths.append(truth)
        guard case .ready(let on) = forecast.outcome else { return note(forecast) }
        func number(_ day: Day) -> Double { Double(day.daysSince1970 - first.daysSince1970) }
        let miss = abs(number(on.estimate) - Double(truth))
        if on.high == nil { count("an interval without an upper end") }
        if miss <= 0.2 * Double(truth) { near += 1 }
        if miss <= 0.2 * Double(truth - asked) { nearLeft += 1 }
        if number(on.low) <= Double(truth), on.high.map({ number($0) >= Double(truth) }) ?? true { covered += 1 }
    }

    mutating func count(_ answer: String) { others[answer, default: 0] += 1 }

    mutating func note(_ forecast: BaseForecast) {
        switch forecast.outcome {
        case .never: never += 1
        case .notEnoughData(let shortage):
            unknown += 1
            count("no forecast (\("\(shortage)".prefix { $0 != "(" }))")
        case .ready(let on): count(on.high == nil ? "a day without an upper end" : "a day")
        }
    }

    mutating func add(_ other: Outcome) {
        tries += other.tries
        near += other.near
        nearLeft += other.nearLeft
        covered += other.covered
    }
}

/// How a base declines; the rates are those of ``WeatherFleet/Habits``.
private struct Melting {
    var level = 20_000
    var removal = WeatherFleet.Habits().legacyRemovalsADay
    /// The share of holders who fall silent on a day; half of them are heard from again within 17 days.
    var silence = 0.003
    var arrivals = 0.0
    var wobble = 0.2
    /// How many more widgets are removed at weekends than on average.
    var weekends = 0.0
    /// The standard deviation of the logarithm of a factor that changes with each release, every 14 days.
    var steps = 0.0
    /// Owners who never remove it.
    var floor = 0.0
    /// Half of the owners remove it faster by this factor, the others more slowly.
    var contrast = 1.0
    /// From a day on, hiding the kind ends a share of the installs.
    var hidden: (from: Int, share: Double)?

    /// The day on which kinds that are still offered are asked about.
    static let asked = 112

    /// Each with whether hiding it lets it reach the limit.
    static let offered: [(String, Melting, Bool)] = [
        ("steady: 400 added a day", Melting(arrivals: 400, hidden: (asked, 1)), true),
        ("falling: 100 added a day", Melting(arrivals: 100, hidden: (asked, 1)), true),
        ("growing: 800 added a day", Melting(arrivals: 800, hidden: (asked, 1)), true),
        (
            "steady, weekends and steps by release",
            Melting(arrivals: 400, weekends: 0.5, steps: 0.2, hidden: (asked, 1)), true
        ),
        ("steady, two groups of owners", Melting(arrivals: 400, contrast: 1.3, hidden: (asked, 1)), true),
        ("steady, no silent devices", Melting(silence: 0, arrivals: 400, hidden: (asked, 1)), true),
        ("steady, hiding ends 99% of the installs", Melting(silence: 0, arrivals: 400, hidden: (asked, 0.99)), true),
        ("steady, hiding ends 80% of the installs", Melting(silence: 0, arrivals: 400, hidden: (asked, 0.8)), false),
    ]

    static let falling: [(String, Melting)] = [
        ("constant rates", Melting(wobble: 0)),
        ("wobble", Melting()),
        ("wobble and weekends", Melting(weekends: 0.5)),
        ("wobble and steps by release", Melting(steps: 0.2)),
        ("two groups of owners, wobble", Melting(contrast: 1.3)),
        ("a floor of 0.5%, wobble", Melting(floor: 0.005)),
        ("no silent devices, wobble", Melting(silence: 0)),
        ("a few place it again, wobble", Melting(arrivals: 2)),
        (
            "wobble, weekends, steps, two groups of owners, some place it again, no silent devices",
            Melting(silence: 0, arrivals: 2, weekends: 0.5, steps: 0.2, contrast: 1.3)
        ),
        ("two very different groups of owners, no silent devices", Melting(silence: 0, contrast: 2)),
    ]

    static let staying: [(String, Melting, Int, Bool)] = [
        ("placed again by 30 a day", Melting(silence: 0, arrivals: 30), 200, true),
        ("placed again by 30 a day, some fall silent", Melting(arrivals: 30), 200, true),
        ("1,000 owners never remove it, early", Melting(silence: 0, floor: 0.05), 100, false),
        ("1,000 owners never remove it, after most others have", Melting(silence: 0, floor: 0.05), 200, false),
        ("1,000 owners never remove it, after all others have", Melting(silence: 0, floor: 0.05), 400, false),
    ]

    /// The days, each with its levels and movements.
    func history(days: Int, seed: UInt64) -> History {
        var random = Seeded(seed).derived(for: "melting")
        var step = 1.0
        let leaving = Double(level) * (1 - floor)
        var groups = [
            Group(active: Int(leaving / 2), removal: removal * contrast),
            Group(active: Int(leaving / 2), removal: removal / contrast),
            Group(active: Int(Double(level) * floor), removal: 0),
        ]
        /// Silent devices still in the pool, by the day on which they fell silent; and by the day on which they return.
        var (cohorts, returns): ([Int], [Int: [(group: Int, cohort: Int)]]) = ([], [:])
        var pool = 0
        var history = History()
        history.days = (0..<days).map { number in
            if number.isMultiple(of: 14) { step = exp(steps * random.normal()) }
            let weekday = number % 7 < 2 ? 1 + weekends : 1 - weekends * 2 / 5
            let factor = exp(wobble * random.normal()) * step * weekday
            var day = BaseDay(day: Day(daysSince1970: Int32(20_000 + number)), certain: 0, possible: 0)
            cohorts.append(0)
            for place in groups.indices {
                let gone = random.binomial(groups[place].active, min(1, groups[place].removal * factor))
                let fell = random.binomial(groups[place].active - gone, silence)
                groups[place].active -= gone + fell
                for _ in 0..<fell where random.chance(50) {
                    returns[number + 1 + random.below(17), default: []].append((place, number))
                }
                (day.removed, day.fellSilent) = (day.removed + gone, day.fellSilent + fell)
                cohorts[number] += fell
            }
            for (group, cohort) in returns[number] ?? [] {
                groups[group].active += 1
                cohorts[cohort] -= 1
                history.returns.append((number, cohort))
                pool -= 1
                day.returned += 1
            }
            returns[number] = nil
            let prevented = hidden.map { number >= $0.from ? $0.share : 0 } ?? 0
            day.installed = random.poisson(arrivals * (1 - prevented))
            groups[number % 2].active += day.installed
            pool += day.fellSilent
            if number >= DeviceReading.silentDays { pool -= cohorts[number - DeviceReading.silentDays] }
            day.silent = pool
            day.certain = groups.reduce(0) { $0 + $1.active }
            day.possible = day.certain
            return day
        }
        return history
    }

    /// A base, day by day.
    struct History {
        var days: [BaseDay] = []
        /// Devices that were heard from again: on which day, and since when they had been silent.
        var returns: [(day: Int, silentSince: Int)] = []

        /// When the devices that are silent after so many days will have been silent for a year, if they don't return.
        func expiring(after count: Int) -> [Day: Int] {
            var silent = days.prefix(count).map(\.fellSilent)
            for one in returns where one.day < count { silent[one.silentSince] -= 1 }
            return Dictionary(
                uniqueKeysWithValues: zip(days, silent).suffix(DeviceReading.silentDays)
                    .map { ($0.day + DeviceReading.silentDays, $1) })
        }

        func forecast(
            after count: Int, limit: Int, premise: BaseForecast.Premise = .init(),
            hindrance: BaseForecast.Shortage? = nil
        ) -> BaseForecast {
            BaseForecast(
                Array(days.prefix(count)), expiring: expiring(after: count), limit: limit,
                readyDays: Forecasts.readyDays, premise: premise, hindrance: hindrance)
        }
    }

    private struct Group {
        var active: Int
        var removal: Double
    }
}

extension Seeded {
    /// How many of `count` events happen, each with a chance.
    fileprivate mutating func binomial(_ count: Int, _ chance: Double) -> Int {
        let mean = Double(count) * chance
        guard mean > 50 else { return min(count, poisson(mean)) }
        return min(count, max(0, Int((mean + normal() * (mean * (1 - chance)).squareRoot()).rounded())))
    }

    fileprivate mutating func poisson(_ mean: Double) -> Int {
        guard mean <= 50 else { return max(0, Int((mean + normal() * mean.squareRoot()).rounded())) }
        // Knuth: the number of factors until the product falls below.
        var (number, product) = (-1, 1.0)
        let least = exp(-mean)
        repeat {
            number += 1
            product *= fraction()
        } while product > least
        return number
    }
}
