package import CensusCore
internal import Synchronization

/// How many distinct names an app may use.
package struct NameCaps: Hashable, Sendable {
    package var appNumber: Int32
    package var kinds: Int
    /// Families and versions beyond these count as `Batch.other`. They are not refused, because phones drop refused events.
    package var families: Int
    package var appVersions = 2_000
    package var osReleases = 500
}

/// Limits how many names a broken client can invent: events with kinds past an app's cap are refused; families and versions
/// past it are counted together. ``AppNames`` decides.
package actor NameLimiter {
    private let store: Store
    private var apps: [Int32: AppNames] = [:]
    /// A copy of the known names outside the actor: nearly all batches have no new name, and need not wait for those that do.
    private let known = Mutex<[Int32: KnownNames]>([:])
    /// Batches with new names go one after another: two that checked at the same moment would both be within the cap.
    private var lastWriter: Task<StoreError?, Never>?

    package init(store: Store) {
        self.store = store
    }

    /// Stores the batch's new names and applies the caps.
    ///
    /// - Parameter patience: the time limit for everything: the wait for a turn, and both queries.
    package nonisolated func admit(
        _ batch: Batch, caps: NameCaps, patience: Duration = .seconds(2)
    ) async throws(StoreError) -> Batch {
        if knowsAll(of: batch, appNumber: caps.appNumber) { return batch }
        return try await admitInTurn(batch, caps, until: .now + patience)
    }

    /// Whether the batch has no new name, so that nothing must be read or written.
    package nonisolated func knowsAll(of batch: Batch, appNumber: Int32) -> Bool {
        let names = known.withLock { $0[appNumber] }
        return names?.hasAll(of: batch) ?? false
    }

    private func admitInTurn(
        _ batch: Batch, _ caps: NameCaps, until deadline: ContinuousClock.Instant
    ) async throws(StoreError) -> Batch {
        if let admitted = apps[caps.appNumber]?.admitted(batch, caps, at: .now) { return admitted }
        let before = lastWriter
        let work = Task { () -> Result<Batch, StoreError> in
            // A batch that waited behind one that found the store away need not wait for the store again.
            if let before {
                if let error = await before.value, error.isStoreAway { return .failure(error) }
                // In most cases it had the same new names.
                if let admitted = apps[caps.appNumber]?.admitted(batch, caps, at: .now) { return .success(admitted) }
            }
            do throws(StoreError) {
                return .success(try await admitNew(batch, caps, until: deadline))
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

    private func admitNew(
        _ batch: Batch, _ caps: NameCaps, until deadline: ContinuousClock.Instant
    ) async throws(StoreError) -> Batch {
        let number = caps.appNumber
        // Another node, or an earlier request, might have written more since.
        let began = ContinuousClock.now
        let stored = try await store.within(deadline - began) { try await $0.names.all(appNumber: number) }
        change(number) { $0.took(stored.used, declared: stored.declared, at: began) }
        let sifted = (apps[number] ?? AppNames()).sifted(batch, caps)
        if !sifted.fresh.isEmpty {
            try await store.within(deadline - .now) { try await $0.names.add(sifted.fresh, appNumber: number) }
            change(number) { $0.wrote(sifted.fresh) }
        }
        return sifted.batch
    }

    /// Applies the caps by the names known here, while the store can't be read or written.
    ///
    /// - Returns: the batch, and the names that must be written before it is stored. They count as used from now on.
    package func admitUnwritten(_ batch: Batch, caps: NameCaps) -> (batch: Batch, names: KnownNames) {
        let sifted = (apps[caps.appNumber] ?? AppNames()).sifted(batch, caps)
        change(caps.appNumber) { $0.assume(sifted.fresh) }
        return (sifted.batch, sifted.fresh)
    }

    /// Applies the caps by the names known here, and remembers nothing.
    package func preview(_ batch: Batch, caps: NameCaps) -> Batch {
        (apps[caps.appNumber] ?? AppNames()).sifted(batch, caps).batch
    }

    private func change(_ app: Int32, _ change: (inout AppNames) -> Void) {
        change(&apps[app, default: AppNames()])
        let names = apps[app]?.known ?? KnownNames()
        known.withLock { $0[app] = names }
    }
}
