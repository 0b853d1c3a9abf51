internal import Foundation

/// At what rate a kind's installed base melts: the share of its holders that leave in a day, less those that come back.
///
/// Estimated over 28 days, or by whole weeks up to 84 until 100 movements are seen. docs/why/decision.md has the formulas, and what
/// else was tried.
struct HazardEstimate: Hashable, Sendable {
    /// The net rate, per device and day.
    var rate: Double
    /// Its standard error.
    var error: Double
    /// The part of ``rate`` that goes to the silent pool, per device and day; may be negative.
    var silentRate: Double
    /// Devices that get the kind in a day.
    var arrivals: Double
    /// How many times more the weekly sums vary than if each device left by chance, at least 1.
    var dispersion: Double

    static let fewestDays = 14
    static let fewestMovements = 100
    /// In weeks.
    private static let shortest = 4
    private static let longest = 12

    /// How far the rate itself wanders from one month to the next, as a share of it.
    private static let drift = 0.07
    /// 80 % of a normal distribution lies within this many standard errors.
    static let eightyPercent = 1.28

    /// Half of the 80 % interval of ``rate``.
    var halfWidth: Double {
        HazardEstimate.eightyPercent * (error * error + pow(HazardEstimate.drift * rate, 2)).squareRoot()
    }

    /// - Parameter days: consecutive, the last one the newest.
    /// - Returns: nil when they are too few, or too little moved.
    init?(_ days: ArraySlice<BaseDay>) {
        guard days.count > HazardEstimate.fewestDays else { return nil }
        let known = (days.count - 1) / 7
        var weeks = min(HazardEstimate.shortest, known)
        var length: Int { weeks * 7 }
        func movements() -> Int { days.suffix(length).reduce(0) { $0 + $1.movements } }
        while movements() < HazardEstimate.fewestMovements {
            weeks += 1
            guard weeks <= min(HazardEstimate.longest, known) else { return nil }
        }
        let window = days.suffix(length)
        // A day's movements are those of the devices that held it when the day began.
        let exposed = days.dropLast().suffix(length).map { Double($0.certain) }
        let exposure = exposed.sum
        guard exposure > 0 else { return nil }
        rate = Double(window.reduce(0) { $0 + $1.net }) / exposure
        silentRate = Double(window.reduce(0) { $0 + $1.fellSilent - $1.returned }) / exposure
        arrivals = Double(window.reduce(0) { $0 + $1.installed }) / Double(length)
        let all = Double(movements())
        dispersion = weeklyDispersion(
            of: window.map { Double($0.movements) }, expected: exposed.map { $0 * all / exposure }, fitted: 1)
        error = (dispersion * all).squareRoot() / exposure
    }
}

/// A rate that slows down as time goes by, because those who leave easily leave first: `scale / (delay + t)` on day `t`.
struct SlowingHazard: Hashable, Sendable {
    var scale: Double
    var delay: Double
    /// The day of the next movements, counted from the first one that was fitted.
    var next: Double

    private static let longest = 84
    private static let delays = [7.0, 14, 28, 56, 112, 224, 448]

    /// The likeliest of some delays; nil when nothing moved.
    init?(_ days: ArraySlice<BaseDay>) {
        let window = Array(days.suffix(SlowingHazard.longest + 1))
        let moved = window.dropFirst().map { Double(max(0, $0.net)) }
        let exposed = window.dropLast().map { Double($0.certain) }
        let total = moved.sum
        guard total > 0 else { return nil }
        var best: (likelihood: Double, scale: Double, delay: Double)?
        for delay in SlowingHazard.delays {
            let weights = exposed.enumerated().map { $1 / (delay + Double($0)) }
            let scale = total / weights.sum
            // Less what is expected in all, which is `total` for each delay.
            let likelihood = zip(moved, weights).filter { $1 > 0 }.map { $0 * log(scale * $1) }.sum
            if best.map({ likelihood > $0.likelihood }) ?? true { best = (likelihood, scale, delay) }
        }
        guard let best else { return nil }
        (scale, delay, next) = (best.scale, best.delay, Double(moved.count))
    }

    /// - Parameter day: 0 is the day after the last one known.
    func rate(on day: Int) -> Double { scale / (delay + next + Double(day)) }
}

/// Holders who never remove a kind: when only those above a floor leave, the rate falls as the base comes near it.
struct MeltingFloor: Hashable, Sendable {
    /// At least this many stay, as far as the last weeks show; 0 if they show no floor.
    var least: Double

    private static let longest = 84
    private static let shortest = 28
    /// 90 % of a chi-squared distribution with one degree of freedom lies below this.
    private static let ninetyPercent = 2.7

    /// By the likelihood of floors from none to nearly all who hold it today; nil when there is too little to go by.
    init?(_ days: ArraySlice<BaseDay>) {
        let window = Array(days.suffix(MeltingFloor.longest + 1))
        guard window.count > MeltingFloor.shortest, let last = window.last else { return nil }
        let level = Double(last.certain)
        let removed = window.dropFirst().map { Double(max(0, $0.removed)) }
        let exposed = window.dropLast().map { Double($0.certain) }
        let total = removed.sum
        guard total >= Double(HazardEstimate.fewestMovements) else { return nil }
        let fits = stride(from: 0, to: 50, by: 1).map { step in
            let floor = level * Double(step) / 50
            let leaving = exposed.map { max(1e-9, $0 - floor) }
            let rate = total / leaving.sum
            // Less what is expected in all, which is `total` for each floor.
            let likelihood = zip(removed, leaving).map { $0 * log(rate * $1) }.sum
            return (floor: floor, likelihood: likelihood, expected: leaving.map { rate * $0 })
        }
        guard let most = fits.map(\.likelihood).max(), let best = fits.first(where: { $0.likelihood == most }) else {
            return nil
        }
        // Rate and floor were fitted.
        let noise = weeklyDispersion(of: removed, expected: best.expected, fitted: 2)
        guard let least = fits.first(where: { 2 * (most - $0.likelihood) / noise <= MeltingFloor.ninetyPercent }) else {
            return nil
        }
        self.least = least.floor
    }
}

/// How many times more the weekly sums of some movements vary than if each happened by chance, at least 1: Pearson's statistic over its
/// degrees of freedom.
///
/// - Parameters:
///   - counts: by day, of more weeks than numbers were fitted. The first days are left out where they are no whole week.
///   - expected: of each day, by the fit.
///   - fitted: how many numbers were fitted to the counts.
private func weeklyDispersion(of counts: [Double], expected: [Double], fitted: Int) -> Double {
    let weeks = stride(from: counts.count % 7, to: counts.count, by: 7).map { $0..<$0 + 7 }
    let statistic = weeks.reduce(0.0) { sum, days in
        let mean = expected[days].sum
        // A week in which hardly any are expected tells nothing.
        return mean > 1 ? sum + pow(counts[days].sum - mean, 2) / mean : sum
    }
    return max(1, statistic / Double(weeks.count - fitted))
}

extension Sequence<Double> {
    fileprivate var sum: Double { reduce(0, +) }
}
