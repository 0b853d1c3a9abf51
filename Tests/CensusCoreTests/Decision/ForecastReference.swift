import Foundation

@testable import CensusCore

/// The rate at which a base melts, as in docs/why/decision.md, section 2.
struct RateReference {
    private(set) var rate = 0.0
    private(set) var error = 0.0
    private(set) var silentRate = 0.0
    private(set) var arrivals = 0.0
    private(set) var dispersion = 1.0

    var halfWidth: Double { 1.28 * (error * error + 0.07 * rate * 0.07 * rate).squareRoot() }

    init?(_ days: [BaseDay]) {
        let known = days.count - 1
        guard known >= 14, let window = RateReference.window(days) else { return nil }
        var (left, toSilent, came, moved, exposure) = (0, 0, 0, 0, 0)
        for number in window {
            let day = days[number]
            left += day.removed + day.fellSilent - day.returned
            toSilent += day.fellSilent - day.returned
            came += day.installed
            moved += RateReference.movements(day)
            exposure += days[number - 1].certain
        }
        guard exposure > 0 else { return nil }
        rate = Double(left) / Double(exposure)
        silentRate = Double(toSilent) / Double(exposure)
        arrivals = Double(came) / Double(window.count)
        dispersion = RateReference.dispersion(
            of: window.map { Double(RateReference.movements(days[$0])) },
            expected: window.map { Double(days[$0 - 1].certain) * Double(moved) / Double(exposure) }, fitted: 1)
        error = (dispersion * Double(moved)).squareRoot() / Double(exposure)
    }

    static func movements(_ day: BaseDay) -> Int { abs(day.removed) + day.fellSilent + day.returned }

    /// The last 28 days, or as many whole weeks as are known; more weeks, at most twelve, until 100 movements are seen.
    private static func window(_ days: [BaseDay]) -> Range<Int>? {
        let known = (days.count - 1) / 7
        for weeks in min(4, known)...12 where weeks <= known {
            let window = (days.count - 7 * weeks)..<days.count
            if window.reduce(0, { $0 + movements(days[$1]) }) >= 100 { return window }
        }
        return nil
    }

    /// By week from the newest day back, skipping weeks in which at most one movement is expected.
    static func dispersion(of counts: [Double], expected: [Double], fitted: Int) -> Double {
        var (statistic, weeks, end) = (0.0, 0, counts.count)
        while end >= 7 {
            let (seen, mean) = (counts[end - 7..<end].reduce(0, +), expected[end - 7..<end].reduce(0, +))
            if mean > 1 { statistic += (seen - mean) * (seen - mean) / mean }
            weeks += 1
            end -= 7
        }
        return max(1, statistic / Double(weeks - fitted))
    }
}

/// The likeliest rate of the form `scale / (delay + day)`, where day 0 is the first of the last 84.
struct SlowingReference {
    private(set) var scale = 0.0
    private(set) var delay = 0.0
    private(set) var count = 0
    /// How much likelier it is than the next one.
    private(set) var lead = Double.infinity

    init?(_ days: [BaseDay]) {
        let days = Array(days.suffix(85))
        let moved = days.dropFirst().map { Double(max(0, $0.removed + $0.fellSilent - $0.returned)) }
        guard moved.contains(where: { $0 > 0 }) else { return nil }
        count = moved.count
        var fits: [(likelihood: Double, scale: Double, delay: Double)] = []
        for delay in [7.0, 14, 28, 56, 112, 224, 448] {
            var (weight, likelihood) = (0.0, 0.0)
            for (number, day) in days.dropLast().enumerated() {
                weight += Double(day.certain) / (delay + Double(number))
            }
            let scale = moved.reduce(0, +) / weight
            for (number, count) in moved.enumerated() where days[number].certain > 0 {
                let mean = scale * Double(days[number].certain) / (delay + Double(number))
                likelihood += count * log(mean) - mean
            }
            fits.append((likelihood, scale, delay))
        }
        fits.sort { $0.likelihood > $1.likelihood }
        (scale, delay) = (fits[0].scale, fits[0].delay)
        lead = fits[0].likelihood - fits[1].likelihood
    }

    func rate(on day: Int) -> Double { scale / (delay + Double(count + day)) }
}

/// The lowest floor, in fiftieths of today's holders, that is not much less likely than the likeliest one.
func floorReference(_ days: [BaseDay]) -> Double? {
    let days = Array(days.suffix(85))
    guard days.count >= 29, let level = days.last?.certain else { return nil }
    let removed = days.dropFirst().map { Double(max(0, $0.removed)) }
    let total = removed.reduce(0, +)
    guard total >= 100 else { return nil }
    var fits: [(floor: Double, likelihood: Double, expected: [Double])] = []
    for fiftieth in 0...49 {
        let floor = Double(level) * Double(fiftieth) / 50
        let above = days.dropLast().map { max(1e-9, Double($0.certain) - floor) }
        let expected = above.map { $0 * total / above.reduce(0, +) }
        let likelihood = zip(removed, expected).reduce(0.0) { $0 + $1.0 * log($1.1) - $1.1 }
        fits.append((floor, likelihood, expected))
    }
    guard let best = fits.max(by: { $0.likelihood < $1.likelihood }) else { return nil }
    let noise = RateReference.dispersion(of: removed, expected: best.expected, fitted: 2)
    return fits.first { 2 * (best.likelihood - $0.likelihood) <= 2.7 * noise }?.floor
}

