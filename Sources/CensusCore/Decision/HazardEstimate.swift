internal import Foundation

/// The rate at which a kind's installed base shrinks: the share of its holders that leave in a day, minus those that return.
///
/// The window is 28 days, or more whole weeks, up to 84 days, until it has 100 movements. docs/why/decision.md has the
/// formulas.
struct HazardEstimate: Hashable, Sendable {
    /// The net rate per device and day.
    var rate: Double
    /// Its standard error.
    var error: Double
    /// The part of ``rate`` that falls silent, per device and day; negative if more return.
    var silentRate: Double
    /// Devices that get the kind each day.
    var arrivals: Double
    /// By how much the weekly sums vary more than if each device left by chance, at least 1.
    var dispersion: Double
    /// The length of the window.
    var weeks: Int

    static let fewestDays = 14
    static let fewestMovements = 100
    /// In weeks.
    private static let shortest = 4
    static let longest = 12

    /// How far the rate itself changes from one month to the next, as a share of it.
    private static let drift = 0.07
    /// 80% of a normal distribution lies within this many standard errors.
    static let eightyPercent = 1.28

    /// Half the width of the 80% interval of ``rate``.
    var halfWidth: Double {
        HazardEstimate.eightyPercent * (error * error + pow(HazardEstimate.drift * rate, 2)).squareRoot()
    }

    /// The longest window that some days have, in days.
    static func longestWindow(of days: ArraySlice<BaseDay>, weeks fixed: Int? = nil) -> Int {
        (fixed ?? min(longest, (days.count - 1) / 7)) * 7
    }

    /// - Parameters:
    ///   - days: consecutive, oldest first.
    ///   - fixed: the length of the window in weeks; nil: as many as it needs.
    /// - Returns: nil if there are too few days or movements.
    init?(_ days: ArraySlice<BaseDay>, weeks fixed: Int? = nil) {
        guard days.count > HazardEstimate.fewestDays else { return nil }
        let known = (days.count - 1) / 7
        guard fixed ?? 0 <= known else { return nil }
        var weeks = fixed ?? min(HazardEstimate.shortest, known)
        var length: Int { weeks * 7 }
        func movements() -> Int { days.suffix(length).reduce(0) { $0 + $1.movements } }
        while movements() < HazardEstimate.fewestMovements {
            weeks += 1
            guard fixed == nil, length <= HazardEstimate.longestWindow(of: days) else { return nil }
        }
        self.weeks = weeks
        let window = days.suffix(length)
        // The devices that can leave on a day are those that held it when the day began.
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

/// A rate that slows down over time, because owners who leave easily leave first: `scale / (delay + t)` on day `t`.
struct SlowingHazard: Hashable, Sendable {
    var scale: Double
    var delay: Double
    /// The day of the next movements, counted from the first fitted day.
    var next: Double

    private static let longest = 84
    private static let delays = [7.0, 14, 28, 56, 112, 224, 448]

    /// The most likely of several delays; nil without movements.
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
            // The expected sum is left out: it is `total` for each delay.
            let likelihood = zip(moved, weights).filter { $1 > 0 }.map { $0 * log(scale * $1) }.sum
            if best.map({ likelihood > $0.likelihood }) ?? true { best = (likelihood, scale, delay) }
        }
        guard let best else { return nil }
        (scale, delay, next) = (best.scale, best.delay, Double(moved.count))
    }

    /// - Parameter day: 0 is the day after the last one known.
    func rate(on day: Int) -> Double { scale / (delay + next + Double(day)) }
}

/// A floor of holders that never remove a kind. If only those above the floor leave, the rate falls as the base nears it.
struct MeltingFloor: Hashable, Sendable {
    /// At least this many stay, by the last weeks; 0 if they show no floor.
    var least: Double

    private static let longest = 84
    private static let shortest = 28
    /// 90% of a chi-squared distribution with one degree of freedom lies below this.
    private static let ninetyPercent = 2.7

    /// Compares the likelihoods of floors, from none to nearly all of today's holders; nil with too little data.
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
            // The expected sum is left out: it is `total` for each floor.
            let likelihood = zip(removed, leaving).map { $0 * log(rate * $1) }.sum
            return (floor: floor, likelihood: likelihood, expected: leaving.map { rate * $0 })
        }
        guard let most = fits.map(\.likelihood).max(), let best = fits.first(where: { $0.likelihood == most }) else {
            return nil
        }
        // Two numbers are fitted: rate and floor.
        let noise = weeklyDispersion(of: removed, expected: best.expected, fitted: 2)
        guard let least = fits.first(where: { 2 * (most - $0.likelihood) / noise <= MeltingFloor.ninetyPercent }) else {
            return nil
        }
        self.least = least.floor
    }
}

/// By how much the weekly sums vary more than if each movement happened by chance, at least 1: Pearson's statistic over its
/// degrees of freedom.
///
/// - Parameters:
///   - counts: by day, over more weeks than `fitted`. First days that are no whole week are left out.
///   - expected: by day, according to the fit.
///   - fitted: how many numbers were fitted to the counts.
private func weeklyDispersion(of counts: [Double], expected: [Double], fitted: Int) -> Double {
    let weeks = stride(from: counts.count % 7, to: counts.count, by: 7).map { $0..<$0 + 7 }
    let statistic = weeks.reduce(0.0) { sum, days in
        let mean = expected[days].sum
        // A week in which hardly any are expected says nothing.
        return mean > 1 ? sum + pow(counts[days].sum - mean, 2) / mean : sum
    }
    return max(1, statistic / Double(weeks.count - fitted))
}

extension Sequence<Double> {
    fileprivate var sum: Double { reduce(0, +) }
}
