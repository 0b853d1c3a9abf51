package import CensusStore
package import Logging
internal import ServiceLifecycle
internal import Services
internal import Synchronization

/// Reconciles for as long as the service runs: a first user sees their own widgets seconds after the first POST.
package struct ReconcilerService: Service {
    private let store: Store
    private let reconciler: Reconciler
    private let interval: Duration
    private let logger: Logger

    private let waiting: @Sendable () -> Int

    /// How many batches wait at a server that has time to spare; with twice as many, the rest is as long as the step.
    private static let few = 8
    /// In a rush the server has nearly all of the time.
    private static let mostRestInRush = 99.0
    private static let rush: Duration = .seconds(10)
    /// Later nine tenths.
    private static let mostRest = 9.0
    /// Two thirds, once a sweep over the queue has lasted long: a server may be busy all day.
    private static let mostRestOfLongSweep = 2.0
    private static let longSweep: Duration = .seconds(300)

    /// - Parameters:
    ///   - interval: between two checks of the queue.
    ///   - waiting: how many batches wait for their turn at the server. They come first: counts may be minutes late, but phones don't wait.
    package init(
        store: Store, interval: Duration = .milliseconds(200), logger: Logger,
        waiting: @escaping @Sendable () -> Int = { 0 }
    ) {
        self.store = store
        self.reconciler = Reconciler(store: store, logger: logger)
        self.waiting = waiting
        self.interval = interval
        self.logger = logger
    }

    /// For one sweep that begins now.
    private var steppingBack: Reconciler {
        var reconciler = reconciler
        reconciler.splits = true
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
        // Its fourth power: hardly any at half of the load, and nearly all the time at full load.
        return min(crowd * crowd * crowd * crowd, most)
    }

    package func run() async throws {
        let isWaiting = Atomic<Bool>(false)
        await ServiceLoop(every: interval).run {
            do throws(StoreError) {
                _ = try await steppingBack.drain()
                if isWaiting.exchange(false, ordering: .relaxed) { logger.notice("the reconciler goes on") }
            } catch {
                // Logged once, not five times a second; what was being worked on is still queued.
                if !isWaiting.exchange(true, ordering: .relaxed), !Task.isCancelled {
                    let cause = await store.cause(of: error)
                    logger.warning("the reconciler waits", metadata: ["reason": "\(cause)"])
                }
            }
        }
    }
}
