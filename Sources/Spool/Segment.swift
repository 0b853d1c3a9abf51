internal import CensusCore
internal import Foundation
internal import GRDB

/// One SQLite file of the spool: it takes batches until it has its share, then they only leave it.
struct Segment: Sendable {
    /// Of its file, such as `00000042.sqlite`.
    let name: String
    /// What is added to a row's number for its id.
    let base: Int64
    var content = SegmentContent()
    /// Nil while the file is closed.
    var database: DatabaseQueue?

    var lastID: Int64 { base + content.last }
}

/// How much a segment holds.
struct SegmentContent: Hashable, Sendable {
    private static let mostRows: Int64 = 4_096
    /// Far more than any spool will reach; a larger number is damaged.
    static let numbers: Range<Int64> = 1..<1 << 53

    /// The smallest number of a row when it was opened, and the largest that was given.
    var first: Int64 = 1
    var last: Int64 = 0
    /// Batches that wait for the store.
    var waiting = 0
    var setAside = 0
    /// Of both.
    var bytes = 0
    /// Whether the file may still have traces of what was removed.
    var isDirty = false

    var count: Int { waiting + setAside }

    /// Whether so many more rows fit; an empty segment takes any.
    func takes(rows: Int, bytes more: Int, of limit: Int) -> Bool {
        last == 0 || last + Int64(rows) <= SegmentContent.mostRows && bytes + more <= limit
    }
}

/// A file that SQLite may read and that is not as a segment must be.
struct UnusableSegment: Error {
    var reason: String
}

/// A batch that is to be written.
struct NewRow: Sendable {
    var device: Data
    /// The version of the program that wrote it first.
    var program: String
    var payload: Data

    var bytes: Int { NewRow.bytes(payload: payload.count) }

    /// What a row counts as: its payload, and an estimate of what it takes besides.
    static func bytes(payload: Int) -> Int { payload + 128 }
}

extension DatabaseQueue {
    /// - Parameter isDamaged: only to read what can be read.
    static func segment(_ file: String, isDamaged: Bool = false) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "spool"
        configuration.prepareDatabase { db in
            // A second process is noticed at once, and the log's index needs no third file.
            try db.execute(sql: "pragma locking_mode = exclusive")
            // With this SQLite reads also what is shorter than it says.
            if isDamaged { return try db.execute(sql: "pragma writable_schema = on") }
            // Before anything is written: a file that is not ours stays as it is.
            try db.requireOurs()
            // Not by GRDB's setting, which would turn `synchronous` down after us.
            let mode = try String.fetchOne(db, sql: "pragma journal_mode = wal")
            guard mode == "wal" else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
            // Every commit is on the disk before it is acknowledged.
            try db.execute(sql: "pragma synchronous = full")
            // What is deleted is overwritten, so that no forgotten device is found in the file.
            try db.execute(sql: "pragma secure_delete = on")
            // In KiB: memory does not grow with what waits.
            try db.execute(sql: "pragma cache_size = -2048")
            try db.execute(sql: "pragma journal_size_limit = 4194304")
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
        let statement = try cachedStatement(
            sql: "insert into batch (id, device, program, payload) values (?, ?, ?, ?)")
        try statement.execute(arguments: [number, row.device, row.program, row.payload])
    }

    /// Reads every page and counts the batches; what was set aside waits again.
    ///
    /// - Parameter noted: how many there are at least.
    /// - Throws: ``UnusableSegment`` or an error of SQLite when the file is not as it was left.
    func examine(noted: Int) throws -> SegmentContent {
        var content = SegmentContent()
        if try !isNew {
            guard try String.fetchOne(self, sql: "pragma quick_check(1)") == "ok" else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
            // The one file of versions without segments.
            if try layout == 1 {
                try execute(sql: "drop index parcel_device; alter table parcel rename to batch; pragma user_version = 2")
            }
            if let row = try Row.fetchOne(self, sql: Database.count) {
                content = SegmentContent(
                    first: row["first"], last: row["last"], waiting: row["waiting"], bytes: row["bytes"])
            }
        }
        guard content.first >= SegmentContent.numbers.lowerBound, content.last < SegmentContent.numbers.upperBound else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        // SQLite reads its log up to the first damage and forgets the rest without a word: the next commit overwrites it.
        guard content.count >= noted else { throw UnusableSegment(reason: "it lacks batches that it held") }
        if content.count > 0 { try execute(sql: "update batch set set_aside = null where set_aside is not null") }
        content.bytes += content.count * NewRow.bytes(payload: 0)
        // The process that had it before may have been killed after it deleted something.
        content.isDirty = content.last > Int64(content.count)
        return content
    }

    private static let count = """
        select
            coalesce(min(id), 1) as first,
            coalesce(max(id), 0) as last,
            count(*) as waiting,
            coalesce(sum(length(payload)), 0) as bytes
        from batch
        """
}

extension Pseudonym {
    var data: Data { Data(bytes) }
}
