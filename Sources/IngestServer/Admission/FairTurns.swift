internal import CensusStore
internal import Synchronization

/// Lets work wait for its turn in a ``FairLine``.
final class FairTurns: Sendable {
    private struct State {
        var line: FairLine
        var next = 0
        /// The continuations of the jobs that wait.
        var continuations: [FairLine.Ticket: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state: Mutex<State>
    private let patience: Duration

    /// - Parameter patience: how long a job waits.
    init(_ line: FairLine, patience: Duration) {
        state = Mutex(State(line: line))
        self.patience = patience
    }

    var waiting: Int { state.withLock { $0.line.waiting } }

    /// Runs `work` when its turn has come. The work may report that it is smaller than was assumed.
    ///
    /// - Returns: nil when too many wait, or the turn does not come in time.
    /// - Throws: what `work` throws.
    func run<T>(
        _ key: KeyHash, bytes: Int = 0, _ work: (_ shrink: @escaping (Int) -> Void) async throws -> T
    ) async throws -> T? {
        let ticket = state.withLock { state in
            state.next += 1
            return state.next
        }
        guard await enter(ticket, key, bytes) else { return nil }
        defer { resume(state.withLock { $0.line.leave(ticket) }) }
        return try await work { [self] bytes in resume(state.withLock { $0.line.shrink(ticket, to: bytes) }) }
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
                    try? await Task.sleep(for: patience)
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
