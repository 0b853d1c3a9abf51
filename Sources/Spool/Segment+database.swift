internal import GRDB

/// A file that SQLite might be able to read, but that is not a valid segment.
struct UnusableSegment: Error {
    var reason: String
}

extension DatabaseQueue {
    /// - Parameter isDamaged: opens the file only to read what is readable.
    static func segment(_ file: String, isDamaged: Bool = false) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "spool"
        configuration.prepareDatabase { db in
            // A second process fails at once, and the log's index needs no third file.
            try db.execute(sql: "pragma locking_mode = exclusive")
            // This lets SQLite read a file that is shorter than its header says.
            if isDamaged { return try db.execute(sql: "pragma writable_schema = on") }
            // Check before writing anything, so that a foreign file stays unchanged.
            try db.requireOurs()
            // Not by GRDB's setting, which would lower `synchronous` afterwards.
            guard try String.fetchOne(db, sql: "pragma journal_mode = wal") == "wal" else {
                throw DatabaseError(resultCode: .SQLITE_CANTOPEN)
            }
            // Sync every commit before it is acknowledged. Overwrite deleted rows, so that the file has no trace of an erased
            // device. Limit the cache (in KiB), so that memory does not grow with the waiting batches.
            try db.execute(
                sql: """
                    pragma synchronous = full;
                    pragma secure_delete = on;
                    pragma cache_size = -2048;
                    pragma journal_size_limit = 4194304
                    """)
        }
        return try DatabaseQueue(path: file, configuration: configuration)
    }
}

extension Database {
    /// Stored in the file as its `user_version`. A new layout needs a new number.
    private static let layout = 2

    private var layout: Int { get throws { try Int.fetchOne(self, sql: "pragma user_version") ?? 0 } }
    private var isNew: Bool {
        get throws { try layout == 0 && Int.fetchOne(self, sql: "select count(*) from sqlite_schema") == 0 }
    }

    fileprivate func requireOurs() throws {
        let number = try layout
        guard try isNew || (1...Database.layout).contains(number) else {
            throw UnusableSegment(reason: "it has the layout \(number), which this version does not know")
        }
    }

    func createTable() throws {
        try execute(
            sql: """
                create table if not exists batch (
                    id integer primary key,
                    device blob not null,
                    program text not null,
                    payload blob not null,
                    set_aside text
                );
                pragma user_version = \(Database.layout)
                """)
    }

    func insert(_ row: NewRow, number: Int64) throws {
        try cachedStatement(sql: "insert into batch (id, device, program, payload) values (?, ?, ?, ?)")
            .execute(arguments: [number, row.device, row.program, row.payload])
    }

    func retrySetAside() throws {
        try execute(sql: "update batch set set_aside = null where set_aside is not null")
    }

    /// Reads every page and counts the batches. Batches that were set aside wait again.
    ///
    /// - Parameter noted: the minimum number of batches.
    /// - Throws: ``UnusableSegment`` or an error of SQLite if the file was changed or damaged.
    func examine(noted: Int) throws -> SegmentContent {
        let content = try isNew ? SegmentContent() : countBatches()
        // SQLite reads its log up to the first damage and silently drops the rest, which the next commit overwrites.
        guard content.count >= noted else { throw UnusableSegment(reason: "it lacks batches that it held") }
        if content.count > 0 { try retrySetAside() }
        return content
    }

    private func countBatches() throws -> SegmentContent {
        guard try String.fetchOne(self, sql: "pragma quick_check(1)") == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        // The single file of versions without segments.
        if try layout == 1 {
            try execute(sql: "drop index parcel_device; alter table parcel rename to batch; pragma user_version = 2")
        }
        let sql = "select min(id) as first, max(id) as last, count(*) as rows, sum(length(payload)) as bytes from batch"
        var content = SegmentContent()
        guard let row = try Row.fetchOne(self, sql: sql) else { return content }
        (content.first, content.last, content.waiting) = (row["first"] ?? 1, row["last"] ?? 0, row["rows"])
        content.bytes = (row["bytes"] ?? 0) + content.count * NewRow.bytes(payload: 0)
        // The previous process might have been killed after it deleted something.
        content.isDirty = content.last > Int64(content.count)
        guard content.count == 0 || content.first > 0 && SegmentContent.numbers.contains(content.last) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        return content
    }
}
