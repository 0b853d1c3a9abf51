internal import CensusCore
internal import CensusStore
internal import Logging
internal import ServiceLifecycle
internal import Services
internal import Synchronization

/// What the apps' manifests declare, read again every few seconds: a manifest that was just added soon ends the warnings.
package final class DeclarationWatch: Service {
    private static let interval: Duration = .seconds(10)

    private let store: Store
    /// For one reading.
    private let patience: Duration
    private let logger: Logger
    /// By the app's number.
    private let declared = Mutex<[Int32: DeclaredKinds]>([:])

    init(store: Store, patience: Duration, logger: Logger) {
        self.store = store
        self.patience = patience
        self.logger = logger
    }

    func warnings(of batch: Batch, appNumber: Int32) -> [BatchWarning] {
        declared.withLock { $0[appNumber] }?.warnings(of: batch) ?? []
    }

    package func run() async throws {
        await ServiceLoop(every: DeclarationWatch.interval).run { [self] in
            // While the store is away, what was last read stays.
            do throws(StoreError) {
                let read = try await store.within(patience) { try await $0.manifests.declared() }
                declared.withLock { $0 = read }
            } catch {
                logger.debug("the manifests could not be read", metadata: ["reason": "\(error)"])
            }
        }
    }
}
