internal import Foundation

/// Predicts when a kind's installed base falls to its limit, at the rate of the last weeks.
///
/// Active and silent holders shrink separately. Active holders leave at a rate. Silent ones leave by age alone, a year after
/// they fell silent.
public struct BaseForecast: Hashable, Sendable {
    /// An estimate with its 80% interval.
    public struct Interval<Value: Hashable & Sendable>: Hashable, Sendable {
        public var estimate: Value
        public var low: Value
        /// Nil: the interval has no upper end.
        public var high: Value?
    }

    public enum Outcome: Hashable, Sendable {
        /// On this day, the base is or will be at or under the limit for the required number of consecutive days.
        case ready(Interval<Day>)
        /// At this rate the base never reaches the limit. It levels off near this many devices.
        case never(levelsOffNear: Int)
        case notEnoughData(Shortage)
    }

    /// Why there is no forecast.
    public enum Shortage: Hashable, Sendable {
        case fewDays(Int)
        /// In the longest window that there is.
        case fewMovements(Int, days: Int)
        /// The base has no measurable decline.
        case noDecline
        case openLoss
        case coverageMoved
        /// A decision changed what people see, too recently to show its effect.
        case recentAct(on: Day)
    }

    /// Which days a forecast learns from, and how many installs it expects.
    public struct Premise: Hashable, Sendable {
        /// The share of installs that go on, 0...1. Hiding a kind from the gallery ends the others.
        public var installs: Double
        /// The day of a decision that changed what people see. The forecast learns from the days before it. Nil: from all days.
        public var decidedOn: Day?
        /// Learns from this many weeks; nil: from as many as it takes to see enough movements.
        public var weeks: Int?

        public init(installs: Double = 1, decidedOn: Day? = nil, weeks: Int? = nil) {
            self.installs = installs
            self.decidedOn = decidedOn
            self.weeks = weeks
        }
    }

    /// The number of holders on one future day, with an interval.
    public struct FanDay: Hashable, Sendable {
        public var day: Day
        public var low: Double
        public var estimate: Double
        public var high: Double
    }

    /// How many days it takes half of the holders to leave; nil if unknown.
    public let halfLife: Interval<Double>?
    public let outcome: Outcome
    /// Week by week from the last known day to the latest ready day, or for a year. Empty if the forecast has no day.
    public let fan: [FanDay]
    public let premise: Premise
    /// Of how many weeks it takes the rate; nil if there are too few days or movements.
    public let weeks: Int?

    /// The forecast looks this many days ahead.
    private static let horizon = 3_650

    /// - Parameters:
    ///   - days: consecutive closed days, oldest first.
    ///   - expiring: for each day, how many silent holders reach a year of silence.
    ///   - limit: the most holders allowed.
    ///   - readyDays: for how many consecutive days the base must be at or under the limit.
    ///   - streak: for how many consecutive days it has been so; nil: counted by `limit`.
    ///   - earliest: the kind is not ready before this day, however many holders are left.
    ///   - hindrance: why the last weeks can't predict the next ones; nil if they can.
    public init(
        _ days: [BaseDay], expiring: [Day: Int] = [:], limit: Int, readyDays: Int, streak: Int? = nil,
        earliest: Day? = nil, premise: Premise = Premise(), hindrance: Shortage? = nil
    ) {
        self.premise = premise
        let past = premise.decidedOn.map { decidedOn in days.prefix { $0.day < decidedOn } } ?? days[...]
        let seen = HazardEstimate(past, weeks: premise.weeks)
        weeks = seen?.weeks
        if let hindrance = hindrance ?? BaseForecast.shortage(past, seen, premise) {
            (halfLife, outcome, fan) = (nil, .notEnoughData(hindrance), [])
            return
        }
        guard var estimate = seen, let last = days.last else {
            (halfLife, outcome, fan) = (nil, .notEnoughData(.noDecline), [])
            return
        }
        estimate.arrivals *= premise.installs
        let half = estimate.halfWidth * ForecastRecord(Array(past)).widening
        let slow = max(0, estimate.rate - half)
        let fast = estimate.rate + half
        halfLife = Interval(
            estimate: log(2) / estimate.rate, low: log(2) / fast, high: slow > 0 ? log(2) / slow : nil)

        let pools = Pools(last, estimate, expiring: expiring, limit: limit)
        let streak = streak ?? days.reversed().prefix { $0.holders <= limit }.count
        // Chance on the days ahead adds to the uncertainty of the rate.
        func readyOn(noise: Double = 0, _ rate: (Int) -> Double) -> Int? {
            var pools = pools
            return pools.daysUntil(
                streak: streak, of: readyDays, within: BaseForecast.horizon, noise: noise, rate: rate)
        }
        guard let expected = readyOn({ _ in estimate.rate }) else {
            var end = pools
            for day in 0..<BaseForecast.horizon { end.pass(day, rate: estimate.rate) }
            outcome = .never(levelsOffNear: Int(end.holders.rounded()))
            fan = []
            return
        }
        let noise = HazardEstimate.eightyPercent
        var candidates = [expected, readyOn(noise: -noise) { _ in fast }, readyOn(noise: noise) { _ in slow }]
        if let slowing = SlowingHazard(past) {
            candidates.append(readyOn { slowing.rate(on: $0 + days.count - past.count) })
        }
        let known = candidates.compactMap { $0 }
        // Some owners might never remove the kind. Until the base nears that floor, its decline looks as if it would go on.
        let isHeldUp = MeltingFloor(past).map { $0.least > Double(limit) } ?? false
        func day(_ count: Int) -> Day { max(last.day + count, earliest ?? last.day) }
        outcome = .ready(
            Interval(
                estimate: day(expected), low: day(known.min() ?? expected),
                high: known.count == candidates.count && !isHeldUp ? day(known.max() ?? expected) : nil))
        let end = max(known.max() ?? expected, Int(day(expected).daysSince1970 - last.day.daysSince1970))
        fan = pools.fan(days: min(end, 365), fast, estimate.rate, slow)
    }

