package import CensusStore
internal import Foundation
internal import GRDB
internal import Synchronization

/// Batches on this machine's disk while the store is away: a folder of small SQLite files, used by one process.
///
/// ``add(_:)`` syncs batches to the disk before it returns. They stay until the store has them.
package actor BatchSpool {
    let folder: SpoolFolder
    let program: String
    private let segmentBytes: Int
    /// The oldest first.
    var segments: [Segment] = [] { didSet { count() } }
    /// Whether the last segment takes more batches. One from a previous process does not.
    private var isLastOpen = false
    /// Ids are unique in this process, and grow from segment to segment.
    var nextID: Int64 = 1
    private let queue = DiskQueue()
    private let state: Mutex<(level: SpoolLevel, damage: [SpoolDamage])>

    /// Opens the spool in a folder with its batches, or creates it.
    ///
    /// Batches that were set aside wait again, because this might be another version of the program. Damaged files are
    /// renamed, and batches that SQLite can read of them wait again, too: see ``takeDamage()``.
    ///
    /// - Parameters:
    ///   - limit: how many bytes can wait; the files take a little more.
    ///   - program: this program's version, so that another version that can't read a batch can name it.
    ///   - segmentBytes: small, so that a damaged first page loses little, and a file is soon rebuilt without erased batches.
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

    /// Returns the damaged files since the last call.
    package nonisolated func takeDamage() -> [SpoolDamage] {
        state.withLock { state in
            defer { state.damage = [] }
            return state.damage
        }
    }

    /// How many damaged files are still in the folder.
    package nonisolated var damagedFiles: Int { SpoolFolder.damagedFiles(in: folder.path) }

    /// Closes the files and unlocks the folder. The spool can't be used afterwards.
    package nonisolated func close() {
        queue.sync { assumeIsolated { spool in for index in spool.segments.indices { spool.close(index) } } }
        folder.release()
    }

    // MARK: Adding

    /// Adds the batches that fit.
    ///
    /// - Returns: for each batch whether it is now in the spool, synced to the disk.
    /// - Throws: if the disk took none of them.
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

    /// Checks whether a disk that failed has recovered, by writing and deleting something.
    package func probe() {
        guard case .failing = level.condition else { return }
        // Write whole pages of zeros, more than an existing log might have room for.
        let row = NewRow(device: Data(count: 16), program: "", payload: Data(count: 65_536))
        do throws(SpoolError) {
            try append([row], isKept: false)
            change { $0.condition = .open }
        } catch {}
    }

    /// Writes all rows or none. They are on the disk when it returns.
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
            // After a failed sync, a disk might never sync those pages, and still report success.
            if error != .diskFull { isLastOpen = false }
            change { $0.condition = .failing(error) }
            throw error
        }
    }

    /// - Returns: the index of the segment that takes the rows.
    private func segment(for rows: [NewRow]) throws(SpoolError) -> Int {
        try folder.requireRoom(for: rows.bytes)
        let last = segments.count - 1
        if isLastOpen, segments[last].content.takes(rows, of: segmentBytes) { return last }
        // An empty segment, left by a failed disk.
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

    /// Opens a segment's file and leaves it open. If the file is damaged, this recovers it before throwing the error.
    func use<T>(_ index: Int, _ body: (DatabaseQueue) throws -> T) throws(SpoolError) -> T {
        do {
            // Keep at most one other file open: the one that takes more.
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
        // A commit whose sync failed might still be in the log. Its rows were not acknowledged, and their ids belong to the
        // next segment.
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

    /// Updates what is known about a segment's file.
    func update(_ index: Int, _ body: (inout SegmentContent) -> Void) {
        body(&segments[index].content)
        // If this fails, the note keeps a smaller number, which is safe.
        try? folder.note(segments[index].content.count, of: segments[index].name)
    }
}
