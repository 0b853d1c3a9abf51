package import CensusCore

/// How many distinct names an app may use.
package struct NameCaps: Hashable, Sendable {
    package var appNumber: Int32
    package var kinds: Int
    package var families: Int
}

/// Keeps broken clients from inventing kinds and families without end: names past an app's caps are refused.
package actor NameGate {
    private let store: Store
    private var known: [Int32: KnownNames] = [:]
    /// Batches with new names go one after another: those who look at the same moment would all find room.
    private var lastWriter: Task<Void, Never>?

    package init(store: Store) {
        self.store = store
    }

    /// Writes down the batch's new names and turns the events past the caps into refusals.
    package func admit(_ batch: Batch, caps: NameCaps) async throws(StoreError) -> Batch {
        if known[caps.appNumber]?.hasAll(of: batch) == true { return batch }
        let before = lastWriter
        let work = Task { () -> Result<Batch, StoreError> in
            await before?.value
            do throws(StoreError) {
                return .success(try await admitNew(batch, caps: caps))
            } catch {
                return .failure(error)
            }
        }
        lastWriter = Task { _ = await work.value }
        return try await work.value.get()
    }

    private func admitNew(_ batch: Batch, caps: NameCaps) async throws(StoreError) -> Batch {
        var names = known[caps.appNumber] ?? KnownNames()
        // Another node, or an earlier request, may have written more since.
        names.formUnion(try await store.knownNames(appNumber: caps.appNumber))

        var batch = batch
        var fresh = KnownNames()
        batch.events = batch.events.map { event in
            guard case .success(let accepted) = event else { return event }
            var wider = names
            wider.insert(accepted.event)
            let refusal: Refusal
            if wider.kinds.count > max(caps.kinds, names.kinds.count) {
                refusal = .tooManyKinds(
                    "the app has used \(caps.kinds) kinds, which is its limit: no new ones are taken")
            } else if wider.families.count > max(caps.families, names.families.count) {
                refusal = .tooManyKinds(
                    "the app has used \(caps.families) families, which is its limit: no new ones are taken")
            } else {
                fresh.insert(accepted.event)
                names = wider
                return event
            }
            return .failure(
                RefusedEvent(
                    index: accepted.index, id: accepted.id, refusal: refusal, source: accepted.event.content))
        }
        try await store.addNames(fresh, appNumber: caps.appNumber)
        known[caps.appNumber, default: KnownNames()].formUnion(names)
        return batch
    }
}

extension KnownNames {
    mutating func insert(_ event: Event) {
        for placement in event.placements {
            kinds.insert(placement.kind)
            if let family = placement.family { families.insert(family) }
        }
    }

    mutating func formUnion(_ other: KnownNames) {
        kinds.formUnion(other.kinds)
        families.formUnion(other.families)
    }

    func hasAll(of batch: Batch) -> Bool {
        for case .success(let event) in batch.events {
            for placement in event.event.placements {
                guard kinds.contains(placement.kind) else { return false }
                if let family = placement.family, !families.contains(family) { return false }
            }
        }
        return true
    }
}
