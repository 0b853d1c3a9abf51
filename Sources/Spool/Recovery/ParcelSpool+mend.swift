internal import CensusStore
internal import Foundation
internal import GRDB

extension ParcelSpool {
    /// A spool's open file, and what was repaired before.
    struct Opened {
        var database: DatabaseQueue
        var level: SpoolLevel
        var mendings: [SpoolMending]
    }

    /// Opens the folder's file, whatever its state: what SQLite can't use is put aside, and the parcels in it are recovered.
    ///
    /// - Throws: ``SpoolError`` when the folder or its disk is at fault, not the file.
    static func openMending(_ folder: SpoolFolder, limit: Int) throws(SpoolError) -> Opened {
        do {
            var (opened, reason) = (nil as Opened?, lookAt(folder))
            if reason == nil {
                do {
                    opened = try openAsItIs(folder, limit: limit)
                } catch let error as OtherLayout {
                    reason = "it has the layout \(error.number), which this version does not know"
                } catch let error as DatabaseError where error.isDamage {
                    reason = "SQLite can't use it (code \(error.extendedResultCode.rawValue), sqlite.org/rescode.html)"
                }
            }
            if reason != nil { try folder.putAside() }
            var result = try opened ?? openAsItIs(folder, limit: limit, after: .now)
            try bring(reason ?? "a start before this one was cut off", from: folder, into: &result)
            return result
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            throw .inUse(folder: folder.path)
        } catch {
            throw SpoolError(error)
        }
    }

    private static func openAsItIs(_ folder: SpoolFolder, limit: Int, after time: Date? = nil) throws -> Opened {
        let database = try open(folder.file)
        do {
            // A new file's numbers are larger than those of the one before, so that a remembered number names no other row.
            let first = time.map { Int64($0.timeIntervalSince1970 * 1_000_000) } ?? 0
            let level = try database.write { db in try begin(db, limit: limit, after: first) }
            return Opened(database: database, level: level, mendings: [])
        } catch {
            try? database.close()
            throw error
        }
    }

    /// Looks for damage that SQLite would pass over silently; a log with only its end cut off is copied.
    ///
    /// - Returns: why the files can't be opened as they are.
    private static func lookAt(_ folder: SpoolFolder) -> String? {
        if folder.hasStrayLog, RawFile(folder.log) != nil { return "there is a log, but not the file it belongs to" }
        // SQLite would think it is a new one.
        if let main = RawFile(folder.file), main.size < 512 { return "it is shorter than a page" }
        guard let log = RawFile(folder.log) else { return nil }
        switch WriteAheadLog(log).condition {
        case .whole: break
        case .torn: folder.copyTornLog()
        case .damaged: return "its log is damaged"
        }
        return nil
    }

    /// Recovers what is intact in files that were put aside. Without room on the disk they wait for the next start.
    private static func bring(_ reason: String, from folder: SpoolFolder, into opened: inout Opened) throws {
        for stamp in folder.unreadStamps {
            let files = folder.unreadFiles(stamp)
            var mending = SpoolMending(reason: reason, file: "")
            var salvage = Salvage(main: files.main, log: files.log)
            var finds: [Salvage.Find] = []
            var bytes = 0
            func flush() throws {
                guard SpoolFolder.freeBytes(folder.path) >= 3 * bytes + ParcelSpool.reserve else { throw NoRoom() }
                mending.brought += try opened.database.write { [finds] db in try ParcelSpool.insert(finds, db) }
                (finds, bytes) = ([], 0)
            }
            do {
                try salvage.forEach { find in
                    finds.append(find)
                    bytes += find.payload.count
                    if bytes >= 4 << 20 { try flush() }
                }
                try flush()
                mending.damaged = salvage.damaged
                if files.isTornLog {
                    mending.reason = "the end of its log can't be read"
                    mending.isTornLog = true
                } else {
                    mending.missing = salvage.missing
                }
                if mending.isTornLog, mending.damaged == 0 {
                    folder.removeUnread(stamp)
                } else {
                    mending.file = try folder.keepUnread(stamp)
                }
            } catch let error where error is NoRoom || (error as? DatabaseError)?.resultCode == .SQLITE_FULL {
                mending.file = (files.isTornLog ? files.log : files.main)
                mending.reason += "; the disk has no room for the rest, which is brought at a start when it has"
            }
            opened.mendings.append(mending)
        }
        guard !opened.mendings.isEmpty else { return }
        let limit = opened.level.limit
        opened.level = try opened.database.read { db in try count(db, limit: limit) }
        opened.level.lost = opened.mendings.reduce(0) { $0 + $1.lost }
    }

    private struct NoRoom: Error {}

    /// - Returns: how many of them were not there yet.
    private static func insert(_ finds: [Salvage.Find], _ db: Database) throws -> Int {
        let statement = try db.cachedStatement(
            sql: """
                insert into parcel (device, program, payload)
                select :device, :program, :payload
                where not exists (select 1 from parcel where device = :device and payload = :payload)
                """)
        var count = 0
        for find in finds {
            try statement.execute(arguments: [
                "device": find.parcel.device.data, "program": find.program, "payload": find.payload.data,
            ])
            count += db.changesCount
        }
        return count
    }
}

extension DatabaseError {
    /// A file that was damaged and could not be opened again is closed: opening it is tried once more.
    var isDamageOrClosed: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISUSE].contains(resultCode) }

    /// Whether the fault is in the file itself, and not in the disk or another process that has it.
    var isDamage: Bool {
        switch resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_NOMEM, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH,
            .SQLITE_INTERRUPT, .SQLITE_MISUSE:
            false
        case .SQLITE_IOERR:
            [.SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ].contains(extendedResultCode)
        default: true
        }
    }
}
