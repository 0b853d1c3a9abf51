package import CensusStore
package import Logging
internal import ServiceLifecycle
internal import Services
internal import Synchronization

/// Reconciles while the service runs, so that a first user sees their widgets seconds after the first POST.
package struct ReconcilerService: Service {
    private let store: Store
    private let reconciler: Reconciler
    private let interval: Duration
    private let patience: Duration
    private let logger: Logger

    private let waiting: @Sendable () -> Int

    /// After a sweep over so many devices the queue is checked again at once.
    private static let many = 2_000
    /// How many batches can wait before the reconciler rests. With twice as many, the rest is as long as the step.
    private static let few = 8
    /// In a rush the server gets nearly all of the time.
    private static let mostRestInRush = 99.0
    private static let rush: Duration = .seconds(10)
    /// Later it gets nine tenths.
    private static let mostRest = 9.0
    /// Two thirds, once a sweep over the queue has lasted long, because a server can be busy all day.
    private static let mostRestOfLongSweep = 2.0
    private static let longSweep: Duration = .seconds(300)

    /// - Parameters:
    ///   - interval: between two checks of the queue.
    ///   - patience: once it has reconciled for so long without a pause, the log says so; then again after twice that time.
    ///   - waiting: how many batches wait at the server. They have priority: counts can be minutes late, but phones don't wait.
    package init(
        store: Store, interval: Duration = .milliseconds(200), patience: Duration = .seconds(30), logger: Logger,
        waiting: @escaping @Sendable () -> Int = { 0 }
    ) {
        self.store = store
        self.reconciler = Reconciler(store: store, logger: logger)
        self.waiting = waiting
        self.interval = interval
        self.patience = patience
        self.logger = logger
    }

    /// A reconciler for one sweep that starts now.
    private var steppingBack: Reconciler {
        var reconciler = reconciler
        reconciler.workers = DeviceStore.stepsAtOnce
        reconciler.waits = false
        let begun = ContinuousClock.now
        reconciler.rest = { [waiting] in
            ReconcilerService.rest(waiting: waiting(), sweepLasts: ContinuousClock.now - begun)
        }
        return reconciler
    }

    /// - Returns: how long to rest after a step, as a multiple of its time.
    static func rest(waiting: Int, sweepLasts: Duration) -> Double {
        let most = sweepLasts < rush ? mostRestInRush : sweepLasts < longSweep ? mostRest : mostRestOfLongSweep
        let crowd = max(Double(waiting - few) / Double(few), 0)
        // To the fourth power: hardly any rest at half of the load, and nearly all the time at full load.
        return min(crowd * crowd * crowd * crowd, most)
    }

    package func run() async throws {
        let outage = Outage()
        let catchUp = CatchUp()
        await ServiceLoop(every: interval).run {
            async let _: Void = report(catchUp, outage)
            do throws(StoreError) {
                var devices: Int
                repeat {
                    devices = try await steppingBack.drain(progress: catchUp.note).devices
                    catchUp.endSweep()
                    outage.end(logger)
                    // After a rush, what was heard in the meantime doesn't wait for the next check.
                } while devices >= ReconcilerService.many
                if let metadata = catchUp.end() { logger.notice("the backlog is reconciled", metadata: metadata) }
            } catch {
                catchUp.endSweep()
                // Log once, not five times a second. The step's devices are still queued.
                if !outage.isKnown.exchange(true, ordering: .relaxed), !Task.isCancelled {
                    let cause = await store.cause(of: error)
                    logger.warning("reconciling failed; trying again", metadata: ["reason": "\(cause)"])
                }
            }
        }
    }

    /// Logs that reconciling works again, and now and then how far a long catch-up is, until it is cancelled.
    private func report(_ catchUp: CatchUp, _ outage: Outage) async {
        var seen = catchUp.devices
        while (try? await Task.sleep(for: patience / 6)) != nil {
            let devices = catchUp.devices
            // Not after each step: if a later one failed each time, both lines would come five times a second.
            if devices > seen { outage.end(logger) }
            seen = devices
            guard devices > 0, catchUp.isDue(after: patience),
                let queue = try? await store.devices.queueLength(atMost: StoreStatus.countLimit)
            else { continue }
            var metadata = catchUp.report()
            metadata["entries_left"] = "\(queue.entries)"
            metadata["oldest_waits"] = "\(Duration.seconds(queue.seconds).inWords)"
            logger.notice("reconciling a backlog", metadata: metadata)
        }
    }
}

/// A time in which reconciling fails.
private final class Outage: Sendable {
    /// Whether the log has it.
    let isKnown = Atomic(false)

    func end(_ logger: Logger) {
        if isKnown.exchange(false, ordering: .relaxed) { logger.notice("reconciling works again") }
    }
}

/// Sweeps over the queue until one ends without having found much. Failures don't end it.
private final class CatchUp: Sendable {
    private struct Progress {
        var begun = ContinuousClock.now
        /// Devices of the sweeps that ended, and of the present one.
        var ended = 0
        var now = 0
        var lastReport: ContinuousClock.Instant?

        var devices: Int { ended + now }

        var metadata: Logger.Metadata {
            ["devices": "\(devices)", "seconds": "\(Int((ContinuousClock.now - begun) / .seconds(1)))"]
        }
    }

    private let progress = Mutex(Progress())

    var devices: Int { progress.withLock(\.devices) }

    func note(_ sweep: ReconciledBatch) { progress.withLock { $0.now = sweep.devices } }

    func endSweep() { progress.withLock { ($0.ended, $0.now) = ($0.devices, 0) } }

    /// Whether it has lasted for so long, and was not reported for twice as long.
    func isDue(after patience: Duration) -> Bool {
        progress.withLock { progress in
            progress.lastReport.map { .now - $0 >= patience * 2 } ?? (.now - progress.begun >= patience)
        }
    }

    func report() -> Logger.Metadata {
        progress.withLock { progress in
            progress.lastReport = .now
            return progress.metadata
        }
    }

    /// Ends it, and begins the next one.
    ///
    /// - Returns: nil if it was never reported.
    func end() -> Logger.Metadata? {
        progress.withLock { progress in
            defer { progress = Progress() }
            return progress.lastReport == nil ? nil : progress.metadata
        }
    }
}
