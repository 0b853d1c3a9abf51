import SeededRandom

@testable import CensusCore

/// A release among phones with known habits: the pairs of reports that each night takes, and the watch's figures for them.
struct SimulatedRelease {
    /// Groups of phones: how many days pass between openings of the app, and how many phones there are.
    var phones: [(interval: Double, count: Int)] = [(7, 700)]
    /// The share that removes the kind in a day anyway.
    var removals = 0.003
    /// How much more is removed at weekends than on average. Other days have correspondingly less.
    var weekends = 0.0
    /// The share of updaters that loses the kind.
    var loss = 0.0
    /// The share of updaters that also updates the OS between the same two lists.
    var osUpdates = 0.0
    /// The share of the others that updates the OS between two lists.
    var otherOSUpdates = 0.0
    /// The share of OS updaters that loses the kind through the OS update.
    var osLoss = 0.0
    /// Days before the release, and after it.
    var before = 90
    var after = 60

    /// The watch's figures after the last night.
    func figures(_ seed: UInt64, watch: LossWatch = SimulatedRelease.watch) -> LossFigures {
        let (days, ordinary) = pairs(seed)
        var watch = watch
        watch.bounds = ordinary.compactMapValues { $0.upperRate(doubt: watch.doubt) }
        return watch.figures(of: days)
    }

    static let firstDay = Day(daysSince1970: 20_000)

    /// One of 20 kinds, under the usual budget.
    static let watch = LossWatch(chance: AlarmBudget().chance(version: 3, kinds: 20))

    private func pairs(_ seed: UInt64) -> (days: [LossDay], ordinary: [ReportGap: ReportPairs]) {
        var random = Seeded(seed)
        var taken: [Key: ReportPairs] = [:]
        var ordinary: [ReportGap: ReportPairs] = [:]
        for (interval, count) in phones {
            for _ in 0..<count {
                live(interval, &random) { key, gap, isLost in
                    if key.day < before, !key.stratum.isOtherOS {
                        ordinary[key.stratum.gap, default: ReportPairs()].add(gap: gap, isLost: isLost)
                    }
                    taken[key, default: ReportPairs()].add(gap: gap, isLost: isLost)
                }
            }
        }
        let days = (before..<before + after).map { number in
            var day = LossDay(SimulatedRelease.firstDay + number)
            for stratum in LossStratum.all {
                guard let updates = taken[Key(day: number, isUpdate: true, stratum: stratum)] else { continue }
                let others = taken[Key(day: number, isUpdate: false, stratum: stratum)] ?? ReportPairs()
                day.add(updates, from: "1.0", beside: others, in: stratum)
            }
            return day
        }
        return (days, ordinary)
    }

    private struct Key: Hashable {
        var day: Int
        var isUpdate: Bool
        var stratum: LossStratum
    }

    /// One phone's pairs, until it loses the kind or the days end.
    private func live(_ interval: Double, _ random: inout Seeded, _ note: (Key, Duration, Bool) -> Void) {
        var opened = random.fraction() * interval
        var isUpdated = false
        // Phones update over the course of a week.
        let offered = Double(before) + random.fraction() * 7
        while true {
            let next = opened + max(0.9, interval * (0.8 + 0.4 * random.fraction()))
            guard next < Double(before + after) else { return }
            let isUpdate = !isUpdated && next >= offered
            let isOtherOS = random.fraction() < (isUpdate ? osUpdates : otherOSUpdates)
            var kept = 1.0
            var time = opened
            while time < next {
                let end = min(next, time.rounded(.down) + 1)
                kept *= 1 - rate(on: Int(time)) * (end - time)
                time = end
            }
            if isUpdate { kept *= 1 - loss }
            if isOtherOS { kept *= 1 - osLoss }
            let isLost = random.fraction() >= kept
            let gap = Duration.seconds(Int64((next - opened) * 86_400))
            let stratum = LossStratum(isOtherOS: isOtherOS, gap: ReportGap(gap))
            note(Key(day: Int(next), isUpdate: isUpdate, stratum: stratum), gap, isLost)
            if isLost { return }
            isUpdated = isUpdated || isUpdate
            opened = next
        }
    }

    private func rate(on day: Int) -> Double {
        removals * (day % 7 < 2 ? 1 + weekends : 1 - weekends * 2 / 5)
    }
}
