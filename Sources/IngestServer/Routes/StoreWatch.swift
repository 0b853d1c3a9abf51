internal import CensusCore
internal import CensusStore
internal import Logging
internal import ServiceLifecycle
internal import Services
internal import Synchronization

/// Settings that the store keeps and the server follows. They are read again every few seconds, so that a change applies without
/// a restart. While the store is away, the last ones read stand.
package final class StoreWatch<Value: Sendable>: Service {
    /// What is read, for the log.
    private let subject: String
    private let interval: Duration
    /// For one reading.
    private let patience: Duration
    private let store: Store
    private let logger: Logger
    private let read: @Sendable (Store) async throws -> Value
    private let last: Mutex<Value>

    /// - Parameter value: stands until the first reading.
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
                    "what the server goes by could not be read",
                    metadata: ["what": "\(subject)", "reason": "\(error)"])
            }
        }
    }
}

extension Retention {
    private static let interval: Duration = .seconds(5)
    /// After this every server knows a new setting, if it reaches the store. Until then one may take events older than what is dropped,
    /// and store what nothing counts.
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
    /// What the apps' manifests declare, by the app's number: a manifest that was just added soon ends the warnings.
    static func declarations(patience: Duration, store: Store, logger: Logger) -> StoreWatch {
        StoreWatch(
            "manifests", startingWith: [:], every: .seconds(10), patience: patience, store: store, logger: logger
        ) { try await $0.manifests.declared() }
    }

    func warnings(of batch: Batch, appNumber: Int32) -> [BatchWarning] {
        value[appNumber]?.warnings(of: batch) ?? []
    }
}
