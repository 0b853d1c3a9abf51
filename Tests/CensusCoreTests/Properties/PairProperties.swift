import SeededRandom
import Testing

@testable import CensusCore

/// Pairs of reports, which the watch for losses rests on. A failure names its seed.
@Suite struct `Pair properties` {
    static let chunks = stride(from: UInt64(0), to: 4_000, by: 500).map { $0..<($0 + 500) }

    @Test(arguments: chunks)
    func `a history's pairs are those of its reports, whether it is folded at once or from a checkpoint`(
        seeds: Range<UInt64>
    ) throws {
        for seed in seeds {
            let history = RandomHistory(seed)
            let sorted = history.observations.sorted()
            var found: [ReportPair] = []
            _ = history.fold.fold(sorted) { found.append($0) }
            #expect(found == pairs(of: history, sorted), "seed \(seed)")

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

    /// A second way to the same pairs: the state after each report, folded from the first observation.
    private func pairs(of history: RandomHistory, _ sorted: [Observation]) -> [ReportPair] {
        var pairs: [ReportPair] = []
        var previous: [Surface: (observation: Observation, certain: Set<Text>)] = [:]
        var installation: Pseudonym?
        for (place, observation) in sorted.enumerated() {
            if place > 0, sorted[place - 1].isRedelivered(as: observation) { continue }
            let state = history.fold(Array(sorted[...place]))
            // What an ended installation sends, and what another channel does, is not folded.
            guard observation.circumstances.channel == "production",
                state.installation?.id == observation.installation
            else { continue }
            if installation != observation.installation { previous = [:] }
            installation = observation.installation
            guard case .reported(let claimed) = observation.event, observation.surface != .today else { continue }
            for kind in (previous[observation.surface]?.certain ?? []).sorted() {
                guard let first = previous[observation.surface]?.observation else { continue }
                pairs.append(
                    ReportPair(
                        surface: observation.surface, kind: kind.text,
                        fromVersion: first.circumstances.appVersion, toVersion: observation.circumstances.appVersion,
                        isOtherOS: first.circumstances.osRelease != observation.circumstances.osRelease,
                        from: first.at, at: observation.at, isLost: !claimed.keys.contains { Text($0.kind) == kind }))
            }
            let certain = state.surfaces[observation.surface]?.holdings.filter { $0.value.certain > 0 } ?? [:]
            previous[observation.surface] = (observation, Set(certain.keys.map { Text($0.kind) }))
        }
        return pairs
    }
}
