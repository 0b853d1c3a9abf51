package import CensusCore
package import CensusStore
package import Logging
internal import Synchronization

/// Closes days: reconciles what is committed by now, counts every day that is new or changed, maintains partitions.
package struct NightlyJob: Sendable {
    private let store: Store
    private let logger: Logger

    package init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// Runs a night, and records in `census.night_run` that it ran.
    ///
    /// What fails for one app, or in one part, is noted in the summary and stops nothing else. An app whose days can't be
    /// closed from what was entered has its ledger counted again from the spans, and closed.
    ///
    /// - Parameters:
    ///   - day: the last day to close; nil: the last that has ended in each app's zone.
    ///   - app: one app's id, or nil for all.
    ///   - rebuilds: makes the ledger again from the stored spans.
    ///   - verifies: compares the ledger with a new count from the spans, and checks what every report claims.
    ///   - progress: called often, from several threads.
    /// - Throws: ``StoreError`` with fault `request` when `day` has not ended yet, or there is no such app; nothing was
    ///   done then. With fault `away` when the store is; what was done is kept.
    package func run(
        day: Day? = nil, app: String? = nil, rebuilds: Bool = false, verifies: Bool = false,
        progress: @escaping @Sendable (NightProgress) -> Void = { _ in }
    ) async throws(StoreError) -> Summary {
        if let app { _ = try await store.apps.app(app) }
        _ = try await work(for: app, through: day)
        let run = try await store.nights.begin()
        var summary = Summary()
        do throws(StoreError) {
            try await steps(&summary, day: day, app: app, rebuilds: rebuilds, verifies: verifies, progress)
        } catch {
            await writeDown(error, of: run, summary)
            throw error
        }
        try await store.nights.end(run, summary.record, failure: summary.failure)
        return summary
    }

    /// The parts of the night, one after another.
    private func steps(
        _ summary: inout Summary, day: Day?, app: String?, rebuilds: Bool, verifies: Bool,
        _ progress: @escaping @Sendable (NightProgress) -> Void
    ) async throws(StoreError) {
        // Empty days first, because they need no fold: with too many partitions nothing could be reconciled.
        let dropped = try await RetentionSweep(store: store, logger: logger).dropEmpty().dropped
        try await step(.reconciling, of: &summary) { (summary: inout Summary) async throws(StoreError) in
            try await reconcile(&summary.reconciled, progress)
        }
        // Once: the night may go on past an app's midnight, and closes, watches and judges the same days.
        var all: [(work: NightlyWork, last: Day)] = []
        try await step(.closing, of: &summary) { (summary: inout Summary) async throws(StoreError) in
            all = try await work(for: app, through: day)
            try await store.ledger.analyze()
            for (position, (work, last)) in all.enumerated() {
                progress(NightProgress(.closing, done: position, of: all.count, app: work.appID))
                summary.nights.append(try await night(of: work, through: last, recounts: rebuilds, progress))
            }
        }
        // What waits to be reconciled is not in the numbers: yesterday's verdicts stand, and are shown as too old.
        let isReconciled = !summary.failures.contains { $0.step == .reconciling }
        try await step(.watching, of: &summary) { (summary: inout Summary) async throws(StoreError) in
            try await forEachApp(all, .watching, of: &summary, progress) {
                (summary: inout Summary, app, last) async throws(StoreError) in
                summary.incidents += try await store.losses.watch(app, through: last).map { (app.id, $0) }
            }
        }
        try await step(.deciding, of: &summary) { (summary: inout Summary) async throws(StoreError) in
            guard isReconciled else { return }
            try await forEachApp(all, .deciding, of: &summary, progress) {
                (summary: inout Summary, app, last) async throws(StoreError) in
                summary.verdicts += try await store.decisions.decide(app, through: last).map { (app.id, $0) }
            }
        }
        try await step(.keeping, of: &summary) { (summary: inout Summary) async throws(StoreError) in
            let made = try await PartitionService(store: store, logger: logger).keepAll()
            summary.partitionsMade = made.done
            let kept = try await RetentionSweep(store: store, logger: logger).keep { devices in
                progress(NightProgress(.keeping, done: devices))
            }
            summary.partitionsDropped = dropped + kept.dropped
            summary.partitionsPutOff = made.putOff + kept.putOff
        }
        if verifies {
            try await step(.verifying, of: &summary) { (summary: inout Summary) async throws(StoreError) in
                summary.verification = try await verify(app: app, progress)
            }
        }
        (summary.setAside, summary.implausible) = try await store.devices.countSetAside()
    }

    /// Does a part for one app after another. What fails for one is noted, and stops no other while the store answers.
    private func forEachApp(
        _ all: [(work: NightlyWork, last: Day)], _ step: NightStep, of summary: inout Summary,
        _ progress: @escaping @Sendable (NightProgress) -> Void,
        _ part: (inout Summary, App, Day) async throws(StoreError) -> Void
    ) async throws(StoreError) {
        for (position, (work, last)) in all.enumerated() {
            progress(NightProgress(step, done: position, of: all.count, app: work.appID))
            do throws(StoreError) {
                try await part(&summary, try await store.apps.app(work.appID), last)
            } catch {
                try await goOn(after: error)
                logger.error(
                    "a part of the night failed for an app: the next night tries again",
                    metadata: ["step": "\(step.rawValue)", "app": "\(work.appID)", "reason": "\(error)"])
                summary.failures.append(Failure(step: step, error: error))
            }
        }
    }

    /// Closes one app's days. What fails is noted, and stops no other app while the store answers.
    private func night(
        of work: NightlyWork, through last: Day, recounts: Bool,
        _ progress: @escaping @Sendable (NightProgress) -> Void
    ) async throws(StoreError) -> Night {
        @Sendable func recounted(_ devices: Int) {
            progress(NightProgress(.rebuilding, done: devices, app: work.appID))
        }
        var work = work
        // Whoever asks for it knows which clock is right.
        if recounts { work.reopens = work.isAhead }
        do throws(StoreError) {
            let recounts = recounts || work.isDoubted
            do throws(StoreError) {
                let closed = try await store.ledger.close(work, through: last, recounts: recounts, progress: recounted)
                return noted(Night(appID: work.appID, closed: closed))
            } catch {
                guard error.fault != .away, !recounts else { throw error }
                logger.warning(
                    "an app's days could not be closed from what was entered: its ledger is recounted",
                    metadata: ["app": "\(work.appID)", "reason": "\(error)"])
                let closed = try await store.ledger.close(work, through: last, recounts: true, progress: recounted)
                return noted(Night(appID: work.appID, closed: closed))
            }
        } catch {
            try await goOn(after: error)
            logger.error(
                "an app's days could not be closed: the next night tries again",
                metadata: ["app": "\(work.appID)", "reason": "\(error)"])
            try await store.ledger.noteNotClosed(work, error)
            return Night(appID: work.appID, failure: error)
        }
    }

    private func noted(_ night: Night) -> Night {
        if let closed = night.closed, closed.isRecounted {
            logger.notice(
                "an app's ledger was recounted from the spans",
                metadata: ["app": "\(night.appID)", "days_restated": "\(closed.daysRestated)"])
        }
        return night
    }

    /// - Throws: the error when nothing else can be done either: the night was ended, or the store or one of its workers does not
    ///   answer.
    private func goOn(after error: StoreError) async throws(StoreError) {
        guard error.fault == .away else { return }
        guard !Task.isCancelled else { throw error }
        let cause = await store.cause(of: error)
        guard cause == error else { throw cause }
        do throws(StoreError) {
            _ = try await store.within(.seconds(10)) { try await $0.devices.pending(atMost: 1) }
        } catch _ {
            throw error
        }
    }

    private func verify(
        app: String?, _ progress: @escaping @Sendable (NightProgress) -> Void
    ) async throws(StoreError) -> Verification {
        var verification = Verification()
        try await store.ledger.analyzeCounted()
        for work in try await store.ledger.work(app: app) {
            let differences = try await store.ledger.verify(work) { devices in
                progress(NightProgress(.verifying, done: devices, app: work.appID))
            }
            verification.differences += differences.map { (work.appID, $0) }
            // The next night counts it again, without being asked.
            if !differences.isEmpty { try await store.ledger.doubt(work) }
        }
        verification.broken = try await store.reports.check().filter { !$0.holds }
        return verification
    }

    /// Runs one part and notes how long it took, also when it fails. A failure is noted, and stops no other part while the
    /// store answers.
    private func step(
        _ step: NightStep, of summary: inout Summary,
        _ work: (inout Summary) async throws(StoreError) -> Void
    ) async throws(StoreError) {
        let started = ContinuousClock.now
        defer { summary.durations[step] = ContinuousClock.now - started }
        do throws(StoreError) {
            try await work(&summary)
        } catch {
            guard error.fault != .request else { throw error }
            try await goOn(after: error)
            logger.error("a part of the night failed", metadata: ["step": "\(step.rawValue)", "reason": "\(error)"])
            summary.failures.append(Failure(step: step, error: error))
        }
    }

    private func reconcile(
        _ reconciled: inout ReconciledBatch, _ progress: @escaping @Sendable (NightProgress) -> Void
    ) async throws(StoreError) {
        // A newer program may be able to read what an older one could not.
        _ = try await store.devices.retrySetAside()
        let outdated = try await store.devices.queueOutdated()
        if outdated > 0 {
            logger.notice("devices are folded again by newer rules", metadata: ["devices": "\(outdated)"])
        }
        let queued = try await store.devices.queued()
        progress(NightProgress(.reconciling, done: 0, of: queued))
        var reconciler = Reconciler(store: store, logger: logger)
        reconciler.workers = 2
        // What was done before a failure stays done.
        let done = Mutex(ReconciledBatch())
        defer { reconciled = done.withLock { $0 } }
        _ = try await reconciler.drain { sum in
            done.withLock { $0 = sum.taken > $0.taken ? sum : $0 }
            // More may have been queued since.
            progress(NightProgress(.reconciling, done: sum.devices, of: max(queued, sum.devices)))
        }
    }

    /// The apps, each with the last day to close.
    private func work(
        for app: String?, through day: Day?
    ) async throws(StoreError) -> [(work: NightlyWork, last: Day)] {
        var all: [(work: NightlyWork, last: Day)] = []
        for work in try await store.ledger.work(app: app) {
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

    /// Notes a failure in a task of its own, which gets a moment: the night may have been cancelled, or the store be away.
    private func writeDown(_ error: StoreError, of run: Int64, _ summary: Summary) async {
        let failure = Task.isCancelled ? "interrupted" : error.description
        await Task { [store] in
            try? await store.within(.seconds(2)) { store in
                try await store.nights.end(run, summary.record, failure: failure)
            }
        }.value
    }
}
