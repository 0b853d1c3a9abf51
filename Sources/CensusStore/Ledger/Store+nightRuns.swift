internal import Postgres

/// What a night did, for whoever looks at the nights later; nil: it did not come to that.
package struct NightRecord: Hashable, Sendable {
    package var devices = 0
    package var observations = 0
    package var spansChanged = 0
    package var daysClosed: Int?
    package var daysRestated: Int?
    /// Apps whose days could not be closed.
    package var appsFailed: Int?
    package var ledgersRecounted: Int?
    package var partitionsMade: Int?
    package var partitionsDropped: Int?
    package var reconcileSeconds: Double?
    package var closeSeconds: Double?
    package var keepSeconds: Double?
    package var verifySeconds: Double?

    package init() {}
}

extension Store {
    /// Writes down that a night begins; one that is killed stays without an end.
    ///
    /// - Returns: the run's number.
    package func beginNightRun() async throws(StoreError) -> Int64 {
        do {
            guard let row = try await query(SQL.`NightRun.begin`).first else {
                throw StoreError(.ours, "a night could not be written down")
            }
            return try row.decode(Int64.self, at: 0)
        } catch {
            throw StoreError(error)
        }
    }

    /// - Parameter failure: what failed and why, without data; nil: nothing did.
    package func endNightRun(_ number: Int64, _ record: NightRecord, failure: String? = nil) async throws(StoreError) {
        _ = try await query(
            SQL.`NightRun.end`, number, failure, Int64(record.devices), Int64(record.observations),
            Int64(record.spansChanged), record.daysClosed.map(Int64.init), record.daysRestated.map(Int64.init),
            record.partitionsMade.map(Int64.init), record.partitionsDropped.map(Int64.init), record.reconcileSeconds,
            record.closeSeconds, record.keepSeconds, record.verifySeconds, record.appsFailed.map(Int64.init),
            record.ledgersRecounted.map(Int64.init))
    }

    /// How many devices wait to be reconciled; reads the whole queue.
    package func queuedDevices() async throws(StoreError) -> Int {
        do {
            return try await query(SQL.`NightRun.queued`).first?.decode(Int.self, at: 0) ?? 0
        } catch {
            throw StoreError(error)
        }
    }

    /// How many devices are set aside, and how many of the others are implausible: those need nobody.
    package func devicesSetAside() async throws(StoreError) -> (others: Int, implausible: Int) {
        do {
            guard let row = try await query(SQL.`NightRun.setAside`).first else { return (0, 0) }
            return (try row.decode(Int.self, at: 0), try row.decode(Int.self, at: 1))
        } catch {
            throw StoreError(error)
        }
    }
}
