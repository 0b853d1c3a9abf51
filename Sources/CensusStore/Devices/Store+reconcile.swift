package import CensusCore
internal import Postgres

extension Store {
    /// Takes devices from the queue, folds what is new of them, and writes what changed, in one transaction.
    ///
    /// Safe in several processes at once: a device is locked while it is worked on, and who comes second waits. Killed
    /// anywhere, nothing of the step remains and its devices are still queued. A device for which what is stored does not fit
    /// is folded from its first observation on; one that can't be folded or stored even so is set aside with the reason, and
    /// stops nobody.
    ///
    /// - Parameters:
    ///   - previous: where the sweep is: the step takes devices after it.
    ///   - last: where the sweep ends.
    ///   - limit: devices to take at most.
    package func reconcile(
        after previous: Pseudonym?, through last: Pseudonym = .last, limit: Int
    ) async throws(StoreError) -> ReconciledBatch {
        do throws(StoreError) {
            return try await step(after: previous, through: last, limit: limit)
        } catch {
            guard error.fault == .data || error.fault == .ours else { throw error }
        }
        guard limit > 1 else { return try await reconcileAlone(after: previous, through: last) }
        // One of them is to blame: each for itself.
        var batch = ReconciledBatch()
        batch.last = previous
        for _ in 0..<limit {
            let one = try await reconcile(after: batch.last, through: last, limit: 1)
            guard one.last != nil else { break }
            batch += one
        }
        return batch
    }

    /// Reconciles the next device, with which something is wrong, from the start, else sets it aside.
    private func reconcileAlone(
        after previous: Pseudonym?, through last: Pseudonym
    ) async throws(StoreError) -> ReconciledBatch {
        do throws(StoreError) {
            return try await step(after: previous, through: last, limit: 1, readsAll: true)
        } catch {
            guard error.fault == .data || error.fault == .ours else { throw error }
            return try await setAside(after: previous, through: last, reason: error.description)
        }
    }

    private func step(
        after previous: Pseudonym?, through last: Pseudonym, limit: Int, readsAll: Bool = false
    ) async throws(StoreError) -> ReconciledBatch {
        do {
            return try await pool.transaction("DeviceStore.reconcile") { connection in
                var batch = ReconciledBatch()
                try await connection.execute(script: SQL.`DeviceStore.begin`)
                var claims = try await connection.claim(after: previous, through: last, limit: limit)
                if readsAll { claims.readAll() }
                guard !claims.devices.isEmpty else {
                    batch.last = claims.last
                    return batch
                }
                // Not before the claim: whoever changes a setting queues the devices that it concerns.
                let folds = try await connection.folds()
                var histories = try await connection.histories(of: &claims, room: readRoom) {
                    folds[$0] ?? DeviceFold()
                }
                batch.last = claims.last
                batch.isCut = claims.isCut
                batch.taken = claims.taken
                batch.devices = claims.devices.count
                batch.refolded = histories.refolded
                batch.observations = histories.observations
                try await connection.readSpans(of: &histories)
                var changes = DeviceChanges(now: .now)
                for history in histories.all {
                    // Whoever ends the service does not wait for hundreds of devices.
                    try Task.checkCancellation()
                    changes.add(history)
                }
                batch.spansChanged = changes.spansChanged
                batch.implausible = changes.failed.count(where: \.isImplausible)
                batch.setAside = changes.failed.count - batch.implausible
                try await connection.save(changes)
                return batch
            }
        } catch {
            throw StoreError(error)
        }
    }

    /// Takes the next device from the queue without touching what is stored of it.
    private func setAside(
        after previous: Pseudonym?, through last: Pseudonym, reason: String
    ) async throws(StoreError) -> ReconciledBatch {
        do {
            return try await pool.transaction("DeviceStore.setAside") { connection in
                var batch = ReconciledBatch()
                let claims = try await connection.claim(after: previous, through: last, limit: 1)
                batch.last = claims.last
                batch.taken = claims.taken
                guard let (device, claim) = claims.devices.first else { return batch }
                batch.devices = 1
                batch.setAside = 1
                try await connection.setAside([SetAside(device: device, appNumber: claim.appNumber, reason: reason)])
                return batch
            }
        } catch {
            throw StoreError(error)
        }
    }

    /// Queues every device that was set aside: a newer program may be able to read what an older one could not.
    ///
    /// - Returns: how many.
    package func retrySetAside() async throws(StoreError) -> Int {
        do {
            return try await query(SQL.`DeviceStore.retrySetAside`).first?.decode(Int.self, at: 0) ?? 0
        } catch {
            throw StoreError(error)
        }
    }
}

extension Store {
    /// Queues the devices that were last folded under older rules than this program's.
    ///
    /// - Returns: how many.
    package func queueOutdated() async throws(StoreError) -> Int {
        do {
            let (magic, rules) = DeviceFold.checkpointMark
            return try await query(SQL.`DeviceStore.queueOutdated`, ByteArray(magic), ByteArray(rules))
                .first?.decode(Int.self, at: 0) ?? 0
        } catch {
            throw StoreError(error)
        }
    }
}

extension Connection {
    /// How the devices of each app are folded, by the app's number; stays so until the transaction ends.
    func folds() async throws -> [Int32: DeviceFold] {
        _ = try await query(SQL.`AppRegistry.lockShared`, deadline: .seconds(60))
        let apps = try await query(SQL.`AppRegistry.all`).map(App.init)
        return Dictionary(uniqueKeysWithValues: apps.map { ($0.number, $0.fold) })
    }
}

extension Pseudonym {
    package static let first = Pseudonym(high: 0, low: 0)
    package static let last = Pseudonym(high: .max, low: .max)
}
