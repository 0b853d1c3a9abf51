internal import Foundation

/// Counts how often a kind was lost between two consecutive successful reports: the sum of ``ReportPair``s.
public struct ReportPairs: Hashable, Sendable, Decodable {
    public var pairs: Int
    /// Pairs whose second report doesn't list the kind.
    public var lost: Int
    /// The time between the reports, summed over the pairs. Losses at the ordinary rate are proportional to it.
    public var exposedSeconds: Int

    public init(pairs: Int = 0, lost: Int = 0, exposedSeconds: Int = 0) {
        self.pairs = pairs
        self.lost = lost
        self.exposedSeconds = exposedSeconds
    }

    public var exposedDays: Double { Double(exposedSeconds) / 86_400 }

    /// 0 without pairs.
    public var lostShare: Double { Double(lost) / Double(max(1, pairs)) }

    /// A shorter gap counts as this long, because an app often reports again right after an update.
    public static let shortestGap: Duration = .hours(1)

    /// Adds a pair.
    public mutating func add(gap: Duration, isLost: Bool) {
        pairs += 1
        lost += isLost ? 1 : 0
        exposedSeconds += Int(max(ReportPairs.shortestGap, gap).components.seconds)
    }

    public static func + (left: ReportPairs, right: ReportPairs) -> ReportPairs {
        ReportPairs(
            pairs: left.pairs + right.pairs, lost: left.lost + right.lost,
            exposedSeconds: left.exposedSeconds + right.exposedSeconds)
    }

    public static func += (left: inout ReportPairs, right: ReportPairs) { left = left + right }
}

extension ReportPairs {
    /// An upper bound for losses in a day of exposure, from the exact interval of a Poisson count (Garwood 1936).
    ///
    /// - Parameter doubt: the probability that the rate lies above the bound.
    /// - Returns: nil without exposure.
    public func upperRate(doubt: Double) -> Double? {
        guard exposedDays > 0, doubt > 0, doubt < 1 else { return nil }
        /// The probability of at most `lost` events with this mean.
        func chance(_ mean: Double) -> Double {
            // From the most likely term down, so that nothing underflows.
            var term = exp(Double(lost) * log(mean) - mean - lgamma(Double(lost) + 1))
            var sum = term
            for number in stride(from: Double(lost), to: 0, by: -1) {
                let before = sum
                term *= number / mean
                sum += term
                if sum == before { break }
            }
            return sum
        }
        // The probability falls as the mean grows.
        var (low, high) = (Double(lost), Double(lost) - log(doubt))
        while chance(high) > doubt { (low, high) = (high, high + high) }
        while case let middle = (low + high) / 2, low < middle, middle < high {
            if chance(middle) > doubt { low = middle } else { high = middle }
        }
        return high / exposedDays
    }
}

/// The time between a pair's reports. People who open an app daily differ from people who open it weekly, so their pairs are
/// not compared with each other.
public enum ReportGap: String, Hashable, Sendable, Decodable, CaseIterable {
    /// At most two days.
    case short
    /// At most ``longest``.
    case long
    /// More than ``longest``: such pairs are shown but are not evidence.
    case late

    public static let longest: Duration = .days(14)

    public init(_ gap: Duration) {
        self = gap <= .days(2) ? .short : gap <= ReportGap.longest ? .long : .late
    }
}

/// A group of pairs that are compared with each other.
public struct LossStratum: Hashable, Sendable, Decodable {
    /// Whether the OS was updated between the two reports.
    public var isOtherOS: Bool
    public var gap: ReportGap

    public init(isOtherOS: Bool = false, gap: ReportGap = .short) {
        self.isOtherOS = isOtherOS
        self.gap = gap
    }

    /// All strata, those that are evidence first.
    static let all = ReportGap.allCases.flatMap { gap in
        [false, true].map { LossStratum(isOtherOS: $0, gap: gap) }
    }

    var isEvident: Bool { gap != .late }
    /// Each has its own evidence.
    static let evident = all.filter(\.isEvident)
}

