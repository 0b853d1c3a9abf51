internal import GRDB

/// A file that SQLite may read and that is not as a segment must be.
struct UnusableSegment: Error {
    var reason: String
}

extension DatabaseQueue {
    /// - Parameter isDamaged: only to read what can be read.
    static func segment(_ file: String, isDamaged: Bool = false) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "spool"
        configuration.prepareDatabase { db in
            // A second process is noticed at once, and the log's index needs no third file.
            try db.execute(sql: "pragma locking_mode = exclusive")
            // With this SQLite also reads a file that is shorter than it says.
            if isDamaged { return try db.execute(sql: "pragma writable_schema = on") }
            // Before anything is written: a file that is not ours stays as it is.
            try db.requireOurs()
            // Not by GRDB's setting, which would turn `synchronous` down after us.
            guard try String.fetchOne(db, sql: "pragma journal_mode = wal") == "wal" else {
                throw DatabaseError(resultCode: .SQLITE_CANTOPEN)
            }
            // Every commit is on the disk before it is acknowledged; what is deleted is overwritten, so that no forgotten device is
            // found in the file; memory (in KiB) does not grow with what waits.
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
    /// Written into the file as its `user_version`; another layout needs another number.
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

    /// Reads every page and counts the batches; what was set aside waits again.
    ///
    /// - Parameter noted: how many there are at least.
    /// - Throws: ``UnusableSegment`` or an error of SQLite when the file is not as it was left.
    func examine(noted: Int) throws -> SegmentContent {
        let content = try isNew ? SegmentContent() : countBatches()
        // SQLite reads its log up to the first damage and forgets the rest without a word; the next commit overwrites it.
        guard content.count >= noted else { throw UnusableSegment(reason: "it lacks batches that it held") }
        if content.count > 0 { try retrySetAside() }
        return content
    }

    private func countBatches() throws -> SegmentContent {
        guard try String.fetchOne(self, sql: "pragma quick_check(1)") == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        // The one file of versions without segments.
        if try layout == 1 {
            try execute(sql: "drop index parcel_device; alter table parcel rename to batch; pragma user_version = 2")
        }
        let sql = "select min(id) as first, max(id) as last, count(*) as rows, sum(length(payload)) as bytes from batch"
        var content = SegmentContent()
        guard let row = try Row.fetchOne(self, sql: sql) else { return content }
        (content.first, content.last, content.waiting) = (row["first"] ?? 1, row["last"] ?? 0, row["rows"])
        content.bytes = (row["bytes"] ?? 0) + content.count * NewRow.bytes(payload: 0)
        // The process that had it before may have been killed after it deleted something.
        content.isDirty = content.last > Int64(content.count)
        guard content.count == 0 || content.first > 0 && SegmentContent.numbers.contains(content.last) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        return content
    }
}
