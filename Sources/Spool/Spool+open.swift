internal import GRDB

/// The file was made by a program that knows another layout.
struct OtherLayout: Error {
    var number: Int
}

extension Spool {
    /// Written into the file as its `user_version`; another layout takes another number.
    private static let layout = 1

    static func open(_ file: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "spool"
        configuration.prepareDatabase { db in
            // One process, found out at once; and the index of the log needs no third file.
            try db.execute(sql: "pragma locking_mode = exclusive")
            // Not by GRDB's setting, which would turn `synchronous` down after us.
            let mode = try String.fetchOne(db, sql: "pragma journal_mode = wal")
            guard mode == "wal" else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
            // Every commit is on the disk before anybody is answered.
            try db.execute(sql: "pragma synchronous = full")
            // What is deleted is overwritten, so that who was forgotten is not found in the file.
            try db.execute(sql: "pragma secure_delete = on")
            // KiB: memory does not grow with what waits.
            try db.execute(sql: "pragma cache_size = -2048")
            try db.execute(sql: "pragma journal_size_limit = 4194304")
        }
        return try DatabaseQueue(path: file, configuration: configuration)
    }

    /// Makes the table where it is missing, and counts what is in it.
    static func begin(_ db: Database, limit: Int) throws -> SpoolLevel {
        let number = try Int.fetchOne(db, sql: "pragma user_version") ?? 0
        guard number <= layout else { throw OtherLayout(number: number) }
        if number == 0 {
            try db.execute(
                sql: """
                    create table parcel (
                        id integer primary key autoincrement,
                        device blob not null,
                        program text not null,
                        payload blob not null,
                        set_aside text
                    );
                    create index parcel_device on parcel (device);
                    pragma user_version = \(layout);
                    """)
        }
        try db.execute(sql: "update parcel set set_aside = null where set_aside is not null")
        var level = SpoolLevel(limit: limit)
        // Whoever had it before may have been killed.
        level.isDirty = true
        let payload = try Row.fetchOne(db, sql: "select count(*), total(length(payload)) from parcel")
        level.batches = payload?[0] ?? 0
        let bytes: Double = payload?[1] ?? 0
        level.bytes = Int(bytes) + level.batches * Spool.bytes(payload: 0)
        return level
    }
}
