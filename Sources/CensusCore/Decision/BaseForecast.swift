internal import Foundation

/// When a kind's installed base will have melted to its limit, at the rate of the last weeks.
///
/// Two pools melt apart: active holders leave at a rate; silent ones leave by age alone, a year after they fell silent.
public struct BaseForecast: Hashable, Sendable {
    /// An estimate with its 80 % interval.
    public struct Interval<Value: Hashable & Sendable>: Hashable, Sendable {
        public var estimate: Value
        public var low: Value
        /// Nil: the interval has no upper end.
        public var high: Value?
    }

    public enum Outcome: Hashable, Sendable {
        /// The base is, or will be, at or under the limit for so many days running on this day.
        case ready(Interval<Day>)
        /// At this rate it never gets there: it levels off near this many devices.
        case never(levelsOffNear: Int)
        case notEnoughData(Shortage)
    }

    /// Why no forecast is made.
    public enum Shortage: Hashable, Sendable {
        case fewDays(Int)
        case fewMovements(Int)
        /// The base does not melt, as far as can be told.
        case noDecline
        case openLoss
        case coverageMoved
        /// A decision changed what people see, too recently to tell what it did.
        case recentAct(on: Day)
    }

    /// The holders on one future day, with an interval for their number.
    public struct FanDay: Hashable, Sendable {
        public var day: Day
        public var low: Double
        public var estimate: Double
        public var high: Double
    }

    /// How many days it takes half of the holders to leave; nil when that is unknown.
    public let halfLife: Interval<Double>?
    public let outcome: Outcome
    /// From the last known day by weeks until it is ready at the latest, or for a year; empty where no day is given.
    public let fan: [FanDay]

    /// No date is given beyond this.
    private static let horizon = 3_650

    /// - Parameters:
    ///   - days: consecutive closed days, the last one the newest.
    ///   - expiring: how many of the silent holders reach a year on each day.
    ///   - limit: how many holders there may be, and `readyDays`: for how many days running.
    ///   - streak: for how many days running that has been so; nil: by this limit.
    ///   - hindrance: why the last weeks say nothing about the next ones; nil when there is no such reason.
    ///   - earliest: it is not ready before this day, whatever the holders do.
    public init(
        _ days: [BaseDay], expiring: [Day: Int] = [:], limit: Int, readyDays: Int, streak: Int? = nil,
        earliest: Day? = nil, hindrance: Shortage? = nil
    ) {
        let estimate = HazardEstimate(days[...])
        if let hindrance = hindrance ?? BaseForecast.shortage(days, estimate) {
            (halfLife, outcome, fan) = (nil, .notEnoughData(hindrance), [])
            return
        }
        guard let estimate, let last = days.last else {
            (halfLife, outcome, fan) = (nil, .notEnoughData(.noDecline), [])
            return
        }
        let half = estimate.halfWidth * ForecastRecord(days).widening
        let slow = max(0, estimate.rate - half)
        let fast = estimate.rate + half
        halfLife = Interval(
            estimate: log(2) / estimate.rate, low: log(2) / fast, high: slow > 0 ? log(2) / slow : nil)

        let pools = Pools(last, estimate, expiring: expiring, limit: limit)
        let streak = streak ?? days.reversed().prefix { $0.holders <= limit }.count
        // The days ahead add their own noise to the uncertainty of the rate.
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
        if let slowing = SlowingHazard(days[...]) { candidates.append(readyOn(slowing.rate)) }
        let known = candidates.compactMap { $0 }
        // A floor of holders who never remove it looks like an end until the base comes near it.
        let isHeldUp = MeltingFloor(days[...]).map { $0.least > Double(limit) } ?? false
        func day(_ count: Int) -> Day { max(last.day + count, earliest ?? last.day) }
        outcome = .ready(
            Interval(
                estimate: day(expected), low: day(known.min() ?? expected),
                high: known.count == candidates.count && !isHeldUp ? day(known.max() ?? expected) : nil))
        fan = pools.fan(days: min(known.max() ?? expected, 365), fast, estimate.rate, slow)
    }

