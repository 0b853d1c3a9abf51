package import CensusCore
internal import Synchronization

/// How many distinct names an app may use.
package struct NameCaps: Hashable, Sendable {
    package var appNumber: Int32
    package var kinds: Int
    package var families: Int
    /// What is past these is counted as ``other`` and not refused: nobody loses a widget over a version.
    package var appVersions = 2_000
    package var osReleases = 500

    static let other = "(other)"
}

/// Keeps broken clients from inventing names without end: kinds and families past an app's caps are refused, versions are
/// counted together.
package actor NameGate {
    private let store: Store
    /// By app. Beside the actor: nearly every batch has no name that is new, and need not wait for those that have.
    private let known = Mutex<[Int32: KnownNames]>([:])
    /// Names that were let in unwritten and have not been found in the store since.
    private var assumed: [Int32: KnownNames] = [:]
    /// When an app's names were last read.
    private var readAt: [Int32: ContinuousClock.Instant] = [:]
    /// Batches with new names go one after another: those who look at the same moment would all find room.
    private var lastWriter: Task<StoreError?, Never>?

    /// How long a refusal is given without asking the store: whoever sends new names to a full app must not make it
    /// work for each. Names only come, so what was one too many still is.
    private static let memory: Duration = .seconds(3)

    package init(store: Store) {
        self.store = store
    }

    /// Writes down the batch's new names and turns the events past the caps into refusals.
    ///
    /// - Parameter patience: for the store, once it is this batch's turn.
    package nonisolated func admit(
        _ batch: Batch, caps: NameCaps, patience: Duration = .seconds(2)
    ) async throws(StoreError) -> Batch {
        let names = names(of: caps.appNumber)
        if names.hasAll(of: batch) { return batch }
        return try await admit(batch, names, caps, patience)
    }

    private nonisolated func names(of app: Int32) -> KnownNames { known.withLock { $0[app] } ?? KnownNames() }

    private func admit(
        _ batch: Batch, _ names: KnownNames, _ caps: NameCaps, _ patience: Duration
    ) async throws(StoreError) -> Batch {
        if let readAt = readAt[caps.appNumber], readAt + NameGate.memory > .now {
            let sifted = SiftedBatch(batch, names: names, caps: caps)
            if sifted.fresh.isEmpty { return sifted.batch }
        }
        let before = lastWriter
        let work = Task { () -> Result<Batch, StoreError> in
            // Whoever waited for the store in vain need not wait again for each before him.
            if let error = await before?.value, error.isStoreAway { return .failure(error) }
            do throws(StoreError) {
                return .success(try await admitNew(batch, caps: caps, patience))
            } catch {
                return .failure(error)
            }
        }
        let writer = Task { () -> StoreError? in
            guard case .failure(let error) = await work.value else { return nil }
            return error
        }
        lastWriter = writer
        let result = await work.value
        if lastWriter == writer { lastWriter = nil }
        return try result.get()
    }

    private func admitNew(_ batch: Batch, caps: NameCaps, _ patience: Duration) async throws(StoreError) -> Batch {
        let number = caps.appNumber
        // Another node, or an earlier request, may have written more since.
        let began = ContinuousClock.now
        var names = try await store.within(patience) { try await $0.names.all(appNumber: number) }
        names.formUnion(self.names(of: number))
        var assumed = assumed.removeValue(forKey: number) ?? KnownNames()
        assumed.subtract(names)
        if !assumed.isEmpty { self.assumed[number] = assumed }
        let sifted = SiftedBatch(batch, names: names.union(assumed), caps: caps)
        let fresh = sifted.fresh.union(KnownNames(of: sifted.batch).intersection(assumed))
        if !fresh.isEmpty {
            try await store.within(patience) { try await $0.names.add(fresh, appNumber: number) }
        }
        names.formUnion(fresh)
        known.withLock { [names] known in known[number, default: KnownNames()].formUnion(names) }
        readAt[number] = began
        return sifted.batch
    }

    /// Applies the caps by what is known here, while nothing can be asked or written down.
    ///
    /// - Returns: with the names that have to be written before the batch is stored. They count as used from now on.
    package func admitUnwritten(_ batch: Batch, caps: NameCaps) -> (batch: Batch, names: KnownNames) {
        let known = names(of: caps.appNumber)
        if known.hasAll(of: batch) { return (batch, KnownNames()) }
        let assumed = assumed[caps.appNumber] ?? KnownNames()
        let sifted = SiftedBatch(batch, names: known.union(assumed), caps: caps)
        self.assumed[caps.appNumber] = assumed.union(sifted.fresh)
        return (sifted.batch, sifted.fresh.union(KnownNames(of: sifted.batch).intersection(assumed)))
    }
}
