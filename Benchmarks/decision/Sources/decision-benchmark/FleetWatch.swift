import CensusCore

/// The watch for losses of one app without a database; it does what `sql/statements/LossStore.sql` and
/// `Transaction.watchUpdates` do.
///
/// A device counts as a holder on a day if one of its pairs with the kind ended in the seven days up to it. The fleets'
/// history is within one year, and has all kinds from its first day, so there is no slot for later kinds.
struct FleetWatch: Sendable {
    private var cells: [PairCell: ReportPairs] = [:]
    /// By kind, devices on each day.
    private var holders: [String: [Int]] = [:]
    private let days: Int

    private static let reach = 7

    init(days: Int) { self.days = days }

    mutating func add(_ pairs: NightlyPairs) {
        cells.merge(pairs.cells, uniquingKeysWith: +)
        for (kind, reported) in pairs.days {
            var counts = holders[kind] ?? Array(repeating: 0, count: days)
            for day in 0..<days where reported.contains(where: { (day - FleetWatch.reach + 1...day).contains($0) }) {
                counts[day] += 1
            }
            holders[kind] = counts
        }
    }

    func holders(of kind: String, on day: Int) -> Int { holders[kind]?[min(max(0, day), days - 1)] ?? 0 }

    /// The first night by which so many devices have updated to a version and reported since; nil if there is none.
    func night(of updates: Int, to version: String, kind: String) -> Int? {
        var byNight: [Int: Int] = [:]
        for (cell, pairs) in cells where cell.isUpdate && cell.toVersion == version && cell.kind == kind {
            byNight[cell.night, default: 0] += pairs.pairs
        }
        var sum = 0
        return byNight.sorted { $0.key < $1.key }.first { night in
            sum += night.value
            return sum >= updates
        }?.key
    }

    /// How many devices have updated to a version and reported since, by a night.
    func updates(to version: String, kind: String, through night: Int) -> Int {
        cells.reduce(0) { sum, cell in
            let (cell, pairs) = cell
            guard cell.isUpdate, cell.toVersion == version, cell.kind == kind, cell.night <= night else { return sum }
            return sum + pairs.pairs
        }
    }

    struct Incident: Sendable {
        var kind: String
        var toVersion: String
        /// The night that opened it.
        var night: Int
        var fromVersions: [String]
    }

    private struct Stratum: Hashable {
        var kind: String
        var night: Int
        var day: Int
        var stratum: LossStratum
    }

    private struct Watched {
        var kind: String
        var watch: LossWatch
        /// In the order in which nights processed them.
        var days: [(night: Int, day: LossDay)]

        func figures(before night: Int) -> LossFigures {
            watch.figures(of: days.filter { $0.night < night }.map(\.day))
        }
    }