    private static func shortage(_ days: [BaseDay], _ estimate: HazardEstimate?) -> Shortage? {
        guard days.count > HazardEstimate.fewestDays else { return .fewDays(max(0, days.count - 1)) }
        guard let estimate else { return .fewMovements(days.suffix(84).reduce(0) { $0 + $1.movements }) }
        guard estimate.rate > HazardEstimate.eightyPercent * estimate.error else { return .noDecline }
        return nil
    }
}

/// The active and the silent holders of a kind, as time passes.
private struct Pools {
    private var active: Double
    private var silent: Double
    private let limit: Double
    private let estimate: HazardEstimate
    private let today: Day
    /// How many of today's silent holders leave on each day.
    private let expiring: [Day: Int]
    /// Those that fell silent since, by day.
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

    /// The standard deviation of the holders: which of today's active ones leave is a matter of chance.
    private var deviation: Double {
        // More may return than fall silent.
        let uncertain = active + max(0, fallen.suffix(DeviceReading.silentDays).reduce(0, +))
        return (estimate.dispersion * uncertain).squareRoot()
    }

    /// - Parameter day: 0 is the day after the last one known.
    mutating func pass(_ day: Int, rate: Double) {
        // Those that fall silent stay the same share of those that leave.
        let fallen = active * rate * (estimate.silentRate / estimate.rate)
        active = max(0, active * (1 - rate) + estimate.arrivals)
        self.fallen.append(fallen)
        let aged = day - DeviceReading.silentDays
        silent += fallen - Double(expiring[today + (day + 1)] ?? 0) - (aged >= 0 ? self.fallen[aged] : 0)
        silent = max(0, silent)
    }

    /// The holders week by week, at each of three rates, where chance takes the outer ones further out.
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

    /// How many days pass until the holders were at or under the limit for `wanted` days running; nil when they don't get there.
    ///
    /// - Parameter noise: by how many standard deviations more hold the kind than expected.
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

/// How forecasts from each past week would have done: the interval is widened if it covered too little of what happened.
struct ForecastRecord: Hashable, Sendable {
    /// What the half width of the interval is multiplied by, at least 1.
    let widening: Double

    private static let horizons = [7, 14, 28]
    private static let wanted = 0.8
    private static let widenings = [1, 1.25, 1.5, 2, 2.5, 3]
    private static let mostWidening = 4.0

    init(_ days: [BaseDay]) {
        /// By how much a forecast missed, next to what it allowed for, and the noise of the days ahead.
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
        // A few forecasts tell nothing about coverage.
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
    /// The forecast as a person would say it.
    public var sentence: String {
        switch outcome {
        case .ready(let on):
            let latest = on.high.map { "\($0)" } ?? "an open end"
            return "At this rate it is ready on \(on.estimate) (80 % interval: \(on.low) to \(latest))."
        case .never(let level):
            return "Never at this rate: it levels off near \(level.counted("device")), above the limit."
        case .notEnoughData(let shortage): return "No forecast: \(shortage.sentence)."
        }
    }
}

extension BaseForecast.Shortage {
    fileprivate var sentence: String {
        switch self {
        case .fewDays(let days): "it takes \(HazardEstimate.fewestDays) days, and there are \(days)"
        case .fewMovements(let count):
            "too little moves: \(count.counted("movement")), and it takes \(HazardEstimate.fewestMovements)"
        case .noDecline: "as far as can be told, nobody leaves"
        case .openLoss: "an update is taking the kind away"
        case .coverageMoved: "the share of devices that report has moved by more than a fifth"
        case .recentAct(let day):
            "a decision of \(day) is too recent to tell what it changes; the next forecast is made on "
                + "\(day + (ReadinessFigures.forecastDays + 1))"
        }
    }
}