/// How much wider the interval would have to be to have covered 80% of the outcomes.
func wideningReference(_ days: [BaseDay]) -> Double {
    var misses: [(miss: Double, allowed: Double, noise: Double)] = []
    var origin = days.count - 8
    while origin >= 29 {
        for horizon in [7, 14, 28] where origin + horizon <= days.count - 1 {
            guard let estimate = RateReference(Array(days[...origin])) else { continue }
            var (expected, slower) = (Double(days[origin].certain), Double(days[origin].certain))
            for _ in 1...horizon {
                expected += estimate.arrivals - estimate.rate * expected
                slower += estimate.arrivals - (estimate.rate - estimate.halfWidth) * slower
            }
            let movements = Double(horizon) * (abs(estimate.rate) * expected + estimate.arrivals)
            misses.append(
                (
                    abs(Double(days[origin + horizon].certain) - expected), abs(slower - expected),
                    1.28 * (estimate.dispersion * movements).squareRoot()
                ))
        }
        origin -= 7
    }
    guard misses.count >= 10 else { return 1 }
    for factor in [1, 1.25, 1.5, 2, 2.5, 3] {
        let covered = misses.count { one in
            one.miss * one.miss <= factor * factor * one.allowed * one.allowed + one.noise * one.noise
        }
        if 10 * covered >= 8 * misses.count { return factor }
    }
    return 4
}

/// A forecast that simulates each day.
struct ForecastReference {
    let days: [BaseDay]
    let expiring: [Day: Int]
    let limit: Int
    let readyDays: Int
    let streak: Int?
    let rate: RateReference
    let fast: Double
    let slow: Double

    /// - Returns: nil if there is no rate, or if it is not clearly above 0.
    init?(_ days: [BaseDay], expiring: [Day: Int], limit: Int, readyDays: Int, streak: Int?) {
        guard let rate = RateReference(days), rate.rate > 1.28 * rate.error else { return nil }
        (self.days, self.expiring, self.limit, self.readyDays) = (days, expiring, limit, readyDays)
        self.streak = streak
        self.rate = rate
        let half = rate.halfWidth * wideningReference(days)
        (fast, slow) = (rate.rate + half, max(0, rate.rate - half))
    }

    private var today: BaseDay { days[days.count - 1] }

    /// The expected holders after each day, and their deviation.
    func levels(_ count: Int, _ rates: (Int) -> Double) -> [(holders: Double, deviation: Double)] {
        var (active, silent, fallen) = (Double(today.possible), Double(today.silent), [Double]())
        var young = 0.0
        return (0..<count).map { day in
            let left = active * rates(day)
            let fell = left * rate.silentRate / rate.rate
            active = max(0, active - left + rate.arrivals)
            fallen.append(fell)
            let old = day < 365 ? 0 : fallen[day - 365]
            young += fell - old
            let expired = expiring[Day(daysSince1970: today.day.daysSince1970 + Int32(day) + 1)] ?? 0
            silent = max(0, silent + fell - Double(expired) - old)
            return (active + silent, (rate.dispersion * (active + max(0, young))).squareRoot())
        }
    }

    /// How many days pass until the limit has held for long enough; nil: more than ten years.
    func readyOn(noise: Double = 0, _ rates: (Int) -> Double) -> Int? {
        var streak = streak ?? days.reversed().prefix { $0.possible + $0.silent <= limit }.count
        if streak >= readyDays { return 0 }
        for (day, level) in levels(3_650, rates).enumerated() {
            let isUnder = (level.holders + noise * level.deviation).rounded() <= Double(limit)
            streak = isUnder ? streak + 1 : 0
            if streak >= readyDays { return day + 1 }
        }
        return nil
    }

    /// The expected day, and the earliest and latest of four scenarios. The latest is nil if one of them never gets ready.
    func ready() -> (expected: Int, low: Int, high: Int?, most: Int)? {
        guard let expected = readyOn({ _ in rate.rate }) else { return nil }
        var ways = [expected, readyOn(noise: -1.28) { _ in fast }, readyOn(noise: 1.28) { _ in slow }]
        if let slowing = SlowingReference(days) { ways.append(readyOn(slowing.rate)) }
        let known = ways.compactMap { $0 }
        let isHeldUp = floorReference(days).map { $0 > Double(limit) } ?? false
        let most = known.max() ?? expected
        return (expected, known.min() ?? expected, known.count < ways.count || isHeldUp ? nil : most, most)
    }

    /// Weekly values, and those of the last day.
    func fan(_ count: Int) -> [(day: Int, low: Double, estimate: Double, high: Double)] {
        let holders = Double(today.possible + today.silent)
        let low = levels(count) { _ in fast }
        let expected = levels(count) { _ in rate.rate }
        let high = levels(count) { _ in slow }
        let shown = (0...count).filter { $0 % 7 == 0 || $0 == count }
        return shown.map { day in
            if day == 0 { return (0, holders, holders, holders) }
            let (fast, slow) = (low[day - 1], high[day - 1])
            return (
                day, max(0, fast.holders - 1.28 * fast.deviation), expected[day - 1].holders,
                slow.holders + 1.28 * slow.deviation
            )
        }
    }
}
