@testable import CensusCore

/// What a watch finds, computed as in docs/why/decision.md: for each day, from all days up to it.
struct WatchReference {
    /// The updates of one day from one version in one stratum.
    private struct Entry {
        var day: Int
        var stratum: LossStratum
        var origin: Text
        var updates: ReportPairs
        var others: ReportPairs
        /// How many of the losses were acknowledged.
        var excused = 0

        var unforeseen: ReportPairs {
            ReportPairs(
                pairs: updates.pairs, lost: updates.lost - excused, exposedSeconds: updates.exposedSeconds)
        }
    }

    let watch: LossWatch
    private let days: [LossDay]
    private var entries: [Entry] = []

    private static let strata: [LossStratum] = [
        LossStratum(isOtherOS: false, gap: .short), LossStratum(isOtherOS: true, gap: .short),
        LossStratum(isOtherOS: false, gap: .long), LossStratum(isOtherOS: true, gap: .long),
        LossStratum(isOtherOS: false, gap: .late), LossStratum(isOtherOS: true, gap: .late),
    ]

    init(_ watch: LossWatch, _ days: [LossDay], excusing excused: Int) {
        (self.watch, self.days) = (watch, days)
        var left = excused
        for (number, day) in days.enumerated() {
            for stratum in WatchReference.strata {
                for (origin, updates) in day[stratum].updates.sorted(by: { $0.key.text < $1.key.text }) {
                    var entry = Entry(
                        day: number, stratum: stratum, origin: origin, updates: updates, others: day[stratum].others)
                    entry.excused = min(left, updates.lost)
                    left -= entry.excused
                    entries.append(entry)
                }
            }
        }
    }

    // MARK: Sums

    var updates: ReportPairs { entries.reduce(ReportPairs()) { $0 + $1.updates } }
    var excused: Int { entries.reduce(0) { $0 + $1.excused } }
    /// The others of a stratum count once for all versions, on days with updates.
    var others: ReportPairs { nights(entries).reduce(ReportPairs()) { $0 + $1.night.others } }
    var late: Int { entries.filter { $0.stratum.gap == .late }.reduce(0) { $0 + $1.updates.pairs } }

    func unmatched(withOS isOtherOS: Bool) -> Int {
        evident(entries).filter { $0.stratum.isOtherOS == isOtherOS }
            .filter { $0.night.comparison(watch.tolerance) == .nothing }.reduce(0) { $0 + $1.night.updates.pairs }
    }

    /// By the day of their first update, then by version.
    var origins: [Text] {
        days.reduce(into: [Text]()) { origins, day in
            let ofDay = Set(WatchReference.strata.flatMap { day[$0].updates.keys })
            origins += ofDay.subtracting(origins).sorted { $0.text < $1.text }
        }
    }

    func updates(from origin: Text) -> ReportPairs {
        entries.filter { $0.origin == origin }.reduce(ReportPairs()) { $0 + $1.updates }
    }

    func others(beside origin: Text) -> ReportPairs {
        entries.filter { $0.origin == origin }.reduce(ReportPairs()) { $0 + $1.others }
    }

    func evidence(from origin: Text) -> Double {
        EvidenceReference.value(evident(entries.filter { $0.origin == origin }), watch.tolerance)
    }

    // MARK: Decisions

    /// The evidence after `count` days.
    func evidence(after count: Int) -> Double {
        let entries = entries.filter { $0.day < count }
        var (apart, left) = (0.0, 1.0)
        for (index, origin) in origins.enumerated() {
            let ofOrigin = entries.filter { $0.origin == origin }
            if ofOrigin.isEmpty { break }
            let weight = 1 / Double((index + 1) * (index + 2))
            apart += weight * EvidenceReference.value(evident(ofOrigin), watch.tolerance)
            left -= weight
        }
        return (EvidenceReference.value(evident(entries), watch.tolerance) + apart + left) / 2
    }

    /// The first day with 20 updates, 5 unacknowledged losses, and twice the evidence that the chance requires.
    var openedOn: Day? {
        for count in days.indices.map({ $0 + 1 }) {
            let entries = entries.filter { $0.day < count }
            let lost = entries.reduce(0) { $0 + $1.unforeseen.lost }
            guard entries.reduce(0, { $0 + $1.updates.pairs }) >= 20, lost >= 5 else { continue }
            if evidence(after: count) >= 2 / watch.chance { return days[count - 1].day }
        }
        return nil
    }

    /// Whether losing this share more than others lose would have opened an incident with half of its evidence. Pools the
    /// nights of a stratum, and those compared with a bound separately.
    func isSeen(_ share: Double) -> Bool {
        let othersDays = Double(others.exposedSeconds) / 86_400
        let rate = othersDays > 0 ? Double(others.lost) / othersDays : 0
        var all = 0
        var sums: [(stratum: LossStratum, night: EvidenceReference.Night)] = []
        for stratum in WatchReference.strata {
            for isByOthers in [true, false] {
                let nights = evident(entries).filter {
                    let comparison = $0.night.comparison(watch.tolerance)
                    return $0.stratum == stratum && comparison != .nothing && (comparison == .others) == isByOthers
                }
                guard var sum = nights.first?.night else { continue }
                for (_, night) in nights.dropFirst() {
                    (sum.updates, sum.others) = (sum.updates + night.updates, sum.others + night.others)
                }
                let pairs = Double(sum.updates.pairs)
                let lost = share * pairs + rate * (Double(sum.updates.exposedSeconds) / 86_400)
                sum.updates.lost = Int(min(pairs, lost.rounded()))
                if isByOthers { sum.bound = nil }
                all += sum.updates.lost
                sums.append((stratum, sum))
            }
        }
        return all >= 5 && EvidenceReference.value(sums, watch.tolerance) / 2 >= 2 / watch.chance
    }

    /// All versions together, by day and stratum.
    private func nights(_ entries: [Entry]) -> [(stratum: LossStratum, night: EvidenceReference.Night)] {
        days.indices.flatMap { day in
            WatchReference.strata.compactMap { stratum in
                let some = entries.filter { $0.day == day && $0.stratum == stratum }
                let others = some.first?.others ?? ReportPairs()
                guard some.contains(where: { $0.updates.pairs > 0 }) else { return nil }
                let updates = some.reduce(ReportPairs()) { $0 + $1.unforeseen }
                return (
                    stratum, EvidenceReference.Night(updates: updates, others: others, bound: bound(of: stratum))
                )
            }
        }
    }

    private func evident(_ entries: [Entry]) -> [(stratum: LossStratum, night: EvidenceReference.Night)] {
        nights(entries).filter { $0.stratum.gap != .late }
    }

    /// With an OS update, twenty times as many may lose the kind.
    private func bound(of stratum: LossStratum) -> Double? {
        watch.bounds[stratum.gap].map { $0 * (stratum.isOtherOS ? 20 : 1) }
    }
}
