internal import Foundation

/// The pairs of one kind and one day that one night took: updates to one version, and those without an update.
public struct LossDay: Hashable, Sendable {
    /// Pairs that also agree on whether the OS was updated.
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
    public var sameOS = Stratum()
    public var otherOS = Stratum()

    public init(_ day: Day) { self.day = day }

    /// Updates from one version.
    ///
    /// - Parameter others: those without an update that agree with them on whether the OS was updated.
    public mutating func add(_ updates: ReportPairs, from origin: String, beside others: ReportPairs, isOtherOS: Bool) {
        let stratum = isOtherOS ? \LossDay.otherOS : \LossDay.sameOS
        self[keyPath: stratum].updates[Text(origin)] = updates
        self[keyPath: stratum].others = others
    }

    /// By version.
    fileprivate var origins: [Text] { Set(sameOS.updates.keys).union(otherOS.updates.keys).sorted() }
}

/// The question whether an update to one version takes one kind away, as it was put when the version first appeared.
public struct LossWatch: Hashable, Sendable {
    /// How likely a false alarm may be: ``AlarmBudget/chance(version:kinds:)``.
    public var chance: Double
    /// How many times as fast as others those who update may lose it.
    public var tolerance: Double
    /// At most how many others lose it in a day, by what was known before the first update; nil if nothing was.
    public var bound: Double?

    /// At least this many must have updated and lost it before an incident opens: fewer are only shown in the report.
    public static let fewestUpdates = 20
    public static let fewestLost = 5
    /// An update of the OS alone is taken to lose a kind at most this many times as fast as no update, where nobody is there to
    /// compare with: an app that needs the newest OS is updated together with it.
    public static let osTolerance = 20.0
    /// Days after which updates to a version are no longer watched.
    public static let days = 180

    public init(chance: Double, tolerance: Double = leastTolerance, bound: Double? = nil) {
        self.chance = chance
        self.tolerance = tolerance
        self.bound = bound
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

    /// How likely the rate of others may lie above ``bound``.
    public var doubt: Double { chance / 2 }

    /// What the pairs say, taken in the order in which they arrived.
    ///
    /// The same days give the same figures, whether they are examined one by one or all together.
    ///
    /// - Parameters:
    ///   - days: in the order in which nights took them.
    ///   - excused: how many may lose it, because a person accepted that beforehand: these are no evidence.
    public func figures(of days: [LossDay], excusing excused: Int = 0) -> LossFigures {
        var figures = LossFigures()
        var evidence = TargetEvidence(pooled: LossEvidence(tolerance: tolerance), byOrigin: [])
        var place: [Text: Int] = [:]
        var left = excused
        for day in days {
            for origin in day.origins where place[origin] == nil {
                place[origin] = figures.origins.count
                figures.origins.append(LossFigures.Origin(version: origin.text))
                evidence.byOrigin.append(LossEvidence(tolerance: tolerance))
            }
            for (stratum, bound) in [(day.sameOS, bound), (day.otherOS, bound.map { $0 * LossWatch.osTolerance })] {
                var all = ReportPairs()
                for (origin, pairs) in stratum.updates.sorted(by: { $0.key < $1.key }) {
                    guard let place = place[origin] else { continue }
                    figures.origins[place].updates += pairs
                    figures.origins[place].others += stratum.others
                    var unforeseen = pairs
                    unforeseen.lost -= min(left, pairs.lost)
                    left -= pairs.lost - unforeseen.lost
                    evidence.byOrigin[place].add(unforeseen, beside: stratum.others, bound: bound)
                    figures.origins[place].evidence = evidence.byOrigin[place].value
                    figures.updates += pairs
                    all += unforeseen
                }
                evidence.pooled.add(all, beside: stratum.others, bound: bound)
                if !stratum.updates.isEmpty { figures.others += stratum.others }
            }
            figures.exposedWithOS += day.otherOS.updates.values.reduce(0) { $0 + $1.exposedDays }
            figures.excused = excused - left
            figures.evidence = evidence.value
            let isEnough =
                figures.updates.pairs >= LossWatch.fewestUpdates
                && figures.updates.lost - figures.excused >= LossWatch.fewestLost
            if figures.openedOn == nil, isEnough, figures.evidence >= threshold { figures.openedOn = day.day }
        }
        figures.smallestSeen = smallestSeen(in: figures)
        return figures
    }

    /// The smallest share of those who updated whose loss would have been seen, by an even spread over the days.
    private func smallestSeen(in figures: LossFigures) -> Double? {
        let updates = figures.updates
        guard updates.pairs >= LossWatch.fewestUpdates else { return nil }
        let ordinary = figures.others.ratePerDay * updates.exposedDays
        let withOS = updates.exposedDays > 0 ? figures.exposedWithOS / updates.exposedDays : 0
        let bound = bound.map { $0 * (1 + withOS * (LossWatch.osTolerance - 1)) }
        func isSeen(_ share: Double) -> Bool {
            var lost = updates
            lost.lost = min(updates.pairs, Int((share * Double(updates.pairs) + ordinary).rounded()))
            var evidence = LossEvidence(tolerance: tolerance)
            evidence.add(lost, beside: figures.others, bound: bound)
            return lost.lost >= LossWatch.fewestLost && evidence.value / 2 >= threshold
        }
        guard isSeen(1) else { return nil }
        var (low, high) = (0.0, 1.0)
        for _ in 0..<20 {
            let middle = (low + high) / 2
            if isSeen(middle) { high = middle } else { low = middle }
        }
        return high
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
    /// Days of exposure of those who updated the OS as well.
    var exposedWithOS = 0.0
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

    /// The versions from which updates lost it, the most lost first; the older first where as many were.
    public var losingVersions: [String] {
        origins.filter { $0.updates.lost > 0 }.map { ($0.updates.lost, Version($0.version)) }
            .sorted { ($1.0, $0.1) < ($0.0, $1.1) }.map(\.1.text)
    }

    /// The share of those who updated that would have lost it in the same time without the update.
    public var ordinaryShare: Double? { LossFigures.ordinaryShare(updates, beside: others) }

    /// - Returns: nil where too few others are there to tell.
    public static func ordinaryShare(_ updates: ReportPairs, beside others: ReportPairs) -> Double? {
        guard updates.pairs > 0, others.exposedSeconds > 0, !LossEvidence.isAlone(updates, beside: others) else {
            return nil
        }
        return min(1, others.ratePerDay * updates.exposedDays / Double(updates.pairs))
    }

    /// How many standard deviations the losses lie from what the others' rate predicts, given how many lost it in all.
    /// It only describes and decides nothing.
    public static func z(_ updates: ReportPairs, beside others: ReportPairs) -> Double? {
        let exposed = updates.exposedDays + others.exposedDays
        guard exposed > 0 else { return nil }
        let (share, lost) = (updates.exposedDays / exposed, Double(updates.lost + others.lost))
        let variance = lost * share * (1 - share)
        return variance > 0 ? (Double(updates.lost) - lost * share) / variance.squareRoot() : nil
    }
}

extension ReportPairs {
    /// How many lose it in a day of exposure; 0 without exposure.
    public var ratePerDay: Double { exposedSeconds > 0 ? Double(lost) / exposedDays : 0 }
}
