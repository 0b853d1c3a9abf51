internal import CensusStore
internal import Synchronization

/// Where large bodies are inflated and decoded: few at a time, in turns by key, on threads of their own, so that the threads
/// that answer all others stay free.
final class HeavyLine: Sendable {
    private struct State {
        var line: FairLine
        var next = 0
        /// Of the jobs that wait.
        var continuations: [FairLine.Ticket: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state: Mutex<State>
    private let threads: HeavyThreads
    private let limits: RoomLimits
    private let metrics: DoorMetrics

    /// - Parameter bytes: the size of the largest body.
    init(_ limits: RoomLimits, bytes: Int, metrics: DoorMetrics) {
        let places = HeavyThreads.places
        self.limits = limits
        self.metrics = metrics
        self.threads = HeavyThreads(count: places)
        self.state = Mutex(
            State(
                line: FairLine(
                    places: places, bytes: bytes, waitingPerKey: limits.waitingPerKey, waiting: limits.waiting)))
    }

    var waiting: Int { state.withLock { $0.line.waiting } }

    /// Runs `work` when its turn has come. It may tell that there are fewer bytes than was assumed.
    ///
    /// - Throws: what `work` throws, or ``Problem``: 503 when too many wait, or the turn does not come in time.
    func run<T>(
        _ key: KeyHash, bytes: Int, _ work: (_ shrink: (Int) -> Void) async throws -> T
    ) async throws -> T {
        let ticket = state.withLock { state in
            state.next += 1
            return state.next
        }
        guard await enter(ticket, key, bytes) else {
            metrics.countTurnedAway(.line)
            throw Problem.noRoom
        }
        defer { resume(state.withLock { $0.line.leave(ticket) }) }
        return try await withTaskExecutorPreference(threads) {
            try await work { [self] bytes in resume(state.withLock { $0.line.shrink(ticket, to: bytes) }) }
        }
    }

    /// - Returns: whether the turn has come.
    private func enter(_ ticket: FairLine.Ticket, _ key: KeyHash, _ bytes: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            let admission = state.withLock { state in
                let admission = state.line.come(ticket, key: key, bytes: bytes)
                if admission == .waits { state.continuations[ticket] = continuation }
                return admission
            }
            switch admission {
            case .begins: continuation.resume(returning: true)
            case .refused: continuation.resume(returning: false)
            case .waits:
                Task { [self] in
                    try? await Task.sleep(for: limits.turn)
                    giveUp(ticket, key)
                }
            }
        }
    }

    private func giveUp(_ ticket: FairLine.Ticket, _ key: KeyHash) {
        let (continuation, begun) = state.withLock { state in
            let (wasWaiting, begun) = state.line.giveUp(ticket, key: key)
            return (wasWaiting ? state.continuations.removeValue(forKey: ticket) : nil, begun)
        }
        continuation?.resume(returning: false)
        resume(begun)
    }

    private func resume(_ begun: [FairLine.Ticket]) {
        guard !begun.isEmpty else { return }
        let continuations = state.withLock { state in
            begun.compactMap { state.continuations.removeValue(forKey: $0) }
        }
        for continuation in continuations { continuation.resume(returning: true) }
    }
}
