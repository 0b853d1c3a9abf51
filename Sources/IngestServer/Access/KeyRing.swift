package import CensusStore
package import Logging
internal import ServiceLifecycle
internal import Synchronization

/// The keys that open the door, kept in memory and read anew every few seconds: a revoked key is refused soon, and a key
/// that was just made is good at once.
package final class KeyRing: Service {
    private struct State {
        var keys: [KeyHash: KeyRecord] = [:]
        /// When the last reading began.
        var begunAt: ContinuousClock.Instant?
        /// Readings are numbered as they begin: one that began earlier must not undo a later one.
        var begun = 0
        var held = 0
        /// A reading that has not begun: whoever meets an unknown key now waits for this one.
        var next: Task<Result<Void, StoreError>, Never>?
        /// One that has begun on behalf of unknown keys, and may have ended.
        var last: Task<Result<Void, StoreError>, Never>?
    }

    /// How old the copy may be.
    private let interval: Duration
    /// For one reading.
    private let patience: Duration
    /// How often at most unknown keys make us ask the store: somebody may be guessing.
    private static let spacing: Duration = .milliseconds(100)

    private let store: Store
    private let logger: Logger
    private let state = Mutex(State())

    package init(store: Store, interval: Duration = .seconds(5), patience: Duration, logger: Logger) {
        self.store = store
        self.interval = interval
        self.patience = patience
        self.logger = logger
    }

    /// Equal hashes are found without comparing keys byte by byte.
    ///
    /// - Throws: ``StoreError`` when the key is not in the copy and the store is away.
    func record(of hash: KeyHash) async throws(StoreError) -> KeyRecord? {
        if let known = state.withLock({ $0.keys[hash] }) { return known }
        // It may have been made a moment ago.
        try await nextReading().value.get()
        return state.withLock { $0.keys[hash] }
    }

    private func nextReading() -> Task<Result<Void, StoreError>, Never> {
        state.withLock { state in
            if let next = state.next { return next }
            let last = state.last
            let task = Task { [self] () -> Result<Void, StoreError> in
                // One at a time, however slow the store is: guesses must not take its connections from the others.
                _ = await last?.value
                let begunAt = self.state.withLock { $0.begunAt }
                if let begunAt { try? await Task.sleep(until: begunAt + KeyRing.spacing) }
                self.state.withLock { state in
                    state.last = state.next
                    state.next = nil
                }
                do throws(StoreError) {
                    try await read()
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
            state.next = task
            return task
        }
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                // While the store is away the keys of before stay good.
                do throws(StoreError) {
                    try await read()
                } catch {
                    logger.debug("keys could not be read", metadata: ["reason": "\(error)"])
                }
                try await Task.sleep(for: interval)
            }
        }
    }

    private func read() async throws(StoreError) {
        let number = state.withLock { state in
            state.begun += 1
            state.begunAt = .now
            return state.begun
        }
        let keys = try await store.within(patience) { try await $0.keys.all() }
        state.withLock { state in
            guard number > state.held else { return }
            state.held = number
            state.keys = keys
        }
    }
}
