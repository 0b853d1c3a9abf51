internal import Foundation

/// One night's pairs of one kind and one day: updates to one version, and pairs without an update.
public struct LossDay: Hashable, Sendable {
    /// Pairs that are compared with each other.
    public struct Stratum: Hashable, Sendable {
        /// By the version that devices updated from.
        public var updates: [Text: ReportPairs]
        /// Pairs of the same kind and day without an app update.
        public var others: ReportPairs

        public init(updates: [Text: ReportPairs] = [:], others: ReportPairs = ReportPairs()) {
            self.updates = updates
            self.others = others
        }
    }

    public var day: Day
    private var strata: [LossStratum: Stratum] = [:]

    public init(_ day: Day) { self.day = day }

    public subscript(stratum: LossStratum) -> Stratum {
        get { strata[stratum] ?? Stratum() }
        set { strata[stratum] = newValue }
    }

    /// Adds updates from one version.
    ///
    /// - Parameter others: the pairs without an update in the same stratum.
    public mutating func add(
        _ updates: ReportPairs, from origin: String, beside others: ReportPairs, in stratum: LossStratum
    ) {
        self[stratum].updates[Text(origin)] = updates
        self[stratum].others = others
    }

    /// The versions that devices updated from, in order.
    fileprivate var origins: [Text] { Set(strata.values.flatMap(\.updates.keys)).sorted() }
}

/// The test whether updates to one version take one kind away, with the parameters set when the version first appeared.
public struct LossWatch: Hashable, Sendable {
    /// The allowed probability of a false alarm: ``AlarmBudget/chance(version:kinds:late:)``.
    public var chance: Double
    /// Updating devices may lose the kind this many times as fast as others.
    public var tolerance: Double
    /// By gap, the most losses in a day without an update, as known before the first update. Gaps without data are absent.
    public var bounds: [ReportGap: Double]

    /// An incident needs at least this many updates and losses. Smaller numbers are only shown in the report.
    public static let fewestUpdates = 20
    public static let fewestLost = 5
    /// Without devices to compare with, an OS update alone is assumed to lose a kind at most this many times as fast as no
    /// update. An app that needs the newest OS is updated together with it.
    public static let osTolerance = 20.0
    /// Updates to a version are watched for this many days.
    public static let days = 180

    public init(chance: Double, tolerance: Double = leastTolerance, bounds: [ReportGap: Double] = [:]) {
        self.chance = chance
        self.tolerance = tolerance
        self.bounds = bounds
    }

    /// A good update can lose this many times what others lose, because people tidy up when it draws their attention to a
    /// widget.
    public static let leastTolerance = 2.0
    private static let mostTolerance = 20.0
    private static let fewestHealthyLost = 20

    /// How many times as fast as others devices lose a kind when they update to a good version, at least ``leastTolerance``.
    ///
    /// - Parameter healthy: the updates without an incident, of all kinds and versions.
    public static func tolerance(healthy: ReportPairs, beside others: ReportPairs) -> Double {
        guard min(healthy.lost, others.lost) >= fewestHealthyLost else { return leastTolerance }
        return min(mostTolerance, max(leastTolerance, healthy.ratePerDay / others.ratePerDay))
    }

    /// Evidence this strong opens an incident. Half of the chance is reserved for the bound, which can be wrong itself.
    public var threshold: Double { 2 / chance }

    /// The allowed probability that the others' rate lies above one of ``bounds``.
    public var doubt: Double { chance / 4 }

    /// The most losses in a day without an app update; nil: unknown.
    fileprivate func bound(of stratum: LossStratum) -> Double? {
        bounds[stratum.gap].map { stratum.isOtherOS ? $0 * LossWatch.osTolerance : $0 }
    }

