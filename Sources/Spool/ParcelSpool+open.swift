internal import GRDB

/// The file was made by a program that knows another layout.
struct OtherLayout: Error {
    var number: Int
}

extension ParcelSpool {
    /// Written into the file as its `user_version`; another layout needs another number.
    private static let layout = 1

    static func open(_ file: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "spool"
        configuration.prepareDatabase { db in
            // A second process is noticed at once, and the log's index needs no third file.
            try db.execute(sql: "pragma locking_mode = exclusive")
            // Before anything is written: a file that is not ours stays as it is.
            try requireOurs(db)
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

    /// Makes the table where it is missing, and counts what is in it.
    ///
    /// - Parameter first: the number before the first in a new table.
    /// - Throws: an error of SQLite when the file is not as we left it.
    static func begin(_ db: Database, limit: Int, after first: Int64 = 0) throws -> SpoolLevel {
        if try layout(of: db) == 0 {
            try db.execute(sql: "\(table); \(index); pragma user_version = \(layout)")
            if first > 0 {
                try db.execute(sql: "insert into sqlite_sequence (name, seq) values ('parcel', ?)", arguments: [first])
            }
        } else {
            try requireSound(db)
        }
        try db.execute(sql: "update parcel set set_aside = null where set_aside is not null")
        return try count(db, limit: limit)
    }

    private static func layout(of db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "pragma user_version") ?? 0
    }

    /// - Throws: ``OtherLayout`` when the file is neither new nor of this layout.
    private static func requireOurs(_ db: Database) throws {
        let number = try layout(of: db)
        let isNew = try number == 0 && Int.fetchOne(db, sql: "select count(*) from sqlite_schema") == 0
        guard isNew || number == layout else { throw OtherLayout(number: number) }
    }

    /// Reads every page: otherwise a damaged one would be found only when it is needed.
    private static func requireSound(_ db: Database) throws {
        let check = try String.fetchOne(db, sql: "pragma integrity_check(1)")
        guard check == "ok" else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
        let schema = try String.fetchAll(
            db, sql: "select sql from sqlite_schema where name not like 'sqlite\\_%' escape '\\' order by name")
        guard schema.map(\.asWords) == [table.asWords, index.asWords] else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        let numbers = try Row.fetchOne(
            db,
            sql: """
                select coalesce(min(id), 1) > 0 and coalesce(max(id), 0) < \(Salvage.largestNumber)
                    and coalesce((select max(seq) from sqlite_sequence), 0) < \(Salvage.largestNumber) from parcel
                """)
        guard numbers?[0] == true else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
    }

    static func count(_ db: Database, limit: Int) throws -> SpoolLevel {
        var level = SpoolLevel(limit: limit)
        // The process that had it before may have been killed.
        level.isDirty = true
        let payload = try Row.fetchOne(db, sql: "select count(*), total(length(payload)) from parcel")
        level.batches = payload?[0] ?? 0
        let bytes: Double = payload?[1] ?? 0
        level.bytes = Int(bytes) + level.batches * ParcelSpool.bytes(payload: 0)
        return level
    }

    private static let table = """
        create table parcel (
            id integer primary key autoincrement,
            device blob not null,
            program text not null,
            payload blob not null,
            set_aside text
        )
        """
    private static let index = "create index parcel_device on parcel (device)"
}

extension String {
    /// SQLite writes the first words of a definition in capitals.
    fileprivate var asWords: [String] {
        lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
