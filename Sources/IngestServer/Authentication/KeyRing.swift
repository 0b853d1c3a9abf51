package import CensusStore
package import Logging
internal import ServiceLifecycle
internal import Services
internal import Synchronization

/// The keys that the server accepts, in memory and read again every few seconds. A revoked key is soon refused, and a new key
/// works at once. ``KeyRingState`` decides which request waits for which query.
package final class KeyRing: Service {
    private typealias State = KeyRingState<CheckedContinuation<Result<Void, StoreError>, Never>>

    /// The time between two queries, and so the age of the copy.
    package static let interval: Duration = .seconds(5)

    private let interval: Duration
    /// For one query.
    private let patience: Duration
    private let store: Store
    private let logger: Logger
    private let state = Mutex(State())

    package init(store: Store, interval: Duration = KeyRing.interval, patience: Duration, logger: Logger) {
        self.store = store
        self.interval = interval
        self.patience = patience
        self.logger = logger
    }

    /// The key from the copy in memory, without a query.
    func known(_ hash: KeyHash) -> KeyRecord? { state.withLock { $0.keys[hash] } }

    /// Looks up a key by its hash, so that no comparison of keys leaks timing. Queries the store for a key that is not in
    /// memory.
    ///
    /// - Throws: ``StoreError`` if the key is not in memory and the store is unavailable.
    func record(of hash: KeyHash) async throws(StoreError) -> KeyRecord? {
        if let known = known(hash) { return known }
        let reading = await withCheckedContinuation { continuation in
            carryOut(state.withLock { $0.wait(continuation) })
        }
        try reading.get()
        return state.withLock { $0.keys[hash] }
    }

    private func carryOut(_ actions: [State.Action]) {
        for action in actions {
            switch action {
            case .schedule(let instant): Task { await readForWaiters(at: instant) }
            case .answer(let waiter, let failure):
                waiter.resume(returning: failure.map { .failure($0) } ?? .success(()))
            }
        }
    }

    private func readForWaiters(at instant: ContinuousClock.Instant?) async {
        if let instant { try? await Task.sleep(until: instant) }
        let number = state.withLock { $0.beginForWaiters(at: .now) }
        do throws(StoreError) {
            try await read(number)
            carryOut(state.withLock { $0.endForWaiters(nil) })
        } catch {
            carryOut(state.withLock { $0.endForWaiters(error) })
        }
    }

    package func run() async throws {
        await ServiceLoop(every: interval).run { [self] in
            // While the store is unavailable, the keys in memory stay valid.
            do throws(StoreError) {
                try await read(state.withLock { $0.begin(at: .now) })
            } catch {
                logger.debug("keys could not be read", metadata: ["reason": "\(error)"])
            }
        }
    }

    private func read(_ number: Int) async throws(StoreError) {
        let keys = try await store.within(patience) { try await $0.keys.all() }
        state.withLock { $0.took(keys, of: number) }
    }
}
