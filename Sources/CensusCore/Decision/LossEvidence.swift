internal import Foundation

/// How often a kind was lost between two successive successful reports: ``ReportPair``s added up.
public struct ReportPairs: Hashable, Sendable, Decodable {
    public var pairs: Int
    /// Those whose second report lists nothing of the kind.
    public var lost: Int
    /// The time between the reports, summed over the pairs: what a loss at the ordinary rate is proportional to.
    public var exposedSeconds: Int

    public init(pairs: Int = 0, lost: Int = 0, exposedSeconds: Int = 0) {
        self.pairs = pairs
        self.lost = lost
        self.exposedSeconds = exposedSeconds
    }

    public var exposedDays: Double { Double(exposedSeconds) / 86_400 }

    /// 0 without pairs.
    public var lostShare: Double { Double(lost) / Double(max(1, pairs)) }

    /// A shorter gap counts as this much: an app often reports once more right after an update.
    public static let shortestGap: Duration = .hours(1)

    /// Another pair.
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
    /// At most how many lose the kind in a day of exposure, by the exact interval of a Poisson count (Garwood 1936).
    ///
    /// - Parameter doubt: how likely the rate may be to lie above the result.
    /// - Returns: nil without exposure.
    public func upperRate(doubt: Double) -> Double? {
        guard exposedDays > 0, doubt > 0, doubt < 1 else { return nil }
        /// How likely at most so many events are at a mean.
        func chance(_ mean: Double) -> Double {
            // From the likeliest term down, so that nothing underflows.
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
        // The chance falls as the mean grows.
        var (low, high) = (Double(lost), Double(lost) - log(doubt))
        while chance(high) > doubt { (low, high) = (high, high + high) }
        while case let middle = (low + high) / 2, low < middle, middle < high {
            if chance(middle) > doubt { low = middle } else { high = middle }
        }
        return high / exposedDays
    }
}

/// How long the time between a pair's reports was. People who open an app daily and people who open it weekly are not alike, so
/// their pairs are not compared with one another.
public enum ReportGap: String, Hashable, Sendable, Decodable, CaseIterable {
    /// At most two days.
    case short
    /// At most ``longest``.
    case long
    /// More than ``longest``: such pairs are shown, and are no evidence.
    case late

    public static let longest: Duration = .days(14)

    public init(_ gap: Duration) {
        self = gap <= .days(2) ? .short : gap <= ReportGap.longest ? .long : .late
    }
}

/// What pairs have in common that are compared with one another.
public struct LossStratum: Hashable, Sendable, Decodable {
    /// Whether the OS was updated between the reports.
    public var isOtherOS: Bool
    public var gap: ReportGap

    public init(isOtherOS: Bool = false, gap: ReportGap = .short) {
        self.isOtherOS = isOtherOS
        self.gap = gap
    }

    /// Those that are evidence come first.
    static let all = ReportGap.allCases.flatMap { gap in
        [false, true].map { LossStratum(isOtherOS: $0, gap: gap) }
    }

    var isEvident: Bool { gap != .late }
    /// Each has evidence of its own.
    static let evident = all.filter(\.isEvident)
}

/// Evidence that those who update lose a kind faster than others do in the same nights. It may be looked at every night.
///
/// An e-value: as long as those who update lose it at most ``tolerance`` times as fast as others, the chance that the evidence
/// ever reaches `1 / a` is at most `a`, however often it is looked at (Ville's inequality). It is a mean over several sizes of
/// the loss, each a product of likelihood ratios; given how many lose it in a night, only how many of these have updated
/// counts, so that an ordinary rate that moves cancels. docs/why/decision.md says what else was tried.
public struct LossEvidence: Hashable, Sendable {
    /// How many times as fast still counts as no loss.
    public let tolerance: Double
    /// How many times as fast those who update might lose it.
    private let sizes: [Double]
    /// For each size, the logarithm of the product so far.
    private(set) var logRatios: [Double]

    private static let sizes = [2.5, 3, 4, 6, 10, 18, 32, 60, 110, 200, 400, 1000]

    public init(tolerance: Double = LossWatch.leastTolerance) {
        self.tolerance = tolerance
        sizes = LossEvidence.sizes.filter { $0 > tolerance }
        logRatios = sizes.map { _ in 0 }
    }

    /// What a night's updates are compared with.
    enum Comparison: Hashable {
        /// Those who did not update.
        case others
        /// The share of the updates that may lose it, by what was known before the first of them.
        case share(Double)
        /// Nothing: even the loss of all of them would be no evidence.
        case nothing
    }

    /// A night's pairs of those who updated, beside those of the others in the same night.
    ///
    /// - Parameter bound: at most how many others lose it in a day, as known before the first of the updates; it stands in
    ///   where there are too few others in the night, such as when all have updated.
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
            // Each size multiplies the odds, so that no share exceeds 1.
            let pairs = Double(updates.pairs)
            add(updates) { size in -pairs * log(1 + (size / tolerance - 1) * share) }
        case .nothing: break
        }
    }

    /// It depends on what was known before the night and on how many reported, never on how many lost it.
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

    /// Fewer others than this share of the updates, by exposure, tell too little.
    private static let fewestOthers = 0.05
    /// Where half of those who update may lose it by a bound, the bound shows nothing.
    private static let mostTolerated = 0.5

    /// The mean over the sizes; at most 1e300.
    public var value: Double {
        guard let most = logRatios.max() else { return 1 }
        let sum = logRatios.reduce(0) { $0 + exp($1 - most) }
        return exp(min(690, most)) * sum / Double(logRatios.count)
    }
}

/// The evidence of all strata: the mean of what those with and those without an update of the OS show.
///
/// A product would let a stratum that shows nothing take away what another shows. A mean of e-values is one, whatever depends
/// on what; a stratum without updates counts with the evidence 1. Of those with and of those without an update of the OS half
/// of the weight lies on all gaps together, of which each is compared with its like, and half on each gap apart.
public struct StratifiedEvidence: Hashable, Sendable {
    private let tolerance: Double
    private var apart: [LossStratum: LossEvidence] = [:]
    /// By whether the OS was updated.
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

/// The evidence against one target version, for one kind: from all versions together, and from each one apart.
///
/// Half of the weight lies on all together. The rest is shared by the versions that people came from, in the order in which
/// they appeared: 1/2, 1/6, 1/12, … A mean with weights that are fixed beforehand is an e-value, too; those that have not
/// appeared count with the evidence 1.
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

/// How many false alarms an app's people accept in a year, and what share of them one question gets.
public struct AlarmBudget: Hashable, Sendable {
    /// Expected false incidents per app and year.
    public var perYear: Double

    public init(perYear: Double = 0.01) { self.perYear = perYear }

    /// The versions of a year that share nine tenths of the budget evenly.
    private static let regularVersions = 52

    /// Kinds with fewer are not asked about.
    public static let fewestHolders = 20

    /// How likely a false alarm may be for one kind and one target version.
    ///
    /// - Parameters:
    ///   - version: how many target versions the year had before; those after the 52nd share the last tenth, 1/2, 1/6, …
    ///   - kinds: how many had ``fewestHolders`` when the version first appeared.
    ///   - late: nil for one of these; for a kind that had fewer, how many such kinds came before it: one spare slot serves
    ///     them all, of which they get 1/2, 1/6, …
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
