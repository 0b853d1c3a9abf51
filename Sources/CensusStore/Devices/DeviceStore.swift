internal import CensusCore
internal import Postgres

/// Devices: the queue of those that have something new, what they were folded to, and those that are set aside.
package struct DeviceStore: Sendable {
    let database: Database
    let room: ReadRoom

    /// How many entries wait for the reconciler, where a device may have several.
    ///
    /// - Parameter limit: counting stops there.
    package func pending(atMost limit: Int) async throws(StoreError) -> Int {
        try await database.value(SQL.`DeviceStore.pending`, [Int64(limit)], as: Int.self) ?? 0
    }

    /// How many devices wait to be reconciled; reads the whole queue.
    package func queued() async throws(StoreError) -> Int {
        try await database.value(SQL.`DeviceStore.queued`, as: Int.self) ?? 0
    }

    /// How many devices are set aside, and how many of the others are implausible: those need nobody.
    package func countSetAside() async throws(StoreError) -> (others: Int, implausible: Int) {
        try await database.rows(SQL.`DeviceStore.countSetAside`) { row in
            (try row.decode("devices", as: Int.self), try row.decode("implausible", as: Int.self))
        }.first ?? (0, 0)
    }

    /// Queues every device that was set aside: a newer program may be able to read what an older one could not.
    ///
    /// - Returns: how many.
    package func retrySetAside() async throws(StoreError) -> Int {
        try await database.value(SQL.`DeviceStore.retrySetAside`, as: Int.self) ?? 0
    }

    /// Queues the devices that were last folded under older rules than this program's.
    ///
    /// - Returns: how many.
    package func queueOutdated() async throws(StoreError) -> Int {
        let (magic, rules) = DeviceFold.checkpointMark
        let parameters = [ByteArray(magic), ByteArray(rules)]
        return try await database.value(SQL.`DeviceStore.queueOutdated`, parameters, as: Int.self) ?? 0
    }
}
