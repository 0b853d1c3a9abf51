package import CensusStore
package import Logging
internal import ServiceLifecycle
internal import Services

/// Ends the sessions of nodes that froze while the store waits for their rows.
package struct StuckCopyWatch: Service {
    private static let interval: Duration = .seconds(30)
    private static let patience: Duration = .seconds(60)

    private let store: Store
    private let logger: Logger

    package init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    package func run() async throws {
        await ServiceLoop(every: StuckCopyWatch.interval, restsFirst: true).run {
            // Ignore errors: other services log that the store is away.
            let ended = (try? await store.log.endStuckCopies(olderThan: StuckCopyWatch.patience)) ?? 0
            guard ended > 0 else { return }
            logger.warning(
                "nodes stalled while sending rows; their sessions were ended",
                metadata: ["sessions": "\(ended)"])
        }
    }
}
