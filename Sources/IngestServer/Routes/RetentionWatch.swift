internal import CensusCore
internal import CensusStore
internal import Logging
internal import ServiceLifecycle
internal import Services
internal import Synchronization

/// How long events are accepted, read again every few seconds, so that a new setting soon applies at an open door.
///
/// A door that took events older than what was dropped would store events that nothing counts.
package final class RetentionWatch: Service {
    private static let interval: Duration = .seconds(5)
    /// By then every door knows a new setting, if it reaches the store.
    package static let known: Duration = interval + .seconds(2)

    private let store: Store
    /// For one reading.
    private let patience: Duration
    private let logger: Logger
    private let retention: Mutex<Retention>

    /// - Parameter retention: stands until the first reading.
    init(_ retention: Retention, store: Store, patience: Duration, logger: Logger) {
        self.retention = Mutex(retention)
        self.store = store
        self.patience = patience
        self.logger = logger
    }

    /// How old an event may be when it is received.
    func accepted(at received: Timestamp) -> Duration { retention.withLock { $0 }.accepted(at: received) }

    package func run() async throws {
        await ServiceLoop(every: RetentionWatch.interval).run { [self] in
            // While the store is away the last one stays.
            do throws(StoreError) {
                let read = try await store.within(patience) { try await $0.upkeep.retention() }
                retention.withLock { $0 = read }
            } catch {
                logger.debug("the retention could not be read", metadata: ["reason": "\(error)"])
            }
        }
    }
}
