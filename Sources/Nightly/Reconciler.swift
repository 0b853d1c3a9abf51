internal import CensusCore
package import CensusStore
package import Logging

/// Folds what was committed since last time, in steps of bounded size, until the queue is empty.
package struct Reconciler: Sendable {
    /// Devices a step; a step is one transaction.
    package var stepSize = 500

    private let store: Store
    private let logger: Logger

    package init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// One sweep over the queue: each device that was queued when the sweep came by is folded once.
    ///
    /// - Parameter progress: called after every step with the sum so far.
    /// - Returns: what all steps did; nothing when the queue was empty.
    package func drain(
        progress: @Sendable (ReconciledBatch) -> Void = { _ in }
    ) async throws(StoreError) -> ReconciledBatch {
        var total = ReconciledBatch()
        while true {
            let step = try await step(after: total.last)
            total += step
            guard step.last != nil else { return total }
            if step.setAside > 0 {
                logger.error(
                    "devices could not be reconciled and were set aside: see census.set_aside",
                    metadata: ["devices": "\(step.setAside)"])
            }
            progress(total)
        }
    }

    private func step(after previous: Pseudonym?) async throws(StoreError) -> ReconciledBatch {
        // Read at every step: an app may be added, or given another zone, while a long queue is drained.
        let folds = Dictionary(
            uniqueKeysWithValues: try await store.apps().map { ($0.number, $0.fold) })
        return try await store.reconcile(after: previous, limit: stepSize) { app in folds[app] ?? DeviceFold() }
    }
}