    /// Evaluates the pairs in the order in which they arrived.
    ///
    /// The same days give the same figures, whether they are evaluated one by one or all together.
    ///
    /// - Parameters:
    ///   - days: in the order in which nights took them.
    ///   - excused: how many losses a person accepted beforehand. They are not evidence.
    public func figures(of days: [LossDay], excusing excused: Int = 0) -> LossFigures {
        var judgement = Judgement(watch: self, excusing: excused)
        for day in days { judgement.add(day) }
        return judgement.result
    }
}

/// Evaluates a watch's pairs, day by day.
private struct Judgement {
    /// The pairs of a stratum over all days, by what they are compared with.
    struct Sum {
        struct Key: Hashable {
            var stratum: LossStratum
            /// Whether they are compared with others, not with a bound.
            var isByOthers: Bool
        }

        var updates = ReportPairs()
        var others = ReportPairs()
    }

    let watch: LossWatch
    private var figures = LossFigures()
    private var evidence: TargetEvidence
    private var sums: [Sum.Key: Sum] = [:]
    private var places: [Text: Int] = [:]
    /// How many more losses were accepted beforehand.
    private var left: Int

    init(watch: LossWatch, excusing excused: Int) {
        self.watch = watch
        left = excused
        evidence = TargetEvidence(pooled: StratifiedEvidence(tolerance: watch.tolerance), byOrigin: [])
    }

    var result: LossFigures {
        var figures = figures
        figures.smallestSeen = smallestSeen
        return figures
    }

    mutating func add(_ day: LossDay) {
        for origin in day.origins where places[origin] == nil {
            places[origin] = figures.origins.count
            figures.origins.append(LossFigures.Origin(version: origin.text))
            evidence.byOrigin.append(StratifiedEvidence(tolerance: watch.tolerance))
        }
        for stratum in LossStratum.all { add(day[stratum], stratum) }
        figures.evidence = evidence.value
        let isEnough =
            figures.updates.pairs >= LossWatch.fewestUpdates
            && figures.updates.lost - figures.excused >= LossWatch.fewestLost
        if figures.openedOn == nil, isEnough, figures.evidence >= watch.threshold { figures.openedOn = day.day }
    }

    private mutating func add(_ taken: LossDay.Stratum, _ stratum: LossStratum) {
        let (others, bound) = (taken.others, watch.bound(of: stratum))
        var (all, unforeseen) = (ReportPairs(), ReportPairs())
        for origin in taken.updates.keys.sorted() {
            guard let place = places[origin], let pairs = taken.updates[origin] else { continue }
            figures.origins[place].updates += pairs
            figures.origins[place].others += others
            let rest = excuse(pairs)
            all += pairs
            unforeseen += rest
            guard stratum.isEvident else { continue }
            evidence.byOrigin[place].add(rest, beside: others, bound: bound, in: stratum)
            figures.origins[place].evidence = evidence.byOrigin[place].value
        }
        guard all.pairs > 0 else { return }
        figures.updates += all
        figures.others += others
        guard stratum.isEvident else { return figures.late += all.pairs }
        evidence.pooled.add(unforeseen, beside: others, bound: bound, in: stratum)
        let comparison = LossEvidence.comparison(
            of: all, beside: others, bound: bound, tolerance: watch.tolerance)
        if comparison == .nothing { return figures.note(unmatched: all.pairs, in: stratum) }
        let key = Sum.Key(stratum: stratum, isByOthers: comparison == .others)
        sums[key, default: Sum()].updates += all
        sums[key, default: Sum()].others += others
    }

    /// - Returns: the pairs without the losses that were accepted beforehand.
    private mutating func excuse(_ pairs: ReportPairs) -> ReportPairs {
        var rest = pairs
        rest.lost -= min(left, pairs.lost)
        left -= pairs.lost - rest.lost
        figures.excused += pairs.lost - rest.lost
        return rest
    }