    private static func shortage(
        _ past: ArraySlice<BaseDay>, _ estimate: HazardEstimate?, _ premise: Premise
    ) -> Shortage? {
        guard past.count > HazardEstimate.fewestDays else {
            return premise.decidedOn.map { .recentAct(on: $0) } ?? .fewDays(max(0, past.count - 1))
        }
        guard let estimate else {
            let window = HazardEstimate.longestWindow(of: past, weeks: premise.weeks)
            let movements = past.suffix(window).reduce(0) { $0 + $1.movements }
            // Enough devices moved, but none held it at the beginning of a day.
            guard movements < HazardEstimate.fewestMovements else { return .noDecline }
            return .fewMovements(movements, days: window)
        }
        guard estimate.rate > HazardEstimate.eightyPercent * estimate.error else { return .noDecline }
        return nil
    }
}

/// A kind's active and silent holders, moved forward day by day.
private struct Pools {
    private var active: Double
    private var silent: Double
    private let limit: Double
    private let estimate: HazardEstimate
    private let today: Day
    /// For each day, how many of today's silent holders leave.
    private let expiring: [Day: Int]
    /// Devices that fell silent since, by day.
    private var fallen: [Double] = []

    init(_ last: BaseDay, _ estimate: HazardEstimate, expiring: [Day: Int], limit: Int) {
        active = Double(last.possible)
        silent = Double(last.silent)
        self.limit = Double(limit)
        self.estimate = estimate
        today = last.day
        self.expiring = expiring
    }

    var holders: Double { active + silent }

    /// The standard deviation of the number of holders: chance decides which of today's active ones leave.
    private var deviation: Double {
        // More devices can return than fall silent.
        let uncertain = active + max(0, fallen.suffix(DeviceReading.silentDays).reduce(0, +))
        return (estimate.dispersion * uncertain).squareRoot()
    }

    /// - Parameter day: 0 is the day after the last one known.
    mutating func pass(_ day: Int, rate: Double) {
        // Devices that fall silent remain the same share of those that leave.
        let fallen = active * rate * (estimate.silentRate / estimate.rate)
        active = max(0, active * (1 - rate) + estimate.arrivals)
        self.fallen.append(fallen)
        let aged = day - DeviceReading.silentDays
        silent += fallen - Double(expiring[today + (day + 1)] ?? 0) - (aged >= 0 ? self.fallen[aged] : 0)
        silent = max(0, silent)
    }

    /// The holders week by week at three rates; chance widens the outer two.
    func fan(days: Int, _ fast: Double, _ expected: Double, _ slow: Double) -> [BaseForecast.FanDay] {
        var pools = (low: self, estimate: self, high: self)
        let noise = HazardEstimate.eightyPercent
        var fan = [BaseForecast.FanDay(day: today, low: holders, estimate: holders, high: holders)]
        for day in 0..<days {
            pools.low.pass(day, rate: fast)
            pools.estimate.pass(day, rate: expected)
            pools.high.pass(day, rate: slow)
            guard (day + 1) % 7 == 0 || day + 1 == days else { continue }
            let low = pools.low.holders - noise * pools.low.deviation
            fan.append(
                BaseForecast.FanDay(
                    day: today + (day + 1), low: max(0, low), estimate: pools.estimate.holders,
                    high: pools.high.holders + noise * pools.high.deviation))
        }
        return fan
    }

