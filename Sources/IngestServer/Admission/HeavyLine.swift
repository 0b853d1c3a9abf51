internal import CensusStore

/// Where large bodies are inflated and decoded: few at a time, in turns by key, on threads of their own, so that the threads
/// that answer everybody else stay free.
final class HeavyLine: Sendable {
    private let turns: FairTurns
    private let threads: HeavyThreads
    private let metrics: IngestMetrics

    /// - Parameter bytes: the size of the largest body.
    init(_ limits: AdmissionLimits, bytes: Int, metrics: IngestMetrics) {
        let places = HeavyThreads.places
        self.metrics = metrics
        self.threads = HeavyThreads(count: places)
        let line = FairLine(places: places, bytes: bytes, waitingPerKey: limits.waitingPerKey, waiting: limits.waiting)
        self.turns = FairTurns(line, patience: limits.turn)
    }

    var waiting: Int { turns.waiting }

    /// Runs `work` when its turn has come. The work may report fewer bytes than were assumed.
    ///
    /// - Throws: what `work` throws, or ``Problem``: 503 when too many wait, or the turn does not come in time.
    func run<T>(
        _ key: KeyHash, bytes: Int, _ work: (_ shrink: @escaping (Int) -> Void) async throws -> T
    ) async throws -> T {
        let done = try await turns.run(key, bytes: bytes) { shrink in
            try await withTaskExecutorPreference(threads) { try await work(shrink) }
        }
        guard let done else {
            metrics.countTurnedAway(.line)
            throw Problem.noRoom
        }
        return done
    }
}
