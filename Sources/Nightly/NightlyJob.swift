package import CensusCore
package import CensusStore
package import Logging

/// Closes days: reconciles what is committed by now, counts every day that is new or changed, keeps partitions.
package struct NightlyJob: Sendable {
    private let store: Store
    private let logger: Logger

    package init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// What a night did for one app.
    package struct Night: Hashable, Sendable {
        package var appID: String
        /// Nil when nothing was ever held: there was no day to close.
        package var closed: ClosedDays?
    }

    package struct Summary: Hashable, Sendable {
        package var reconciled: ReconciledBatch
        /// How long reconciling took, and how long closing days.
        package var reconciling: Duration
        package var closing: Duration
        package var nights: [Night]
    }

    /// - Parameters:
    ///   - day: the last day to close; nil: the last that has ended in each app's zone.
    ///   - app: one app's id, or nil for all.
    /// - Throws: ``StoreError`` with fault `request` when `day` has not ended yet, or there is no such app.
    package func run(
        day: Day? = nil, app: String? = nil, progress: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws(StoreError) -> Summary {
        if let app { _ = try await store.app(app) }
        let started = ContinuousClock.now
        // A newer program may be able to read what an older one could not.
        _ = try await store.retrySetAside()
        var reconciler = Reconciler(store: store, logger: logger)
        reconciler.workers = 2
        let reconciled = try await reconciler.drain { sum in
            progress("reconciled \(sum.devices) devices, \(sum.observations) observations")
        }
        let reconciling = ContinuousClock.now - started
        var nights: [Night] = []
        for work in try await store.nightlyWork(app: app) {
            let last = day ?? work.lastEndedDay
            guard last <= work.lastEndedDay else {
                throw StoreError(
                    .request,
                    "\(last) has not ended yet for \(work.appID): the last day that can be closed is \(work.lastEndedDay)"
                )
            }
            nights.append(Night(appID: work.appID, closed: try await store.closeDays(work, through: last)))
            progress("closed \(work.appID) through \(last)")
        }
        return Summary(
            reconciled: reconciled, reconciling: reconciling,
            closing: ContinuousClock.now - started - reconciling, nights: nights)
    }
}
