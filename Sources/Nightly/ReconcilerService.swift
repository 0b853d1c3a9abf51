package import CensusStore
package import Logging
internal import ServiceLifecycle

/// Reconciles for as long as the service runs: a first user sees their own widgets seconds after the first POST.
package struct ReconcilerService: Service {
    private let reconciler: Reconciler
    private let interval: Duration
    private let logger: Logger

    private let isBusy: @Sendable () -> Bool

    /// What it leaves to the door while that is busy: nine tenths of the time.
    private static let busyRest = 9.0
    /// In one sweep over the queue: a door that is always busy must not make counts later and later.
    private static let longestRest: Duration = .seconds(300)

    /// - Parameters:
    ///   - interval: between two looks at the queue.
    ///   - isBusy: whether somebody waits for an answer, who comes first: counts may be minutes late, phones don't wait.
    package init(
        store: Store, interval: Duration = .milliseconds(500), logger: Logger,
        isBusy: @escaping @Sendable () -> Bool = { false }
    ) {
        self.reconciler = Reconciler(store: store, logger: logger)
        self.isBusy = isBusy
        self.interval = interval
        self.logger = logger
    }

    /// For one sweep that begins now.
    private var steppingBack: Reconciler {
        var reconciler = reconciler
        let end = ContinuousClock.now + ReconcilerService.longestRest
        reconciler.rest = { [isBusy] in isBusy() && ContinuousClock.now < end ? ReconcilerService.busyRest : 0 }
        return reconciler
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var wasAway = false
            while !Task.isCancelled {
                do throws(StoreError) {
                    _ = try await steppingBack.drain()
                    if wasAway { logger.notice("the reconciler goes on") }
                    wasAway = false
                } catch {
                    // Said once, not twice a second; whatever was being worked on is still queued.
                    if !wasAway, !Task.isCancelled {
                        logger.warning("the reconciler waits", metadata: ["reason": "\(error)"])
                    }
                    wasAway = true
                }
                try await Task.sleep(for: interval)
            }
        }
    }
}
