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
    private let segmentBytes: Int
    /// The oldest first.
    var segments: [Segment] = [] { didSet { count() } }
    /// Whether the last segment takes more batches: one that was found in the folder does not.
    private var isLastOpen = false
    /// Ids are this process's own, and grow from segment to segment.
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
    ///   - segmentBytes: little, so that a damaged first page loses little, and a file is soon rebuilt without what was erased.
    package init(
        folder path: String, limit: Int, program: String, segmentBytes: Int = 4 << 20
    ) throws(SpoolError) {
        self.program = program
        self.segmentBytes = segmentBytes
        folder = try SpoolFolder(path)
        state = Mutex((SpoolLevel(limit: limit), []))
        try queue.sync { assumeIsolated { spool in Result { () throws(SpoolError) in try spool.enterAll() } } }.get()
    }

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
    package nonisolated var damagedFiles: Int { SpoolFolder.damagedFiles(in: folder.path) }

    /// Closes the files and gives up the folder. The spool can't be used afterwards.
    package nonisolated func close() {
        queue.sync { assumeIsolated { spool in for index in spool.segments.indices { spool.close(index) } } }
        folder.release()
    }

    // MARK: Adding

    /// Keeps the batches that fit until the store has them.
    ///
    /// - Returns: for each batch whether it was taken, and so is on the disk.
    /// - Throws: when the disk took none of them.
    package func add(_ batches: [BatchRows]) throws(SpoolError) -> [Bool] {
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
        if isFull, level.condition == .open { change { $0.condition = .full } }
        guard !rows.isEmpty else { return taken }
        try append(rows)
        // A batch that was too large says nothing about the others.
        if !isFull { change { $0.condition = .open } }
        return taken
    }

    /// Writes something and deletes it, after the disk has failed: it may have recovered.
    package func probe() {
        guard case .failing = level.condition else { return }
        // Whole pages of zeros: more than an existing log has room for by chance.
        let row = NewRow(device: Data(count: 16), program: "", payload: Data(count: 65_536))
        do throws(SpoolError) {
            try append([row], isKept: false)
            change { $0.condition = .open }
        } catch {}
    }

    /// Writes rows, all or none; they are on the disk when it returns.
    func append(_ rows: [NewRow], isKept: Bool = true) throws(SpoolError) {
        do throws(SpoolError) {
            let index = try segment(for: rows)
            let last = segments[index].content.last
            try write(index) { db in
                if last == 0 { try db.createTable() }
                for (number, row) in zip((last + 1)..., rows) { try db.insert(row, number: number) }
                if !isKept { try db.execute(sql: "delete from batch where id > ?", arguments: [last]) }
            }
            guard isKept else { return }
            update(index) { content in
                content.last += Int64(rows.count)
                content.waiting += rows.count
                content.bytes += rows.bytes
            }
            nextID = segments[index].lastID + 1
        } catch {
            // What a disk once failed to sync it may never sync, and say that it did.
            if error != .diskFull { isLastOpen = false }
            change { $0.condition = .failing(error) }
            throw error
        }
    }

    /// - Returns: the segment that takes some rows.
    private func segment(for rows: [NewRow]) throws(SpoolError) -> Int {
        try folder.requireRoom(for: rows.bytes)
        let last = segments.count - 1
        if isLastOpen, segments[last].content.takes(rows, of: segmentBytes) { return last }
        // Left by a disk that failed.
        if last >= 0, segments[last].content.count == 0 { try drop(last) }
        segments.append(Segment(name: try folder.makeSegment(), base: nextID - 1))
        isLastOpen = true
        return segments.count - 1
    }

    // MARK: Level

    private func count() {
        change { level in
            (level.batches, level.setAside, level.bytes, level.isDirty) = (0, 0, 0, false)
            for segment in segments {
                level.batches += segment.content.waiting
                level.setAside += segment.content.setAside
                level.bytes += segment.content.bytes
                level.isDirty = level.isDirty || segment.content.isDirty
            }
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

    /// Opens a segment's file and leaves it open. One that turns out to be damaged is recovered before the error is thrown.
    func use<T>(_ index: Int, _ body: (DatabaseQueue) throws -> T) throws(SpoolError) -> T {
        do {
            // At most one other is open: the one that takes more.
            for other in segments.indices where other != index && !(isLastOpen && other == segments.count - 1) {
                close(other)
            }
            return try body(open(index))
        } catch {
            if let error = error as? DatabaseError, error.isUnreadablePage {
                let segment = take(index)
                recover(segment.name, segment.database, error.unusable)
            }
            throw SpoolError(error)
        }
    }

    private func open(_ index: Int) throws -> DatabaseQueue {
        if let database = segments[index].database { return database }
        let database = try DatabaseQueue.segment(folder.file(segments[index].name))
        segments[index].database = database
        let last = segments[index].content.last
        // A commit whose sync failed may be in the log all the same. Its rows were not acknowledged, and their ids are the next
        // segment's.
        if last > 0 { try database.write { try $0.execute(sql: "delete from batch where id > ?", arguments: [last]) } }
        return database
    }

    func close(_ index: Int) {
        guard let database = segments[index].database else { return }
        try? database.close()
        segments[index].database = nil
    }

    func take(_ index: Int) -> Segment {
        if index == segments.count - 1 { isLastOpen = false }
        return segments.remove(at: index)
    }

    /// Notes what has changed in a segment's file.
    func update(_ index: Int, _ body: (inout SegmentContent) -> Void) {
        body(&segments[index].content)
        // Too small a number, left from before, would do.
        try? folder.note(segments[index].content.count, of: segments[index].name)
    }
}
