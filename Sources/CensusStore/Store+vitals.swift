internal import Postgres

/// The store's connections at one moment.
package struct StoreConnections: Hashable, Sendable {
    package var idle: Int
    package var busy: Int
    package var opening: Int
    package var maximum: Int
    /// Callers without a connection.
    package var waiting: Int
    /// Since the store was made: connections opened, attempts that failed, callers that got none.
    package var opened: Int
    package var openFailures: Int
    package var refused: Int
}

extension Store {
    package var connections: StoreConnections {
        let pool = pool.statistics
        return StoreConnections(
            idle: pool.idle, busy: pool.busy, opening: pool.opening, maximum: pool.maximum, waiting: pool.waiting,
            opened: pool.opened, openFailures: pool.openFailures, refused: pool.refused)
    }

    /// How many entries wait for the reconciler, where a device may have several.
    ///
    /// - Parameter limit: counting stops there.
    package func pendingDevices(atMost limit: Int) async throws(StoreError) -> Int {
        do {
            return try await query(SQL.`DeviceStore.pending`, Int64(limit)).first?.decode(Int.self, at: 0) ?? 0
        } catch {
            throw StoreError(error)
        }
    }
}
