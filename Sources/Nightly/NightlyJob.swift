package import CensusCore
package import CensusStore
package import Logging
internal import Synchronization

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
        /// Nil when nothing was ever heard: there was no day to close.
        package var closed: ClosedDays?
    }

    package struct Summary: Sendable {
        package var reconciled = ReconciledBatch()
        package var nights: [Night] = []
        /// Devices that are set aside when the night ends, by whomever.
        package var setAside = 0
        package var partitionsMade: Int?
        package var partitionsDropped: Int?
        /// What the check found; nil when it was not asked for.
        package var verification: Verification?
        /// How long each part took; what was not come to is absent.
        package var durations: [NightStep: Duration] = [:]
    }

    /// Runs a night, and writes down in `census.night_run` that it ran.
    ///
    /// - Parameters:
    ///   - day: the last day to close; nil: the last that has ended in each app's zone.
    ///   - app: one app's id, or nil for all.
    ///   - verifies: compares the ledger with a count straight from the spans, and checks what every report claims.
    ///   - progress: called often, from several threads.
    /// - Throws: ``StoreError`` with fault `request` when `day` has not ended yet, or there is no such app; nothing was
    ///   done then.
    package func run(
        day: Day? = nil, app: String? = nil, verifies: Bool = false,
        progress: @escaping @Sendable (NightProgress) -> Void = { _ in }
    ) async throws(StoreError) -> Summary {
        if let app { _ = try await store.app(app) }
        _ = try await work(for: app, through: day)
        let run = try await store.beginNightRun()
        var summary = Summary()
        do throws(StoreError) {
            try await steps(&summary, day: day, app: app, verifies: verifies, progress)
        } catch {
            await writeDown(error, of: run, summary)
            throw error
        }
        try await store.endNightRun(run, summary.record)
        return summary
    }

    /// The parts of the night, one after another.
    private func steps(
        _ summary: inout Summary, day: Day?, app: String?, verifies: Bool,
        _ progress: @escaping @Sendable (NightProgress) -> Void
    ) async throws(StoreError) {
        try await step(.reconciling, of: &summary) { (summary: inout Summary) async throws(StoreError) in
            try await reconcile(&summary.reconciled, progress)
        }
        try await step(.closing, of: &summary) { (summary: inout Summary) async throws(StoreError) in
            let all = try await work(for: app, through: day)
            for (position, (work, last)) in all.enumerated() {
                progress(NightProgress(.closing, done: position, of: all.count, app: work.appID))
                summary.nights.append(
                    Night(appID: work.appID, closed: try await store.closeDays(work, through: last)))
            }
        }
        try await step(.keeping, of: &summary) { (summary: inout Summary) async throws(StoreError) in
            summary.partitionsMade = try await PartitionService(store: store, logger: logger).keepAll()
            summary.partitionsDropped = try await RetentionKeeper(store: store, logger: logger).keep { devices in
                progress(NightProgress(.keeping, done: devices))
            }
        }
        if verifies {
            try await step(.verifying, of: &summary) { (summary: inout Summary) async throws(StoreError) in
                summary.verification = try await verify(app: app, progress)
            }
        }
        summary.setAside = try await store.devicesSetAside()
    }

    private func verify(
        app: String?, _ progress: @escaping @Sendable (NightProgress) -> Void
    ) async throws(StoreError) -> Verification {
        var verification = Verification()
        for work in try await store.nightlyWork(app: app) {
            let differences = try await store.verifyLedger(work) { done, total in
                progress(NightProgress(.verifying, done: done, of: total, app: work.appID))
            }
            verification.differences += differences.map { (work.appID, $0) }
        }
        verification.broken = try await store.checkReports().filter { !$0.holds }
        return verification
    }

    /// Runs one part and notes how long it took, if it fails, too.
    private func step(
        _ step: NightStep, of summary: inout Summary,
        _ work: (inout Summary) async throws(StoreError) -> Void
    ) async throws(StoreError) {
        let started = ContinuousClock.now
        defer { summary.durations[step] = ContinuousClock.now - started }
        try await work(&summary)
    }

    private func reconcile(
        _ reconciled: inout ReconciledBatch, _ progress: @escaping @Sendable (NightProgress) -> Void
    ) async throws(StoreError) {
        // A newer program may be able to read what an older one could not.
        _ = try await store.retrySetAside()
        _ = try await store.queueRezoned()
        let queued = try await store.queuedDevices()
        progress(NightProgress(.reconciling, done: 0, of: queued))
        var reconciler = Reconciler(store: store, logger: logger)
        reconciler.workers = 2
        // What was done before a failure stays done.
        let done = Mutex(ReconciledBatch())
        defer { reconciled = done.withLock { $0 } }
        _ = try await reconciler.drain { sum in
            done.withLock { $0 = sum.taken > $0.taken ? sum : $0 }
            // More may have come since.
            progress(NightProgress(.reconciling, done: sum.devices, of: max(queued, sum.devices)))
        }
    }

    /// The apps, each with the last day to close.
    private func work(
        for app: String?, through day: Day?
    ) async throws(StoreError) -> [(work: NightlyWork, last: Day)] {
        var all: [(work: NightlyWork, last: Day)] = []
        for work in try await store.nightlyWork(app: app) {
            let last = day ?? work.lastEndedDay
            guard last <= work.lastEndedDay else {
                throw StoreError(
                    .request,
                    "\(last) has not ended yet for \(work.appID): the last day that can be closed is \(work.lastEndedDay)"
                )
            }
            all.append((work, last))
        }
        return all
    }

    /// Notes a failure. The night may have been cancelled, or the store be away: it gets a task and a moment of its own.
    private func writeDown(_ error: StoreError, of run: Int64, _ summary: Summary) async {
        let failure = Task.isCancelled ? "interrupted" : error.description
        await Task { [store] in
            try? await store.within(.seconds(2)) { store in
                try await store.endNightRun(run, summary.record, failure: failure)
            }
        }.value
    }
}

extension NightlyJob.Summary {
    /// Days that were closed for the first time, of all apps.
    package var daysClosed: Int { nights.reduce(0) { $0 + ($1.closed?.daysClosed ?? 0) } }

    /// Days closed before in which some number is other now, of all apps.
    package var daysRestated: Int { nights.reduce(0) { $0 + ($1.closed?.daysRestated ?? 0) } }

    package func seconds(_ step: NightStep) -> Double? { durations[step].map { $0 / .seconds(1) } }

    fileprivate var record: NightRecord {
        var record = NightRecord()
        record.devices = reconciled.devices
        record.observations = reconciled.observations
        record.spansChanged = reconciled.spansChanged
        record.daysClosed = daysClosed
        record.daysRestated = daysRestated
        record.partitionsMade = partitionsMade
        record.partitionsDropped = partitionsDropped
        record.reconcileSeconds = seconds(.reconciling)
        record.closeSeconds = seconds(.closing)
        record.keepSeconds = seconds(.keeping)
        record.verifySeconds = seconds(.verifying)
        return record
    }
}
