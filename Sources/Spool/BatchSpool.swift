package import CensusStore
internal import Foundation
internal import GRDB
internal import Synchronization

/// Batches on this machine's disk, for as long as the store is away: a folder of small SQLite files, used by one process.
///
/// Batches are synced to the disk before ``add(_:)`` returns, and stay until the store has them.
package actor BatchSpool {
    let folder: SpoolFolder
    let program: String
    /// How much a segment takes.
    private let segmentBytes: Int
    /// The oldest first.
    var segments: [Segment] = [] { didSet { count() } }
    /// Whether the last segment takes more batches: one that was found in the folder does not.
    var isLastOpen = false
    /// Ids are this process's own: a segment that is entered has larger ones than those before.
    var nextID: Int64 = 1
    private let queue = DiskQueue()
    private let state: Mutex<(level: SpoolLevel, damage: [SpoolDamage])>

    /// Opens the folder's spool with all that is in it, making it where there is none.
    ///
    /// What was set aside waits again, because this may be another version of the program. Damaged files are put aside, and what
    /// SQLite can read of them waits again, too: see ``takeDamage()``.
    ///
    /// - Parameters:
    ///   - limit: bytes that may wait; the files take a little more.
    ///   - program: this program's version, for another version that can't read what it finds.
    ///   - segmentBytes: small, so that damage to a file's first page loses little, and it is soon rebuilt without what was erased.
    /// - Throws: ``SpoolError``.
    package init(
        folder path: String, limit: Int, program: String, segmentBytes: Int = 4 << 20
    ) throws(SpoolError) {
        self.program = program
        self.segmentBytes = segmentBytes
        folder = try SpoolFolder(path)
        state = Mutex((SpoolLevel(limit: limit), []))
        let result = queue.sync { assumeIsolated { spool in Result { () throws(SpoolError) in try spool.enterAll() } } }
        try result.get()
    }

    /// The disk is waited for on a thread of our own: Swift has few.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    package nonisolated var level: SpoolLevel { state.withLock { $0.level } }

    /// What was damaged and put aside since the last call.
    package nonisolated func takeDamage() -> [SpoolDamage] {
        state.withLock { state in
            defer { state.damage = [] }
            return state.damage
        }
    }

    /// How many files that were put aside are still in the folder.
    package nonisolated var damagedFiles: Int { BatchSpool.damagedFiles(in: folder.path) }

    /// The same for a folder that another process may be using. A file counts once, with its log.
    package static func damagedFiles(in folder: String) -> Int { SpoolFolder.damagedFiles(in: folder) }

    /// How many bytes the spool's files take in such a folder.
    package static func fileBytes(in folder: String) -> Int { SpoolFolder.bytes(in: folder) }

    /// Closes the files and gives up the folder. The spool can't be used afterwards.
    package nonisolated func close() {
        queue.sync { assumeIsolated { spool in for index in spool.segments.indices { spool.close(index) } } }
        folder.release()
    }

    /// Keeps the batches that fit until the store has them.
    ///
    /// - Returns: for each batch whether it was taken, and so is on the disk.
    /// - Throws: ``SpoolError`` when the disk took none of them.
    package func add(_ batches: [Parcel]) throws(SpoolError) -> [Bool] {
        var rows: [NewRow] = []
        var room = level.limit - level.bytes
        let taken = batches.map { batch in
            let row = NewRow(device: batch.device.data, program: program, payload: Data(batch.bytes))
            guard row.bytes <= room else { return false }
            room -= row.bytes
            rows.append(row)
            return true
        }
        let isFull = rows.count < batches.count
        if isFull { change { level in if level.condition == .open { level.condition = .full } } }
        guard !rows.isEmpty else { return taken }
        do throws(SpoolError) {
            try append(rows)
        } catch {
            change { $0.condition = .failing(error) }
            throw error
        }
        // A batch that was too large says nothing about the others.
        if !isFull { change { $0.condition = .open } }
        return taken
    }

    /// Writes something and deletes it, after the disk has failed: it may have recovered.
    package func probe() {
        guard case .failing = level.condition else { return }
        do throws(SpoolError) {
            // Whole pages of zeros: more than an existing log has room for by chance.
            let row = NewRow(device: Data(count: 16), program: "", payload: Data(count: 65_536))
            let index = try segment(for: 1, bytes: row.bytes)
            let number = segments[index].content.last + 1
            try write(index) { db in
                try db.createTable()
                try db.insert(row, number: number)
                try db.execute(sql: "delete from batch where id = ?", arguments: [number])
            }
            change { $0.condition = .open }
        } catch {
            change { $0.condition = .failing(error) }
        }
    }

    /// Writes rows, all or none; they are on the disk when it returns.
    func append(_ rows: [NewRow]) throws(SpoolError) {
        let bytes = rows.reduce(0) { $0 + $1.bytes }
        let index = try segment(for: rows.count, bytes: bytes)
        let last = segments[index].content.last
        do throws(SpoolError) {
            try write(index) { db in
                if last == 0 { try db.createTable() }
                for (offset, row) in rows.enumerated() { try db.insert(row, number: last + 1 + Int64(offset)) }
            }
        } catch {
            // What a disk once failed to sync it may never sync, and say that it did.
            if error != .diskFull { isLastOpen = false }
            throw error
        }
        update(index) { content in
            content.last += Int64(rows.count)
            content.waiting += rows.count
            content.bytes += bytes
        }
        nextID = segments[index].lastID + 1
    }

    /// - Returns: the segment that takes so many rows.
    private func segment(for rows: Int, bytes: Int) throws(SpoolError) -> Int {
        try folder.requireRoom(for: bytes)
        let last = segments.count - 1
        if isLastOpen, segments[last].content.takes(rows: rows, bytes: bytes, of: segmentBytes) { return last }
        // Left by a disk that failed.
        if !isLastOpen, last >= 0, segments[last].content.count == 0 { try drop(last) }
        segments.append(Segment(name: try folder.makeSegment(), base: nextID - 1))
        isLastOpen = true
        return segments.count - 1
    }

    // MARK: Level

    private func count() {
        change { level in
            level.batches = segments.reduce(0) { $0 + $1.content.waiting }
            level.setAside = segments.reduce(0) { $0 + $1.content.setAside }
            level.bytes = segments.reduce(0) { $0 + $1.content.bytes }
            level.isDirty = segments.contains { $0.content.isDirty }
        }
    }

    func change(_ body: (inout SpoolLevel) -> Void) { state.withLock { body(&$0.level) } }

    func report(_ damage: SpoolDamage) {
        state.withLock { state in
            state.level.lost += damage.lost
            state.damage.append(damage)
        }
    }

    // MARK: Files

    func read<T>(_ index: Int, _ body: (Database) throws -> T) throws(SpoolError) -> T {
        try use(index) { try $0.read(body) }
    }

    func write<T>(_ index: Int, _ body: (Database) throws -> T) throws(SpoolError) -> T {
        try use(index) { try $0.write(body) }
    }

    /// Opens a segment's file and leaves it open; one that turns out to be damaged is recovered before the error is thrown.
    func use<T>(_ index: Int, _ body: (DatabaseQueue) throws -> T) throws(SpoolError) -> T {
        do {
            return try body(database(index))
        } catch {
            if let error = error as? DatabaseError, [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
                let segment = take(index)
                recover(segment.name, segment.database, error.unusable)
            }
            throw SpoolError(error)
        }
    }

    /// At most two are open: the one that is used, and the one that takes more.
    private func database(_ index: Int) throws -> DatabaseQueue {
        if let open = segments[index].database { return open }
        for other in segments.indices where !isLastOpen || other < segments.count - 1 { close(other) }
        let opened = try DatabaseQueue.segment(folder.file(segments[index].name))
        segments[index].database = opened
        return opened
    }

    func close(_ index: Int) {
        try? segments[index].database?.close()
        segments[index].database = nil
    }

    func take(_ index: Int) -> Segment {
        if index == segments.count - 1 { isLastOpen = false }
        return segments.remove(at: index)
    }

    /// - Parameter body: changes what is known of a segment after its file has changed.
    func update(_ index: Int, _ body: (inout SegmentContent) -> Void) {
        body(&segments[index].content)
        // Too small a number does no harm.
        try? folder.note(segments[index].content.count, of: segments[index].name)
    }
}
