package import CensusCore
internal import Postgres

extension DeviceStore {
    /// Takes devices from the queue, folds new observations, and writes the changes, in one transaction.
    ///
    /// Safe in several processes at once: a device is locked while it is worked on. If a step is killed, nothing changes and
    /// its devices stay queued. A device whose stored rows are inconsistent is folded from its first observation. If it still
    /// can't be folded or stored, it is set aside with the reason and doesn't block others.
    package func reconcile(_ part: QueuedPart) async throws(StoreError) -> ReconciledBatch {
        do throws(StoreError) {
            return try await step(part)
        } catch {
            guard error.fault == .data || error.fault == .ours else { throw error }
        }
        // One device caused the error: try each alone.
        var batch = ReconciledBatch()
        switch part {
        case .waitingFor, .next(_, _, limit: 1): return try await reconcileAlone(part)
        case .next(let previous, let last, let limit):
            batch.last = previous
            for _ in 0..<limit {
                let one = try await reconcile(.next(after: batch.last, through: last, limit: 1))
                guard one.last != nil else { break }
                batch += one
            }
        case .these(let devices):
            guard devices.count > 1 else { return try await reconcileAlone(part) }
            for device in devices { batch += try await reconcile(.these([device])) }
        }
        return batch
    }

    /// - Returns: those of the entries that are still queued.
    package func left(of entries: [QueueEntry]) async throws(StoreError) -> [QueueEntry] {
        try await database.rows(SQL.DeviceStore.left, [entries.map(\.device), entries.map(\.number)])
    }

    /// Retries the next device, whose step failed, from the start; sets it aside if that fails too.
    private func reconcileAlone(_ part: QueuedPart) async throws(StoreError) -> ReconciledBatch {
        do throws(StoreError) {
            return try await step(part, readsAll: true)
        } catch {
            guard error.fault == .data || error.fault == .ours else { throw error }
            return try await setAside(part, reason: error.description)
        }
    }

    private func step(_ part: QueuedPart, readsAll: Bool = false) async throws(StoreError) -> ReconciledBatch {
        return try await database.transaction("DeviceStore.reconcile") { transaction in
            var batch = ReconciledBatch()
            try await transaction.execute(script: SQL.DeviceStore.begin)
            var queued = try await transaction.takeQueued(part)
            if readsAll { queued.readAll() }
            batch.busy = queued.busy
            guard !queued.devices.isEmpty else {
                batch.last = queued.last
                return batch
            }
            // Read after the devices were taken, because changing a setting queues the devices that it affects.
            let folds = try await transaction.folds()
            var histories = try await transaction.histories(of: &queued, limits: limits) { folds[$0] ?? DeviceFold() }
            batch.last = queued.last
            batch.isCut = queued.isCut
            batch.taken = queued.taken
            batch.devices = queued.devices.count
            batch.refolded = histories.values.count(where: \.isRefolded)
            batch.observations = histories.values.reduce(0) { $0 + $1.folded }
            let now = Timestamp.now
            try await transaction.readRows(of: &histories, now: now)
            var changes = DeviceChanges()
            // Sort ids, not the histories, which are large.
            for device in histories.keys.sorted() {
                // Shutdown must not wait for hundreds of devices.
                try Task.checkCancellation()
                if let history = histories[device] { changes.add(history.change(now: now), of: history) }
            }
            batch.spansChanged = changes.spansChanged
            batch.implausible = changes.failed.count(where: \.isImplausible)
            batch.setAside = changes.failed.count - batch.implausible
            try await transaction.save(changes)
            return batch
        }
    }

    /// Takes the next device from the queue without touching its stored rows.
    private func setAside(_ part: QueuedPart, reason: String) async throws(StoreError) -> ReconciledBatch {
        return try await database.transaction("DeviceStore.setAside") { transaction in
            var batch = ReconciledBatch()
            let queued = try await transaction.takeQueued(part)
            batch.last = queued.last
            batch.busy = queued.busy
            batch.taken = queued.taken
            guard let (device, entry) = queued.devices.first else { return batch }
            batch.devices = 1
            batch.setAside = 1
            try await transaction.setAside([SetAside(device: device, appNumber: entry.appNumber, reason: reason)])
            return batch
        }
    }
}

extension Transaction {
    /// How each app's devices are folded, by app number; fixed until the transaction ends.
    func folds() async throws -> [Int32: DeviceFold] {
        try await run(SQL.AppRegistry.lockShared, deadline: .seconds(60))
        let apps = try await query(SQL.AppRegistry.all).map(App.init)
        return Dictionary(uniqueKeysWithValues: apps.map { ($0.number, $0.fold) })
    }
}

/// Which of the queued devices a step takes.
package enum QueuedPart: Hashable, Sendable {
    /// The next `limit` devices after one (nil: from the first on), none after another. Leaves queued what other sessions work on:
    /// if each session waited for the same devices, they would work one after another.
    case next(after: Pseudonym?, through: Pseudonym = .last, limit: Int)
    /// Those of some devices that are queued and that no other session works on.
    case these([Pseudonym])
    /// One device, once no other session works on it.
    case waitingFor(Pseudonym)
}

/// An entry of the queue of devices with new observations.
package struct QueueEntry: Hashable, Sendable, Decodable {
    package var device: Pseudonym
    /// Identifies the entry among all of its device.
    package var number: Int64
}

extension Pseudonym {
    package static let first = Pseudonym(high: 0, low: 0)
    package static let last = Pseudonym(high: .max, low: .max)
}
