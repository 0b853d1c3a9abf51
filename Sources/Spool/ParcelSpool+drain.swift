package import CensusStore
internal import Foundation
internal import GRDB

extension ParcelSpool {
    /// The oldest waiting parcels, in order: as many as fit the byte limit, and at least one.
    ///
    /// - Parameter id: only those after this one.
    package func oldest(
        after id: Int64 = 0, count: Int = 1_000, bytes: Int = 2 << 20
    ) async throws(SpoolError) -> [SpooledParcel] {
        try await withoutTransaction { db in
            var parcels: [SpooledParcel] = []
            var total = 0
            let rows = try Row.fetchCursor(db, sql: ParcelSpool.select, arguments: [id, count])
            while let row = try rows.next() {
                let payload: Data = row[2]
                total += payload.count
                if total > bytes, !parcels.isEmpty { break }
                let content = Result { () throws(Parcel.Unreadable) in try Parcel(bytes: Array(payload)) }
                parcels.append(
                    SpooledParcel(id: row[0], content: content, program: row[1], byteCount: payload.count))
            }
            return parcels
        }
    }

    /// Removes what the store has.
    package func remove(_ ids: [Int64]) async throws(SpoolError) {
        let (batches, bytes) = try await write { db in
            let statement = try db.cachedStatement(
                sql: "delete from parcel where id = ? returning length(payload)")
            var bytes = 0
            var batches = 0
            for id in ids {
                // Erasure may have removed it already.
                guard let length = try Int.fetchOne(statement, arguments: [id]) else { continue }
                batches += 1
                bytes += ParcelSpool.bytes(payload: length)
            }
            return (batches, bytes)
        }
        change { level in
            level.batches -= batches
            level.bytes -= bytes
            level.condition = .open
            level.isDirty = true
        }
    }

    /// Keeps a parcel, but no longer among those that wait.
    ///
    /// - Parameter reason: must hold none of the parcel's data.
    package func setAside(_ id: Int64, _ reason: String) async throws(SpoolError) {
        let changed = try await write { db in
            try db.execute(
                sql: "update parcel set set_aside = ? where id = ? and set_aside is null", arguments: [reason, id])
            return db.changesCount
        }
        change { level in
            level.batches -= changed
            level.setAside += changed
            level.isDirty = true
        }
    }

    /// Moves all parcels that are set aside back to those that wait.
    ///
    /// - Returns: how many there were.
    @discardableResult
    package func retrySetAside() async throws(SpoolError) -> Int {
        let changed = try await write { db in
            try db.execute(sql: "update parcel set set_aside = null where set_aside is not null")
            return db.changesCount
        }
        change { level in
            level.batches += changed
            level.setAside -= changed
        }
        return changed
    }

    /// Makes the files as small as their content, and free of what was deleted.
    ///
    /// Everything else waits for it, half a minute for a gigabyte, and it needs the same amount of disk space again.
    package func compact() async throws(SpoolError) {
        // Set beforehand, so that a deletion in the meantime is not overlooked.
        change { $0.isDirty = false }
        do throws(SpoolError) {
            try await withoutTransaction { db in
                try db.execute(sql: "vacuum")
                _ = try Row.fetchOne(db, sql: "pragma wal_checkpoint(truncate)")
            }
        } catch {
            change { $0.isDirty = true }
            throw error
        }
    }

    /// Writes something and deletes it, after the disk has failed: it may have recovered.
    package func probe() async {
        guard case .failing = level.condition else { return }
        do throws(SpoolError) {
            try requireRoom(for: 65_536)
            // Whole pages of zeros: more than an existing log has room for by chance.
            try await write { db in
                try db.execute(
                    sql: "insert into parcel (device, program, payload) values (zeroblob(16), '', zeroblob(65536))")
                try db.execute(sql: "delete from parcel where id = last_insert_rowid()")
            }
            change { level in if case .failing = level.condition { level.condition = .open } }
        } catch {
            change { $0.condition = .failing(error) }
        }
    }

    private static let select = """
        select id, program, payload
        from parcel
        where id > ?
            and set_aside is null
        order by id
        limit ?
        """
}

/// A parcel as it lies in the spool.
package struct SpooledParcel: Sendable {
    /// Grows with every parcel that arrives: the order.
    package var id: Int64
    package var content: Result<Parcel, Parcel.Unreadable>
    /// The version of the program that wrote it.
    package var program: String
    package var byteCount: Int
}
