internal import CensusCore
internal import CensusStore
internal import Logging
internal import Synchronization
internal import Tracing

/// A running night: its steps, one after another, and their results so far.
struct NightInProgress {
    let store: Store
    let logger: Logger
    let day: Day?
    let app: String?
    let rebuilds: Bool
    let verifies: Bool
    let progress: @Sendable (NightProgress) -> Void
    /// Starts a step's trace span; nil if nobody wants one.
    let startSpan: (NightStep) -> (any Tracing.Span)?
    private(set) var summary = NightlyJob.Summary()
    /// Read once, because the night can go on past an app's midnight, and must close, watch and judge the same days.
    private var due: [(work: NightlyWork, last: Day)] = []
    private var partitionsDropped = 0

    init(
        store: Store, logger: Logger, day: Day?, app: String?, rebuilds: Bool, verifies: Bool,
        progress: @escaping @Sendable (NightProgress) -> Void,
        startSpan: @escaping (NightStep) -> (any Tracing.Span)?
    ) {
        self.store = store
        self.logger = logger
        self.day = day
        self.app = app
        self.rebuilds = rebuilds
        self.verifies = verifies
        self.progress = progress
        self.startSpan = startSpan
    }

    /// Runs the steps. A failed step is noted, and stops no other step while the store answers.
    mutating func run() async throws(StoreError) {
        // Drop empty days first, because they need no fold, and with too many partitions nothing can be reconciled.
        partitionsDropped = try await RetentionSweep(store: store, logger: logger).dropEmpty().dropped
        let steps: [NightStep] = [.reconciling, .closing, .watching, .deciding, .keeping]
        for step in steps + (verifies ? [.verifying] : []) {
            let started = ContinuousClock.now
            let span = startSpan(step)
            defer {
                summary.durations[step] = ContinuousClock.now - started
                span?.end()
            }
            do throws(StoreError) {
                try await perform(step)
            } catch {
                span?.fail(error)
                guard error.fault != .request else { throw error }
                try await goOn(after: error)
                logger.error(
                    "a part of the night failed", metadata: ["step": "\(step.rawValue)", "reason": "\(error)"])
                summary.failures.append(NightlyJob.Failure(step: step, error: error))
            }
        }
        (summary.setAside, summary.implausible) = try await store.devices.countSetAside()
    }

    private mutating func perform(_ step: NightStep) async throws(StoreError) {
        switch step {
        case .reconciling: try await reconcile()
        case .closing, .rebuilding: try await close()
        case .watching:
            try await forEachApp(step) { [store] (summary, app, last) async throws(StoreError) in
                summary.incidents += try await store.losses.watch(app, through: last).map { (app.id, $0) }
            }
        case .deciding:
            // The numbers lack the devices that wait to be reconciled. So yesterday's verdicts stay, and are shown as too old.
            if summary.failures.contains(where: { $0.step == .reconciling }) { return }
            try await forEachApp(step) { [store] (summary, app, last) async throws(StoreError) in
                summary.verdicts += try await store.decisions.decide(app, through: last).map { (app.id, $0) }
            }
        case .keeping: try await keep()
        case .verifying: try await verify()
        }
    }

    private mutating func reconcile() async throws(StoreError) {
        // A newer program might be able to read what an older one could not.
        _ = try await store.devices.retrySetAside()
        let outdated = try await store.devices.rulesAreNew() ? store.devices.queueOutdated() : 0
        if outdated > 0 {
            logger.notice("devices are folded again under newer rules", metadata: ["devices": "\(outdated)"])
        }
        let queued = try await store.devices.queued()
        progress(NightProgress(.reconciling, done: 0, of: queued))
        var reconciler = Reconciler(store: store, logger: logger)
        reconciler.workers = DeviceStore.stepsAtOnce
        // Count the work done before a failure.
        let done = Mutex(ReconciledBatch())
        defer { summary.reconciled = done.withLock { $0 } }
        _ = try await reconciler.drain { [progress] sum in
            done.withLock { $0 = sum.taken > $0.taken ? sum : $0 }
            // More devices might have been queued since.
            progress(NightProgress(.reconciling, done: sum.devices, of: max(queued, sum.devices)))
        }
    }

    private mutating func close() async throws(StoreError) {
        due = try await store.ledger.due(app: app, through: day)
        try await store.ledger.analyze()
        for (position, (work, last)) in due.enumerated() {
            progress(NightProgress(.closing, done: position, of: due.count, app: work.appID))
            summary.nights.append(try await night(of: work, through: last))
        }
    }