    /// The smallest share of losses among updates that would have been detected, if spread evenly over days and strata.
    private var smallestSeen: Double? {
        guard figures.updates.pairs >= LossWatch.fewestUpdates else { return nil }
        var (low, high) = (0.0, 1.0)
        guard isSeen(high) else { return nil }
        for _ in 0..<20 {
            let middle = (low + high) / 2
            if isSeen(middle) { high = middle } else { low = middle }
        }
        return high
    }

    private func isSeen(_ share: Double) -> Bool {
        var evidence = StratifiedEvidence(tolerance: watch.tolerance)
        var all = 0
        for (key, sum) in sums {
            var lost = sum.updates
            let expected = share * Double(lost.pairs) + figures.others.ratePerDay * lost.exposedDays
            lost.lost = min(lost.pairs, Int(expected.rounded()))
            all += lost.lost
            let bound = key.isByOthers ? nil : watch.bound(of: key.stratum)
            evidence.add(lost, beside: sum.others, bound: bound, in: key.stratum)
        }
        return all >= LossWatch.fewestLost && evidence.value / 2 >= watch.threshold
    }
}

/// The result of a watch.
public struct LossFigures: Hashable, Sendable {
    /// Updates from one version.
    public struct Origin: Hashable, Sendable {
        @Bytewise public var version: String
        public var updates = ReportPairs()
        public var others = ReportPairs()
        public var evidence = 1.0

        init(version: String) { self.version = version }
    }

    public var updates = ReportPairs()
    /// Pairs without an update, on days that have some with an update.
    public var others = ReportPairs()
    /// Updates that are not evidence, because the device reported again only after ``ReportGap/longest``.
    public var late = 0
    /// Updates that are not evidence, because there were no others to compare with and no bound was low enough to show
    /// anything.
    public var unmatched = 0
    /// The same for devices that also updated the OS.
    public var unmatchedWithOS = 0
    /// How many losses were accepted beforehand.
    public var excused = 0
    public var evidence = 1.0
    /// In the order of their first updates.
    public var origins: [Origin] = []
    /// The day whose pairs sufficed for an incident; nil: none.
    public var openedOn: Day?
    /// The smallest share of losses among updates that these numbers would have shown; nil: none.
    public var smallestSeen: Double?

    public init() {}

    fileprivate mutating func note(unmatched pairs: Int, in stratum: LossStratum) {
        if stratum.isOtherOS { unmatchedWithOS += pairs } else { unmatched += pairs }
    }

    /// The versions that devices with losses updated from: most losses first, then oldest first.
    public var losingVersions: [String] {
        origins.filter { $0.updates.lost > 0 }.map { ($0.updates.lost, Version($0.version)) }
            .sorted { ($1.0, $0.1) < ($0.0, $1.1) }.map(\.1.text)
    }

    /// The share of updated devices that would have lost the kind in the same time without the update.
    public var ordinaryShare: Double? { LossFigures.ordinaryShare(updates, beside: others) }

    /// - Returns: nil if there are too few others to tell.
    public static func ordinaryShare(_ updates: ReportPairs, beside others: ReportPairs) -> Double? {
        guard updates.pairs > 0, !LossEvidence.isAlone(updates, beside: others) else { return nil }
        return min(1, others.ratePerDay * updates.exposedDays / Double(updates.pairs))
    }

    /// How many standard deviations the losses are from what the others' rate predicts, given the total number of losses. It
    /// only describes; no decision depends on it.
    public static func z(_ updates: ReportPairs, beside others: ReportPairs) -> Double? {
        let exposed = updates.exposedDays + others.exposedDays
        // Without exposure the share is NaN, and the variance is not above 0.
        let (share, lost) = (updates.exposedDays / exposed, Double(updates.lost + others.lost))
        let variance = lost * share * (1 - share)
        return variance > 0 ? (Double(updates.lost) - lost * share) / variance.squareRoot() : nil
    }
}

extension ReportPairs {
    /// Losses in a day of exposure; 0 without exposure.
    public var ratePerDay: Double { exposedSeconds > 0 ? Double(lost) / exposedDays : 0 }
}
