internal import CensusStore
internal import Synchronization

/// Whether the store accepted the last commit. Checks of privileges and settings can miss a reason for failures.
final class CommitHealth: Sendable {
    /// How long a failure counts. A node that is not ready gets no requests, so it would never see a commit succeed.
    static let memory: Duration = .seconds(10)

    private let failure = Mutex<(error: StoreError, at: ContinuousClock.Instant)?>(nil)

    func succeeded() { failure.withLock { $0 = nil } }

    /// Ignores errors that are caused by the data, because they say nothing about the store.
    func failed(_ error: StoreError, at now: ContinuousClock.Instant = .now) {
        guard error.fault != .data else { return }
        failure.withLock { $0 = (error, now) }
    }

    /// The error of the last commit, if it failed within ``memory`` and none has succeeded since.
    func recentFailure(at now: ContinuousClock.Instant = .now) -> StoreError? {
        failure.withLock { failure in
            failure.flatMap { $0.at + CommitHealth.memory > now ? $0.error : nil }
        }
    }
}
