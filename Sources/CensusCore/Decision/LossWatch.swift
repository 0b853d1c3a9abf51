internal import Foundation

/// The pairs of one kind and one day that one night took: updates to one version, and those without an update.
public struct LossDay: Hashable, Sendable {
    /// Pairs that are compared with one another.
    public struct Stratum: Hashable, Sendable {
        /// By the version that was updated from.
        public var updates: [Text: ReportPairs]
        /// Pairs of the same kind and day without an update of the app.
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

    /// Updates from one version.
    ///
    /// - Parameter others: those without an update in the same stratum.
    public mutating func add(
        _ updates: ReportPairs, from origin: String, beside others: ReportPairs, in stratum: LossStratum
    ) {
        self[stratum].updates[Text(origin)] = updates
        self[stratum].others = others
    }

    /// By version.
    fileprivate var origins: [Text] { Set(strata.values.flatMap(\.updates.keys)).sorted() }
}

/// The question whether an update to one version takes one kind away, as it was put when the version first appeared.
public struct LossWatch: Hashable, Sendable {
    /// How likely a false alarm may be: ``AlarmBudget/chance(version:kinds:)``.
    public var chance: Double
    /// How many times as fast as others those who update may lose it.
    public var tolerance: Double
    /// At most how many others lose it in a day, by what was known before the first update of pairs with such a gap; those of
    /// which nothing was known are absent.
    public var bounds: [ReportGap: Double]

    /// At least this many must have updated and lost it before an incident opens: fewer are only shown in the report.
    public static let fewestUpdates = 20
    public static let fewestLost = 5
    /// An update of the OS alone is taken to lose a kind at most this many times as fast as no update, where nobody is there to
    /// compare with: an app that needs the newest OS is updated together with it.
    public static let osTolerance = 20.0
    /// Days after which updates to a version are no longer watched.
    public static let days = 180

    public init(chance: Double, tolerance: Double = leastTolerance, bounds: [ReportGap: Double] = [:]) {
        self.chance = chance
        self.tolerance = tolerance
        self.bounds = bounds
    }

    /// A good update may cost this many times what others lose: people tidy up when it draws their eye to a widget.
    public static let leastTolerance = 2.0
    private static let mostTolerance = 20.0
    private static let fewestHealthyLost = 20

    /// How many times as fast as others those who update to a good version lose a kind, at least ``leastTolerance``.
    ///
    /// - Parameter healthy: the updates that opened no incident, of all kinds and versions.
    public static func tolerance(healthy: ReportPairs, beside others: ReportPairs) -> Double {
        guard min(healthy.lost, others.lost) >= fewestHealthyLost else { return leastTolerance }
        return min(mostTolerance, max(leastTolerance, healthy.ratePerDay / others.ratePerDay))
    }

    /// Evidence this strong opens an incident. Half of the chance is kept for the bound, which may itself be wrong.
    public var threshold: Double { 2 / chance }

    /// How likely the rate of others may lie above one of ``bounds``.
    public var doubt: Double { chance / 4 }

    /// At most how many lose it in a day without an update of the app; nil: nothing is known.
    fileprivate func bound(of stratum: LossStratum) -> Double? {
        bounds[stratum.gap].map { stratum.isOtherOS ? $0 * LossWatch.osTolerance : $0 }
    }

    /// What the pairs say, taken in the order in which they arrived.
    ///
    /// The same days give the same figures, whether they are examined one by one or all together.
    ///
    /// - Parameters:
    ///   - days: in the order in which nights took them.
    ///   - excused: how many may lose it, because a person accepted that beforehand: these are no evidence.
    public func figures(of days: [LossDay], excusing excused: Int = 0) -> LossFigures {
        var judgement = Judgement(watch: self, excusing: excused)
        for day in days { judgement.add(day) }
        return judgement.result
    }
}

/// A watch while it takes the pairs, day by day.
private struct Judgement {
    /// The pairs of a stratum that are compared in one way, of all days.
    struct Sum {
        struct Key: Hashable {
            var stratum: LossStratum
            /// With others; if not, with a bound.
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
    /// How many more may lose it as a person accepted beforehand.
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

    /// The smallest share of those who updated whose loss would have been seen, by an even spread over the days and strata.
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

/// What a watch found.
public struct LossFigures: Hashable, Sendable {
    /// Those who updated from one version.
    public struct Origin: Hashable, Sendable {
        @Bytewise public var version: String
        public var updates = ReportPairs()
        public var others = ReportPairs()
        public var evidence = 1.0

        init(version: String) { self.version = version }
    }

    public var updates = ReportPairs()
    /// Pairs without an update, of the days on which there were some with one.
    public var others = ReportPairs()
    /// Those of ``updates`` that are no evidence, because they reported again only after ``ReportGap/longest``.
    public var late = 0
    /// Those that are none because no others were there to compare with, and no bound was low enough to show anything.
    public var unmatched = 0
    /// The same of those that updated the OS, too.
    public var unmatchedWithOS = 0
    /// How many of the lost ones were accepted beforehand.
    public var excused = 0
    public var evidence = 1.0
    /// By their first update.
    public var origins: [Origin] = []
    /// The day whose pairs were enough for an incident; nil: none was.
    public var openedOn: Day?
    /// The smallest share of those who updated whose loss would have been seen with these numbers; nil: none.
    public var smallestSeen: Double?

    public init() {}

    fileprivate mutating func note(unmatched pairs: Int, in stratum: LossStratum) {
        if stratum.isOtherOS { unmatchedWithOS += pairs } else { unmatched += pairs }
    }

    /// The versions from which updates lost it, the most lost first; the older first where as many were.
    public var losingVersions: [String] {
        origins.filter { $0.updates.lost > 0 }.map { ($0.updates.lost, Version($0.version)) }
            .sorted { ($1.0, $0.1) < ($0.0, $1.1) }.map(\.1.text)
    }

    /// The share of those who updated that would have lost it in the same time without the update.
    public var ordinaryShare: Double? { LossFigures.ordinaryShare(updates, beside: others) }

    /// - Returns: nil where too few others are there to tell.
    public static func ordinaryShare(_ updates: ReportPairs, beside others: ReportPairs) -> Double? {
        guard updates.pairs > 0, !LossEvidence.isAlone(updates, beside: others) else { return nil }
        return min(1, others.ratePerDay * updates.exposedDays / Double(updates.pairs))
    }

    /// How many standard deviations the losses lie from what the others' rate predicts, given how many lost it in all.
    /// It only describes and decides nothing.
    public static func z(_ updates: ReportPairs, beside others: ReportPairs) -> Double? {
        let exposed = updates.exposedDays + others.exposedDays
        // Without exposure the share is no number, and no variance exceeds 0.
        let (share, lost) = (updates.exposedDays / exposed, Double(updates.lost + others.lost))
        let variance = lost * share * (1 - share)
        return variance > 0 ? (Double(updates.lost) - lost * share) / variance.squareRoot() : nil
    }
}

extension ReportPairs {
    /// How many lose it in a day of exposure; 0 without exposure.
    public var ratePerDay: Double { exposedSeconds > 0 ? Double(lost) / exposedDays : 0 }
}
