package import CensusStore
package import Logging
internal import ServiceLifecycle

/// Reconciles for as long as the service runs: a first user sees their own widgets seconds after the first POST.
package struct ReconcilerService: Service {
    private let reconciler: Reconciler
    private let interval: Duration
    private let logger: Logger

    /// What it leaves to the door while that is busy: four fifths of the time.
    private static let busyRest = 4.0

    /// - Parameters:
    ///   - interval: between two looks at the queue.
    ///   - isBusy: whether somebody waits for an answer, who comes first: counts may be late, phones don't wait.
    package init(
        store: Store, interval: Duration = .milliseconds(500), logger: Logger,
        isBusy: @escaping @Sendable () -> Bool = { false }
    ) {
        var reconciler = Reconciler(store: store, logger: logger)
        reconciler.rest = { isBusy() ? ReconcilerService.busyRest : 0 }
        self.reconciler = reconciler
        self.interval = interval
        self.logger = logger
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var wasAway = false
            while !Task.isCancelled {
                do throws(StoreError) {
                    _ = try await reconciler.drain()
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
