package import CensusCore
internal import Postgres

/// What one step of the reconciler did.
package struct ReconciledBatch: Hashable, Sendable {
    /// Entries taken from the queue; a device may have several.
    package var taken = 0
    package var devices = 0
    /// The last device that the step looked at; nil when the sweep is at its end.
    package var last: Pseudonym?
    package var observations = 0
    package var spansChanged = 0
    /// Observations that could not be read back and were left out of the fold.
    package var unreadable = 0

    package init() {}

    package static func += (total: inout ReconciledBatch, step: ReconciledBatch) {
        total.taken += step.taken
        total.last = step.last
        total.devices += step.devices
        total.observations += step.observations
        total.spansChanged += step.spansChanged
        total.unreadable += step.unreadable
    }
}

extension Store {
    /// Takes devices from the queue, reads their observations anew, and writes what changed, in one transaction.
    ///
    /// Safe in several processes at once: a device is locked while it is worked on, and who comes second waits. Killed
    /// anywhere, nothing of the step remains and its devices are still queued.
    ///
    /// - Parameters:
    ///   - previous: where the sweep is: the step takes devices after it.
    ///   - limit: devices to take at most.
    ///   - fold: how the devices of an app are folded, by the app's number.
    package func reconcile(
        after previous: Pseudonym?, limit: Int, fold: @escaping @Sendable (Int32) -> DeviceFold
    ) async throws(StoreError) -> ReconciledBatch {
        do {
            return try await pool.transaction("DeviceStore.reconcile") { connection in
                var batch = ReconciledBatch()
                let next = try await connection.query(
                    SQL.`DeviceStore.next`, [previous ?? Pseudonym(high: 0, low: 0), limit]
                )
                .map { row in try row.decode(Pseudonym.self, at: 0) }
                batch.last = next.last
                guard !next.isEmpty else { return batch }
                _ = try await connection.query(SQL.`DeviceStore.lock`, [next])

                // Statements after the lock see everything that the lock's last holder wrote.
                var appNumbers: [Pseudonym: Int32] = [:]
                for row in try await connection.query(SQL.`DeviceStore.claim`, [next]) {
                    appNumbers[try row.decode(Pseudonym.self, at: 1)] = try row.decode(Int32.self, at: 0)
                    batch.taken += 1
                }
                let devices = appNumbers.keys.sorted()
                batch.devices = devices.count
                guard !devices.isEmpty else { return batch }
                let log = try await connection.observations(of: devices)
                batch.observations = log.count
                batch.unreadable = log.unreadable
                let before = try await connection.stored(devices)
                var changes = DeviceChanges()
                for device in devices {
                    guard let appNumber = appNumbers[device] else { continue }
                    let fold = fold(appNumber)
                    changes.add(
                        device, appNumber: appNumber, state: fold.fold(log.byDevice[device] ?? []),
                        window: fold.window, before: before[device] ?? StoredDevice())
                }
                batch.spansChanged = changes.spansChanged
                try await connection.save(changes)
                return batch
            }
        } catch {
            throw StoreError(error)
        }
    }

    /// Reads one device's observations, reconciled or not; empty when it is not known.
    ///
    /// A phone waits for the answer, so it takes no longer than two seconds.
    package func observations(of device: Pseudonym) async throws(StoreError) -> [Observation] {
        do {
            return try await pool.withConnection { connection in
                try await connection.observations(of: [device], deadline: .seconds(2)).byDevice[device] ?? []
            }
        } catch {
            throw StoreError(error)
        }
    }
}

/// What is stored of a device before a step.
struct StoredDevice: Sendable {
    var silentAt: Timestamp?
    var spans: [Int32: Span] = [:]
}

private struct ObservationsByDevice: Sendable {
    var byDevice: [Pseudonym: [Observation]] = [:]
    var count = 0
    var unreadable = 0
}

extension Connection {
    fileprivate func observations(
        of devices: [Pseudonym], deadline: Duration? = nil
    ) async throws -> ObservationsByDevice {
        var read = ObservationsByDevice()
        for row in try await query(SQL.`DeviceStore.observations`, [devices], deadline: deadline) {
            read.count += 1
            // One row that can't be read must not stop the rest; it is counted, and said in the log.
            do {
                read.byDevice[try row.decode(Pseudonym.self, at: 0), default: []].append(try Observation(row))
            } catch is StoredContentError {
                read.unreadable += 1
            } catch is UnknownObservation {
                read.unreadable += 1
            }
        }
        return read
    }

    fileprivate func stored(_ devices: [Pseudonym]) async throws -> [Pseudonym: StoredDevice] {
        var stored: [Pseudonym: StoredDevice] = [:]
        for row in try await query(SQL.`DeviceStore.devices`, [devices]) {
            stored[try row.decode(Pseudonym.self, at: 0)] = StoredDevice(
                silentAt: try row.decode(Timestamp.self, at: 1))
        }
        for row in try await query(SQL.`DeviceStore.spans`, [devices]) {
            stored[try row.decode(Pseudonym.self, at: 0), default: StoredDevice()]
                .spans[try row.decode(Int32.self, at: 1)] = try Span(row)
        }
        return stored
    }

    fileprivate func save(_ changes: DeviceChanges) async throws {
        if !changes.goneDevices.isEmpty {
            _ = try await query(SQL.`DeviceStore.deleteSpans`, [changes.goneDevices, changes.goneOrdinals])
        }
        if !changes.spans.isEmpty { _ = try await copyIn(SQL.`DeviceStore.insertSpans`, [changes.spans]) }
        if !changes.devices.isEmpty { _ = try await query(SQL.`DeviceStore.saveDevices`, changes.devices.parameters) }
        for (appNumber, day) in changes.restateFrom.sorted(by: { $0.key < $1.key }) {
            _ = try await query(SQL.`DeviceStore.restateFrom`, [appNumber, day])
        }
    }
}