    private mutating func keep() async throws(StoreError) {
        let made = try await PartitionService(store: store, logger: logger).keepAll()
        summary.partitionsMade = made.done
        let kept = try await RetentionSweep(store: store, logger: logger).keep { [progress] devices in
            progress(NightProgress(.keeping, done: devices))
        }
        summary.partitionsDropped = partitionsDropped + kept.dropped
        summary.partitionsPutOff = made.putOff + kept.putOff
    }

    /// Runs a step for one app after another. A failure of one is noted, and stops no other app while the store answers.
    private mutating func forEachApp(
        _ step: NightStep, _ part: (inout NightlyJob.Summary, App, Day) async throws(StoreError) -> Void
    ) async throws(StoreError) {
        for (position, (work, last)) in due.enumerated() {
            progress(NightProgress(step, done: position, of: due.count, app: work.appID))
            do throws(StoreError) {
                try await part(&summary, try await store.apps.app(work.appID), last)
            } catch {
                try await goOn(after: error)
                logger.error(
                    "a part of the night failed for an app; the next night tries again",
                    metadata: ["step": "\(step.rawValue)", "app": "\(work.appID)", "reason": "\(error)"])
                summary.failures.append(NightlyJob.Failure(step: step, appID: work.appID, error: error))
            }
        }
    }

    /// Closes one app's days. A failure is noted, and stops no other app while the store answers.
    private func night(of work: NightlyWork, through last: Day) async throws(StoreError) -> NightlyJob.Night {
        let recounted = { @Sendable [progress] devices in
            progress(NightProgress(.rebuilding, done: devices, app: work.appID))
        }
        var work = work
        // The operator who asks for a rebuild knows which clock is right.
        if rebuilds { work.reopens = work.isAhead }
        do throws(StoreError) {
            let recounts = rebuilds || work.isDoubted
            do throws(StoreError) {
                let closed = try await store.ledger.close(work, through: last, recounts: recounts, progress: recounted)
                return noted(NightlyJob.Night(appID: work.appID, closed: closed))
            } catch {
                guard error.fault != .away, !recounts else { throw error }
                logger.warning(
                    "an app's days could not be closed from its ledger's entries; recounting the ledger from the spans",
                    metadata: ["app": "\(work.appID)", "reason": "\(error)"])
                let closed = try await store.ledger.close(work, through: last, recounts: true, progress: recounted)
                return noted(NightlyJob.Night(appID: work.appID, closed: closed))
            }
        } catch {
            try await goOn(after: error)
            logger.error(
                "an app's days could not be closed; the next night tries again",
                metadata: ["app": "\(work.appID)", "reason": "\(error)"])
            try await store.ledger.noteNotClosed(work, error)
            return NightlyJob.Night(appID: work.appID, failure: error)
        }
    }

    private func noted(_ night: NightlyJob.Night) -> NightlyJob.Night {
        if let closed = night.closed, closed.isRecounted {
            logger.notice(
                "an app's ledger was recounted from the spans",
                metadata: ["app": "\(night.appID)", "days_restated": "\(closed.daysRestated)"])
        }
        return night
    }

    /// Returns if the night can continue after an error.
    ///
    /// - Throws: the error if it can't: the night was cancelled, or the store or one of its workers does not answer.
    private func goOn(after error: StoreError) async throws(StoreError) {
        guard error.fault == .away else { return }
        guard !Task.isCancelled else { throw error }
        let cause = await store.cause(of: error)
        guard cause == error else { throw cause }
        do throws(StoreError) {
            _ = try await store.within(.seconds(10)) { try await $0.devices.queueLength(atMost: 1) }
        } catch _ {
            throw error
        }
    }

    private mutating func verify() async throws(StoreError) {
        var verification = Verification()
        try await store.ledger.analyzeCounted()
        for work in try await store.ledger.work(app: app) {
            let differences = try await store.ledger.verify(work) { [progress] devices in
                progress(NightProgress(.verifying, done: devices, app: work.appID))
            }
            verification.differences += differences.map { (work.appID, $0) }
            // The next night recounts the ledger by itself.
            if !differences.isEmpty { try await store.ledger.doubt(work) }
        }
        verification.broken = try await store.reports.check().filter { !$0.holds }
        summary.verification = verification
    }
}

extension DayLedger {
    /// Returns the apps, each with the last day to close.
    ///
    /// - Parameter day: nil for the last day that has ended in each app's zone.
    func due(
        app: String?, through day: Day?
    ) async throws(StoreError) -> [(work: NightlyWork, last: Day)] {
        var all: [(work: NightlyWork, last: Day)] = []
        for work in try await work(app: app) {
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
}

extension Tracing.Span {
    /// Notes whose fault it was; the error's text stays in the log.
    func fail(_ error: StoreError) {
        attributes["error.type"] = "\(error.fault)"
        setStatus(SpanStatus(code: .error))
    }
}
