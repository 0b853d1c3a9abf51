internal import CensusStore
internal import Synchronization

/// Whether the store took what it was last given: what rights and settings say may not be all.
final class CommitHealth: Sendable {
    /// For so long a failure counts; who is not ready gets no requests, and would never learn that it is again.
    static let memory: Duration = .seconds(10)

    private let failure = Mutex<(error: StoreError, at: ContinuousClock.Instant)?>(nil)

    func succeeded() { failure.withLock { $0 = nil } }

    /// A fault of the data says nothing of the store.
    func failed(_ error: StoreError, at now: ContinuousClock.Instant = .now) {
        guard error.fault != .data else { return }
        failure.withLock { $0 = (error, now) }
    }

    /// Why the last commit failed, if it did a moment ago and none succeeded since.
    func recentFailure(at now: ContinuousClock.Instant = .now) -> StoreError? {
        failure.withLock { failure in
            failure.flatMap { $0.at + CommitHealth.memory > now ? $0.error : nil }
        }
    }
}
