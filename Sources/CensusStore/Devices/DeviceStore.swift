package import CensusCore
internal import Postgres

/// How many entries wait for the reconciler, and for how long.
package struct QueueLength: Hashable, Sendable, Decodable {
    /// A device can have several.
    package var entries: Int
    /// How long the oldest one has waited; 0 if none waits.
    package var seconds: Double
}

/// Devices: the queue of those with new observations, their folded states, and those set aside.
package struct DeviceStore: Sendable {
    let database: Database
    let limits: ReadLimits

    /// How many steps of the reconciler run at once if it need not rest. Three keep two cores busy, because each waits for
    /// PostgreSQL in turn.
    package static let stepsAtOnce = 3

    /// The number of the app that a device belongs to; nil when nothing is stored about it.
    package func appNumber(of device: Pseudonym) async throws(StoreError) -> Int32? {
        try await database.value(SQL.DeviceStore.app, [device], as: Int32.self)
    }

    /// The reconciler's queue.
    ///
    /// - Parameter limit: how many entries to read at most.
    package func queueLength(atMost limit: Int) async throws(StoreError) -> QueueLength {
        let rows = try await database.rows(SQL.DeviceStore.pending, [Int64(limit)], as: QueueLength.self)
        return rows.first ?? QueueLength(entries: 0, seconds: 0)
    }

    /// How many devices wait to be reconciled; reads the whole queue.
    package func queued() async throws(StoreError) -> Int {
        try await database.value(SQL.DeviceStore.queued, as: Int.self) ?? 0
    }

    /// How many devices are set aside as implausible, which needs no attention, and how many for other reasons.
    package func countSetAside() async throws(StoreError) -> (others: Int, implausible: Int) {
        try await database.rows(SQL.DeviceStore.countSetAside) { row in
            (try row["devices"] as Int, try row["implausible"] as Int)
        }.first ?? (0, 0)
    }

    /// Queues every device that was set aside, because a newer program might read what an older one could not.
    ///
    /// - Returns: how many.
    package func retrySetAside() async throws(StoreError) -> Int {
        try await database.value(SQL.DeviceStore.retrySetAside, as: Int.self) ?? 0
    }

    /// Whether a node that folds by older rules might still run.
    package func rulesAreNew() async throws(StoreError) -> Bool {
        try await database.value(SQL.DeviceStore.rulesAreNew, as: Bool.self) ?? false
    }

    /// Queues the devices last folded under rules older than this program's. Reads every device.
    ///
    /// - Returns: how many.
    package func queueOutdated() async throws(StoreError) -> Int {
        let (magic, rules) = DeviceFold.checkpointMark
        let parameters = [ByteArray(magic), ByteArray(rules)]
        return try await database.value(SQL.DeviceStore.queueOutdated, parameters, as: Int.self) ?? 0
    }
}