/// Evidence that devices that update lose a kind faster than others in the same nights. It can be checked every night.
///
/// It is an e-value. As long as updating devices lose the kind at most ``tolerance`` times as fast as others, the probability
/// that the evidence ever reaches `1 / a` is at most `a`, however often it is checked (Ville's inequality). It is a mean over
/// several sizes of the loss, and each term is a product of likelihood ratios. Given how many devices lose the kind in a night,
/// only the number of updated ones among them counts, so changes of the ordinary rate cancel out. docs/why/decision.md has the
/// method.
public struct LossEvidence: Hashable, Sendable {
    /// Up to this many times the others' rate is not a loss.
    public let tolerance: Double
    /// The loss rates to test, as multiples of the others' rate.
    private let sizes: [Double]
    /// The logarithm of each size's product so far.
    private(set) var logRatios: [Double]

    private static let sizes = [2.5, 3, 4, 6, 10, 18, 32, 60, 110, 200, 400, 1000]

    public init(tolerance: Double = LossWatch.leastTolerance) {
        self.tolerance = tolerance
        sizes = LossEvidence.sizes.filter { $0 > tolerance }
        logRatios = sizes.map { _ in 0 }
    }

    /// What a night's updates are compared with.
    enum Comparison: Hashable {
        /// Devices that did not update.
        case others
        /// The tolerated share of losses, from a bound that was known before the first update.
        case share(Double)
        /// Nothing: not even a total loss would be evidence.
        case nothing
    }

    /// Adds a night's pairs with an update, compared with the other pairs of the night.
    ///
    /// - Parameter bound: the most losses in a day without an update, as known before the first update. It is used if the night
    ///   has too few other pairs, such as when all devices have updated.
    public mutating func add(_ updates: ReportPairs, beside others: ReportPairs, bound: Double? = nil) {
        let comparison = LossEvidence.comparison(of: updates, beside: others, bound: bound, tolerance: tolerance)
        add(updates, beside: others, comparedWith: comparison)
    }

    mutating func add(_ updates: ReportPairs, beside others: ReportPairs, comparedWith comparison: Comparison) {
        let tolerance = tolerance
        switch comparison {
        case .others:
            let both = Double(updates.lost + others.lost)
            let exposed = tolerance * updates.exposedDays + others.exposedDays
            guard exposed > 0 else { return }
            add(updates) { size in -both * log((size * updates.exposedDays + others.exposedDays) / exposed) }
        case .share(let share):
            // Each size multiplies the odds, so no share exceeds 1.
            let pairs = Double(updates.pairs)
            add(updates) { size in -pairs * log(1 + (size / tolerance - 1) * share) }
        case .nothing: break
        }
    }

    /// The choice depends on what was known before the night and on how many reported, never on how many lost the kind.
    static func comparison(
        of updates: ReportPairs, beside others: ReportPairs, bound: Double?, tolerance: Double
    ) -> Comparison {
        guard isAlone(updates, beside: others) else { return .others }
        if let bound {
            let share = tolerance * bound * updates.exposedDays / Double(updates.pairs)
            if share < mostTolerated { return .share(share) }
        }
        return others.exposedDays > 0 ? .others : .nothing
    }

    static func isAlone(_ updates: ReportPairs, beside others: ReportPairs) -> Bool {
        others.exposedDays < fewestOthers * updates.exposedDays
    }

    private mutating func add(_ updates: ReportPairs, expected: (Double) -> Double) {
        for (index, size) in sizes.enumerated() {
            logRatios[index] += Double(updates.lost) * log(size / tolerance) + expected(size)
        }
    }

    /// Others with less exposure than this share of the updates' are too few to compare with.
    private static let fewestOthers = 0.05
    /// A bound that tolerates the loss by half of the updates shows nothing.
    private static let mostTolerated = 0.5

    /// The mean over the sizes; at most 1e300.
    public var value: Double {
        guard let most = logRatios.max() else { return 1 }
        let sum = logRatios.reduce(0) { $0 + exp($1 - most) }
        return exp(min(690, most)) * sum / Double(logRatios.count)
    }
}

