package import CensusCore
package import CensusStore
internal import Foundation
internal import GRDB

extension BatchSpool {
    /// Returns the oldest waiting batches, in order: as many as one segment has and as fit the byte limit, but at least one.
    ///
    /// - Parameter id: returns only batches after this one.
    package func oldest(
        after id: Int64 = 0, count: Int = 1_000, bytes: Int = 2 << 20
    ) throws(SpoolError) -> [SpooledBatch] {
        for index in segments.indices where segments[index].lastID > id && segments[index].content.waiting > 0 {
            let base = segments[index].base
            let page = try read(index) { db in
                let sql =
                    "select id, program, payload from batch where id > ? and set_aside is null order by id limit ?"
                let rows = try Row.fetchCursor(db, sql: sql, arguments: [id - base, count])
                var total = 0
                return try Array(
                    rows.map { SpooledBatch($0, base: base) }.prefix { batch in
                        defer { total += batch.byteCount }
                        return total == 0 || total + batch.byteCount <= bytes
                    })
            }
            if !page.isEmpty { return page }
        }
        return []
    }

    /// Removes batches that the store has.
    package func remove(_ ids: [Int64]) throws(SpoolError) {
        for index in segments.indices.reversed() {
            try delete(Set(ids.compactMap(segments[index].number)), from: index)
        }
        change { $0.condition = .open }
    }

    /// Sets a batch aside: it stays in the spool, and no longer waits.
    ///
    /// - Parameter reason: must contain none of the batch's data.
    package func setAside(_ id: Int64, _ reason: String) throws(SpoolError) {
        for index in segments.indices {
            guard let number = segments[index].number(of: id) else { continue }
            let changed = try write(index) { db in
                try db.execute(
                    sql: "update batch set set_aside = ? where id = ? and set_aside is null",
                    arguments: [reason, number])
                return db.changesCount
            }
            update(index) { content in
                content.waiting -= changed
                content.setAside += changed
                content.isDirty = true
            }
        }
    }

    /// Makes all batches that are set aside wait again.
    ///
    /// - Returns: how many there were.
    @discardableResult
    package func retrySetAside() throws(SpoolError) -> Int {
        let setAside = level.setAside
        for index in segments.indices where segments[index].content.setAside > 0 {
            try write(index) { try $0.retrySetAside() }
            update(index) { content in
                content.waiting += content.setAside
                content.setAside = 0
            }
        }
        return setAside
    }

    /// Returns the devices with batches that are set aside.
    package func devicesSetAside() throws(SpoolError) -> [Pseudonym] {
        var devices: Set<Data> = []
        for index in segments.indices where segments[index].content.setAside > 0 {
            devices.formUnion(
                try read(index) { try Data.fetchSet($0, sql: "select device from batch where set_aside is not null") })
        }
        return devices.compactMap { Pseudonym(bytes: Array($0)) }
    }

    /// Deletes all batches of some devices, waiting or set aside, and their traces in the files.
    ///
    /// - Returns: how many batches there were.
    @discardableResult
    package func erase(_ devices: [Pseudonym]) throws(SpoolError) -> Int {
        let devices = Set(devices.map(\.data))
        var erased = 0
        for index in segments.indices.reversed() where segments[index].content.count > 0 {
            let numbers = try read(index) { db in
                try Set(
                    Row.fetchCursor(db, sql: "select id, device from batch")
                        .filter { Data.fromDatabaseValue($0["device"]).map(devices.contains) == true }
                        .map { $0["id"] as Int64 })
            }
            erased += numbers.count
            try delete(numbers, from: index)
        }
        if erased > 0, level.condition == .full { change { $0.condition = .open } }
        // Overwriting misses copies that SQLite leaves when it splits and joins pages; only new pages have none. The copies
        // might be of a device that was deleted before. Only an earlier version's file is so large that others would have to
        // wait.
        try compact(upTo: 16 << 20)
        return erased
    }

    /// Makes the files as small as their content, without traces of deleted batches.
    ///
    /// - Parameter bytes: skips files with more content than this.
    package func compact(upTo bytes: Int = .max) throws(SpoolError) {
        for index in segments.indices where segments[index].content.isDirty && segments[index].content.bytes <= bytes {
            try foldLog(index, after: "vacuum")
            update(index) { $0.isDirty = false }
        }
    }

    /// - Parameter numbers: row numbers; some rows might be gone already.
    private func delete(_ numbers: Set<Int64>, from index: Int) throws(SpoolError) {
        guard !numbers.isEmpty else { return }
        let (name, count) = (segments[index].name, segments[index].content.count)
        if numbers.count >= count {
            let left = try read(index) { try Int64.fetchSet($0, sql: "select id from batch") }
            if left.isSubset(of: numbers) { return try drop(index) }
        }
        // Sync the note first: after a power cut it can be too small, but never too large.
        try folder.note(max(0, count - numbers.count), of: name, isSynced: true)
        let gone = try write(index) { db in
            let sql = "delete from batch where id = ? returning length(payload) as bytes, set_aside is null as waits"
            let statement = try db.cachedStatement(sql: sql)
            return try numbers.sorted().compactMap { try Row.fetchOne(statement, arguments: [$0]) }
        }
        update(index) { content in
            for row in gone {
                content.bytes -= NewRow.bytes(payload: row["bytes"] ?? 0)
                if row["waits"] { content.waiting -= 1 } else { content.setAside -= 1 }
            }
            content.isDirty = true
        }
        // Damage to the log must not bring back rows that the note does not count.
        try foldLog(index)
    }

    private func foldLog(_ index: Int, after sql: String = "") throws(SpoolError) {
        try use(index) { database in
            try database.writeWithoutTransaction { try $0.execute(sql: "\(sql); pragma wal_checkpoint(truncate)") }
        }
    }

    /// Removes a segment that nothing needs any more.
    func drop(_ index: Int) throws(SpoolError) {
        close(index)
        try folder.removeSegment(segments[index].name)
        _ = take(index)
    }
}

/// A batch in the spool.
package struct SpooledBatch: Sendable {
    /// Grows with every batch that arrives, so it gives the order.
    package var id: Int64
    package var content: Result<BatchRows, BatchRows.Unreadable>
    /// The version of the program that wrote it.
    package var program: String
    package var byteCount: Int

    fileprivate init(_ row: Row, base: Int64) {
        // In a damaged file any column can hold anything.
        let payload = Data.fromDatabaseValue(row["payload"]) ?? Data()
        id = base + row["id"]
        content = Result { () throws(BatchRows.Unreadable) in try BatchRows(bytes: Array(payload)) }
        program = String.fromDatabaseValue(row["program"]) ?? "unknown"
        byteCount = payload.count
    }
}
