internal import CensusCore
internal import CensusStore
internal import Logging
internal import ServiceLifecycle
internal import Services
internal import Synchronization

/// Settings from the store, read again every few seconds so that a change applies without a restart. While the store is
/// unavailable, the last values stay valid.
package final class StoreWatch<Value: Sendable>: Service {
    /// The settings' name in the log.
    private let subject: String
    private let interval: Duration
    /// For one query.
    private let patience: Duration
    private let store: Store
    private let logger: Logger
    private let read: @Sendable (Store) async throws -> Value
    private let last: Mutex<Value>

    /// - Parameter value: valid until the first query succeeds.
    init(
        _ subject: String, startingWith value: Value, every interval: Duration, patience: Duration, store: Store,
        logger: Logger, _ read: @escaping @Sendable (Store) async throws -> Value
    ) {
        self.subject = subject
        self.interval = interval
        self.patience = patience
        self.store = store
        self.logger = logger
        self.read = read
        last = Mutex(value)
    }

    var value: Value { last.withLock { $0 } }

    package func run() async throws {
        await ServiceLoop(every: interval).run { [self] in
            do throws(StoreError) {
                let value = try await store.within(patience, read)
                last.withLock { $0 = value }
            } catch {
                logger.debug(
                    "settings could not be read from the store",
                    metadata: ["what": "\(subject)", "reason": "\(error)"])
            }
        }
    }
}

extension Retention {
    private static let interval: Duration = .seconds(5)
    /// After this time every server that reaches the store knows a new setting. Until then a server can accept events older
    /// than the new retention, and store what is never counted.
    package static let known: Duration = interval + .seconds(4)

    static func watch(
        startingWith retention: Retention, patience: Duration, store: Store, logger: Logger
    ) -> StoreWatch<Retention> {
        StoreWatch(
            "retention", startingWith: retention, every: interval, patience: patience, store: store, logger: logger
        ) { try await $0.upkeep.retention() }
    }
}

extension StoreWatch where Value == [Int32: DeclaredKinds] {
    /// The kinds that the apps' manifests declare, by the app's number. A new manifest soon ends the warnings.
    static func declarations(patience: Duration, store: Store, logger: Logger) -> StoreWatch {
        StoreWatch(
            "manifests", startingWith: [:], every: .seconds(10), patience: patience, store: store, logger: logger
        ) { try await $0.manifests.declared() }
    }

    func warnings(of batch: Batch, appNumber: Int32) -> [BatchWarning] {
        value[appNumber]?.warnings(of: batch) ?? []
    }
}