/// The evidence of all strata: the mean of the evidence with and without an OS update.
///
/// In a product, a stratum that shows nothing would reduce what another shows. A mean of e-values is an e-value, even if they
/// depend on each other. A stratum without updates counts as evidence 1. Both with and without an OS update, half of the weight
/// is on all gaps together, each compared with pairs of the same gap, and half is on the gaps separately.
public struct StratifiedEvidence: Hashable, Sendable {
    private let tolerance: Double
    private var apart: [LossStratum: LossEvidence] = [:]
    /// Keyed by whether the OS was updated.
    private var together: [Bool: LossEvidence] = [:]

    public init(tolerance: Double = LossWatch.leastTolerance) { self.tolerance = tolerance }

    /// See ``LossEvidence/add(_:beside:bound:)``.
    public mutating func add(
        _ updates: ReportPairs, beside others: ReportPairs, bound: Double? = nil, in stratum: LossStratum
    ) {
        let comparison = LossEvidence.comparison(of: updates, beside: others, bound: bound, tolerance: tolerance)
        apart[stratum, default: LossEvidence(tolerance: tolerance)]
            .add(updates, beside: others, comparedWith: comparison)
        together[stratum.isOtherOS, default: LossEvidence(tolerance: tolerance)]
            .add(updates, beside: others, comparedWith: comparison)
    }

    public var value: Double {
        let ofGaps = LossStratum.evident.reduce(0) { $0 + (apart[$1]?.value ?? 1) } / Double(LossStratum.evident.count)
        let ofAll = [false, true].reduce(0) { $0 + (together[$1]?.value ?? 1) } / 2
        return ofAll / 2 + ofGaps / 2
    }
}

/// The evidence against one target version for one kind, from all previous versions together and from each separately.
///
/// Half of the weight is on all together. The previous versions share the rest in order of appearance: 1/2, 1/6, 1/12, … A mean
/// with weights fixed in advance is an e-value, too. Versions that have not appeared yet count as evidence 1.
public struct TargetEvidence: Hashable, Sendable {
    public var pooled: StratifiedEvidence
    public var byOrigin: [StratifiedEvidence]

    public init(pooled: StratifiedEvidence, byOrigin: [StratifiedEvidence]) {
        self.pooled = pooled
        self.byOrigin = byOrigin
    }

    public var value: Double {
        let apart = byOrigin.enumerated().reduce(1 / Double(byOrigin.count + 1)) { sum, origin in
            let place = Double(origin.offset + 1)
            return sum + origin.element.value / (place * (place + 1))
        }
        return pooled.value / 2 + apart / 2
    }
}

/// How many false alarms an app's team accepts in a year, and what share of that budget each test gets.
public struct AlarmBudget: Hashable, Sendable {
    /// Expected false incidents per app and year.
    public var perYear: Double

    public init(perYear: Double = 0.01) { self.perYear = perYear }

    /// This many versions of a year share nine tenths of the budget evenly.
    private static let regularVersions = 52

    /// Kinds with fewer holders are not tested.
    public static let fewestHolders = 20

    /// The allowed probability of a false alarm for one kind and one target version.
    ///
    /// - Parameters:
    ///   - version: how many target versions the year had before. Those after the 52nd share the last tenth: 1/2, 1/6, …
    ///   - kinds: how many kinds had ``fewestHolders`` when the version first appeared.
    ///   - late: nil for one of these kinds. For a kind that had fewer holders, how many such kinds came before it; they share
    ///     one spare slot: 1/2, 1/6, …
    public func chance(version: Int, kinds: Int, late: Int? = nil) -> Double {
        let share: Double
        if version < AlarmBudget.regularVersions {
            share = 0.9 / Double(AlarmBudget.regularVersions)
        } else {
            let place = Double(version - AlarmBudget.regularVersions + 1)
            share = 0.1 / (place * (place + 1))
        }
        let slot = perYear * share / Double(kinds + 1)
        return late.map { slot / (Double($0 + 1) * Double($0 + 2)) } ?? slot
    }
}
