import Fleet
import SeedTesting
import SeededRandom
import Testing

@testable import CensusCore

/// Pairs of reports, from which losses are detected. A failure names its seed.
@Suite struct `Pair properties` {
    static let chunks = Seeds.of(0..<4_000, by: 500)

    @Test(arguments: chunks)
    func `a history has the same pairs of reports if folded at once or from a checkpoint`(
        seeds: Range<UInt64>
    ) throws {
        for seed in seeds {
            let history = RandomHistory(seed)
            let sorted = history.observations.sorted()
            var found: [ReportPair] = []
            _ = history.fold.fold(sorted) { found.append($0) }
            #expect(found == pairs(of: history), "seed \(seed)")

            var random = Seeded(~seed)
            let time = random.pick(sorted).at
            var apart: [ReportPair] = []
            let earlier = history.fold.fold(sorted.filter { $0.at <= time }) { apart.append($0) }
            let bytes = history.fold.checkpoint(of: earlier)
            let start = try #require(history.fold.state(checkpoint: bytes), "seed \(seed)")
            _ = history.fold.fold(sorted.filter { $0.at > time }, onto: start) { apart.append($0) }
            #expect(apart == found, "seed \(seed)")
        }
    }

    @Test func `a phone whose lists or versions alternate makes one pair`() {
        var phone = Device()
        for minute in 0..<1_000 {
            phone.reports(minute.isMultiple(of: 2) ? [.weather: 1] : [:], .day(1, hour: 9) + .minutes(Int64(minute)))
        }
        var pairs: [ReportPair] = []
        _ = DeviceFold().fold(phone.observations) { pairs.append($0) }
        #expect(pairs.count == 1)
        var changing = Device()
        for number in 0..<40 {
            changing.upgrades(to: number.isMultiple(of: 2) ? "1.0" : "2.0")
            changing.reports(number.isMultiple(of: 2) ? [.weather: 1] : [:], .day(1, hour: 9) + .hours(Int64(number)))
        }
        pairs = []
        _ = DeviceFold().fold(changing.observations) { pairs.append($0) }
        #expect(pairs.map(\.toVersion) == ["2.0"])
    }

    /// An old process of the widget's extension goes on reporting beside the new app.
    @Test func `a change back to a version that reported before makes no pair`() {
        var phone = Device()
        phone.reports([.weather: 1], .day(1))
        phone.upgrades(to: "2.0")
        phone.reports([.weather: 1], .day(2))
        for day in 3...20 {
            phone.upgrades(to: day.isMultiple(of: 2) ? "2.0" : "1.0")
            phone.reports(day < 12 ? [.weather: 1] : [:], .day(Int64(day)))
        }
        var pairs: [ReportPair] = []
        _ = DeviceFold().fold(phone.observations) { pairs.append($0) }
        #expect(pairs.map(\.toVersion) == ["2.0"])
    }

    @Test func `an update's pair has the OS and the kinds that appeared with the loss`() {
        var phone = Device()
        phone.reports([.weather: 1, .search: 1], .day(1))
        phone.upgrades(to: "2.0")
        phone.circumstances.osVersion = "26.1.2"
        phone.reports([.search: 1, Placement(kind: "rain"): 1], .day(2))
        phone.reports([:], .day(3))
        var pairs: [ReportPair] = []
        _ = DeviceFold().fold(phone.observations) { pairs.append($0) }
        #expect(pairs.map(\.kind) == ["search", "weather", "rain", "search"])
        #expect(pairs.map(\.osRelease) == ["26.1", "26.1", nil, nil])
        #expect(pairs.map(\.gained) == [[], ["rain"], [], []])
    }

    /// A second implementation, which folds the state after each report from the first observation.
    private func pairs(of history: RandomHistory) -> [ReportPair] {
        var pairs: [ReportPair] = []
        var previous: [Surface: (observation: Observation, certain: Set<Text>)] = [:]
        var installation: Pseudonym?
        var versions: [Surface: Set<String>] = [:]
        var pairedAt: [Surface: Timestamp] = [:]
        for (earlier, known, reports) in history.steps {
            let state = history.fold(known)
            // Observations of an ended installation are not folded.
            guard let observation = reports.last, state.installation?.id == observation.installation else { continue }
            if installation != observation.installation { (previous, pairedAt) = ([:], [:]) }
            installation = observation.installation
            // A kind that any list of an instant has was not lost.
            let lists = reports.compactMap { if case .reported(let claimed) = $0.event { claimed } else { nil } }
            guard !lists.isEmpty, observation.surface != .today else { continue }
            let claimed = lists.reduce([:]) { $0.merging($1, uniquingKeysWith: max) }
            let (surface, version) = (observation.surface, observation.circumstances.appVersion)
            if let (first, certain) = previous[surface] {
                let isUpdate = first.circumstances.appVersion != version
                // Once per device and version, and once in 20 hours without an update.
                let counts =
                    isUpdate
                    ? versions[surface]?.contains(version) != true
                    : pairedAt[surface].map { observation.at >= $0 + .hours(20) } ?? true
                for kind in certain.sorted() where counts {
                    let isLost = !claimed.keys.contains { Text($0.kind) == kind }
                    let before = history.fold(earlier).surfaces[surface]?.holdings ?? [:]
                    let held = Set(before.keys.map { Text($0.kind) })
                    pairs.append(
                        ReportPair(
                            surface: surface, kind: kind.text, fromVersion: first.circumstances.appVersion,
                            toVersion: version,
                            isOtherOS: first.circumstances.osRelease != observation.circumstances.osRelease,
                            osRelease: isUpdate ? observation.circumstances.osRelease.map { Text($0) } : nil,
                            from: first.at, at: observation.at, isLost: isLost,
                            gained: isUpdate && isLost
                                ? Set(claimed.keys.map { Text($0.kind) }).subtracting(held) : []))
                }
                if counts, !isUpdate { pairedAt[surface] = observation.at }
            }
            versions[surface, default: []].insert(version)
            let certain = state.surfaces[observation.surface]?.holdings.filter { $0.value.certain > 0 } ?? [:]
            previous[surface] = (observation, Set(certain.keys.map { Text($0.kind) }))
        }
        return pairs
    }
}

extension RandomHistory {
    /// What each surface of each installation sent at each instant (only reports, if any), after all that is known.
    fileprivate var steps: [(earlier: [Observation], known: [Observation], said: [Observation])] {
        var steps: [(earlier: [Observation], known: [Observation], said: [Observation])] = []
        var known: [Observation] = []
        var current: Pseudonym?
        for instant in observations.filter({ $0.circumstances.channel == "production" }).sorted().byInstant {
            var order = [current].compactMap(\.self)
            for observation in instant where !order.contains(observation.installation) {
                order.append(observation.installation)
            }
            for installation in order {
                let said = instant.filter { $0.installation == installation }
                let earlier = known
                known += said
                for surface in Surface.allCases {
                    let own = said.filter { $0.surface == surface }
                    let reports = own.filter { if case .reported = $0.event { true } else { false } }
                    if !own.isEmpty { steps.append((earlier, known, reports.isEmpty ? own : reports)) }
                }
                if !said.isEmpty { current = fold(known).installation?.id }
            }
        }
        return steps
    }
}
