internal import CensusStore
internal import Synchronization

/// Whether the store accepted what it was last given: checks of rights and settings may miss a reason.
final class CommitHealth: Sendable {
    /// How long a failure counts: a node that is not ready gets no requests, and would never see one succeed.
    static let memory: Duration = .seconds(10)

    private let failure = Mutex<(error: StoreError, at: ContinuousClock.Instant)?>(nil)

    func succeeded() { failure.withLock { $0 = nil } }

    /// A fault of the data says nothing about the store.
    func failed(_ error: StoreError, at now: ContinuousClock.Instant = .now) {
        guard error.fault != .data else { return }
        failure.withLock { $0 = (error, now) }
    }

    /// Why the last commit failed, if that was a moment ago and none has succeeded since.
    func recentFailure(at now: ContinuousClock.Instant = .now) -> StoreError? {
        failure.withLock { failure in
            failure.flatMap { $0.at + CommitHealth.memory > now ? $0.error : nil }
        }
    }
}