    /// How many days pass until the holders have been at or under the limit for `wanted` consecutive days; nil if they never
    /// are.
    ///
    /// - Parameter noise: by how many standard deviations the holders exceed the estimate.
    mutating func daysUntil(
        streak: Int, of wanted: Int, within horizon: Int, noise: Double, rate: (Int) -> Double
    ) -> Int? {
        var streak = streak
        guard streak < wanted else { return 0 }
        for day in 0..<horizon {
            pass(day, rate: rate(day))
            streak = (holders + noise * deviation).rounded() <= limit ? streak + 1 : 0
            if streak == wanted { return day + 1 }
        }
        return nil
    }
}

/// Tests forecasts made from each past week, and widens the interval if too few of theirs covered what happened.
struct ForecastRecord: Hashable, Sendable {
    /// The factor for the interval's half width, at least 1.
    let widening: Double

    private static let horizons = [7, 14, 28]
    private static let wanted = 0.8
    private static let widenings = [1, 1.25, 1.5, 2, 2.5, 3]
    private static let mostWidening = 4.0

    init(_ days: [BaseDay]) {
        /// By how much a forecast missed, how much its interval allowed, and the noise of the days ahead.
        var misses: [(miss: Double, allowed: Double, noise: Double)] = []
        for origin in stride(from: days.count - 8, through: 29, by: -7) {
            guard let estimate = HazardEstimate(days[...origin]) else { continue }
            let start = Double(days[origin].certain)
            for horizon in ForecastRecord.horizons where days.indices.contains(origin + horizon) {
                let length = Double(horizon)
                func level(_ rate: Double) -> Double {
                    var level = start
                    for _ in 0..<horizon { level = level * (1 - rate) + estimate.arrivals }
                    return level
                }
                let expected = level(estimate.rate)
                misses.append(
                    (
                        miss: abs(Double(days[origin + horizon].certain) - expected),
                        allowed: abs(level(estimate.rate - estimate.halfWidth) - expected),
                        noise: HazardEstimate.eightyPercent
                            * (estimate.dispersion * length * (abs(estimate.rate) * expected + estimate.arrivals))
                            .squareRoot()
                    ))
            }
        }
        // Too few forecasts to measure coverage.
        guard misses.count >= 10 else {
            widening = 1
            return
        }
        widening =
            ForecastRecord.widenings.first { factor in
                let covered = misses.count { one in
                    one.miss <= (pow(factor * one.allowed, 2) + pow(one.noise, 2)).squareRoot()
                }
                return Double(covered) >= ForecastRecord.wanted * Double(misses.count)
            } ?? ForecastRecord.mostWidening
    }
}

extension BaseForecast {
    /// The forecast in one or more sentences.
    public var sentence: String {
        switch outcome {
        case .ready(let on):
            let interval = on.high.map { "\(on.low) to \($0)" } ?? "\(on.low) or later"
            return
                "At this rate it will be ready at the end of \(on.estimate) (80% interval: \(interval)).\(assumption)"
        case .never(let level):
            return "Never at this rate: it levels off near \(level.counted("device")), which is above the limit."
                + assumption
        case .notEnoughData(let shortage): return "No forecast: \(shortage.sentence)."
        }
    }

    /// What the forecast assumes, as a further sentence; empty if it only goes by what has happened.
    private var assumption: String {
        guard let decidedOn = premise.decidedOn else { return "" }
        let ended =
            premise.installs < 1
            ? "\((1 - premise.installs).asPercentage) of the installs"
            : "no installs, because no active device applies the gallery policy"
        return " This is a what-if: it takes the rates before \(decidedOn), when the kind was marked, and assumes that "
            + "hiding it ends \(ended). From \(BaseForecast.resumes(after: decidedOn)) on, the forecast goes "
            + "by the days since."
    }

    /// The day from which forecasts go by what has happened since a decision.
    static func resumes(after decidedOn: Day) -> Day { decidedOn + (ReadinessFigures.forecastDays + 1) }
}

extension BaseForecast.Shortage {
    fileprivate var sentence: String {
        switch self {
        case .fewDays(let days):
            "it needs \(HazardEstimate.fewestDays) days of data and has \(days)"
        case .fewMovements(let count, let days):
            "only \(count) of the \(HazardEstimate.fewestMovements) movements needed (devices that lose it, fall silent or "
                + "return) in the last \(days) days"
        case .noDecline: "the number of devices with it shows no measurable decline"
        case .openLoss: "an update is taking the kind away"
        case .coverageMoved: "the share of devices that report has changed by more than a fifth"
        case .recentAct(let day):
            "the decision of \(day) is too recent to show its effect; forecasts resume on "
                + "\(BaseForecast.resumes(after: day))"
        }
    }
}