    /// All incidents that open, and how many kinds and versions were watched.
    ///
    /// - Parameter leastKinds: the budget is split over at least this many kinds.
    func incidents(leastKinds: Int = 0) -> (opened: [Incident], watches: Int) {
        var others: [Stratum: ReportPairs] = [:]
        var updates: [String: [(PairCell, ReportPairs)]] = [:]
        for (cell, pairs) in cells {
            if cell.isUpdate {
                updates[cell.toVersion, default: []].append((cell, pairs))
            } else {
                let stratum = Stratum(kind: cell.kind, night: cell.night, day: cell.day, stratum: cell.stratum)
                others[stratum, default: ReportPairs()] += pairs
            }
        }
        let versions = updates.compactMap { version, cells in
            beginning(of: cells).map { (version: version, night: $0.night, firstDay: $0.firstDay) }
        }
        .sorted { ($0.night, $0.firstDay, $0.version) < ($1.night, $1.firstDay, $1.version) }

        var known: [[Watched]] = []
        var opened: [Incident] = []
        for (place, version) in versions.enumerated() {
            let kinds = holders.keys.sorted()
                .filter { holders(of: $0, on: version.firstDay - 1) >= AlarmBudget.fewestHolders }
            let chance = AlarmBudget().chance(version: place, kinds: max(leastKinds, kinds.count))
            let tolerance = tolerance(known, on: version.night)
            var watched: [Watched] = []
            for kind in kinds {
                var watch = LossWatch(chance: chance, tolerance: tolerance)
                var ordinary: [ReportGap: ReportPairs] = [:]
                for (stratum, pairs) in others
                where stratum.kind == kind && !stratum.stratum.isOtherOS && stratum.day < version.firstDay
                    && stratum.day >= version.firstDay - 90 && stratum.night <= version.night
                {
                    ordinary[stratum.stratum.gap, default: ReportPairs()] += pairs
                }
                watch.bounds = ordinary.compactMapValues { $0.upperRate(doubt: watch.doubt) }
                let mine = (updates[version.version] ?? []).filter { cell, _ in
                    cell.kind == kind && cell.day >= version.firstDay && cell.day <= version.firstDay + LossWatch.days
                }
                watched.append(Watched(kind: kind, watch: watch, days: FleetWatch.days(of: mine, beside: others)))
            }
            known.append(watched)
            opened += watched.compactMap { incident($0, toVersion: version.version, from: version.night) }
        }
        return (opened, known.reduce(0) { $0 + $1.count })
    }

    /// The night on which a version is first watched: some kind has enough updated holders by then.
    private func beginning(of cells: [(PairCell, ReportPairs)]) -> (night: Int, firstDay: Int)? {
        let nights = Set(cells.map(\.0.night)).sorted()
        var sums: [String: Int] = [:]
        for night in nights {
            for (cell, pairs) in cells where cell.night == night { sums[cell.kind, default: 0] += pairs.pairs }
            guard sums.values.contains(where: { $0 >= LossWatch.fewestUpdates }) else { continue }
            return cells.filter { $0.0.night <= night }.map(\.0.day).min().map { (night, $0) }
        }
        return nil
    }

    private static func days(
        of updates: [(PairCell, ReportPairs)], beside others: [Stratum: ReportPairs]
    ) -> [(night: Int, day: LossDay)] {
        struct Taken: Hashable, Comparable {
            var night: Int
            var day: Int
            static func < (left: Taken, right: Taken) -> Bool { (left.night, left.day) < (right.night, right.day) }
        }
        return Dictionary(grouping: updates) { Taken(night: $0.0.night, day: $0.0.day) }
            .sorted { $0.key < $1.key }
            .map { taken, cells in
                var day = LossDay(Day(daysSince1970: Int32(taken.day)))
                for (cell, pairs) in cells {
                    let key = Stratum(kind: cell.kind, night: cell.night, day: cell.day, stratum: cell.stratum)
                    day.add(pairs, from: cell.fromVersion, beside: others[key] ?? ReportPairs(), in: cell.stratum)
                }
                return (taken.night, day)
            }
    }

    /// ``LossWatch/tolerance(healthy:beside:)``, from the losses of versions without an incident before a night.
    private func tolerance(_ known: [[Watched]], on night: Int) -> Double {
        var (updates, others) = (ReportPairs(), ReportPairs())
        for watches in known {
            let figures = watches.map { $0.figures(before: night) }
            guard figures.allSatisfy({ $0.openedOn == nil }) else { continue }
            for one in figures { (updates, others) = (updates + one.updates, others + one.others) }
        }
        return LossWatch.tolerance(healthy: updates, beside: others)
    }

    private func incident(_ watched: Watched, toVersion version: String, from first: Int) -> Incident? {
        guard watched.watch.figures(of: watched.days.map(\.day)).openedOn != nil,
            let night = (first..<days + 7).first(where: { watched.figures(before: $0 + 1).openedOn != nil })
        else { return nil }
        return Incident(
            kind: watched.kind, toVersion: version, night: night,
            fromVersions: watched.figures(before: night + 1).losingVersions)
    }
}
