internal import Foundation
internal import GRDB

extension BatchSpool {
    /// Opens all segments in the folder, and recovers damaged ones.
    func enterAll(at time: Date = .now) throws(SpoolError) {
        var damaged: [(name: String, database: DatabaseQueue?, reason: String)] = []
        for name in try folder.segments() {
            var database: DatabaseQueue?
            do {
                let content = try examine(name, &database)
                try? database?.close()
                guard content.count > 0 else {
                    try folder.removeSegment(name)
                    continue
                }
                try folder.note(content.count, of: name)
                segments.append(Segment(name: name, base: nextID - content.first, content: content))
                nextID += content.last - content.first + 1
            } catch let error as UnusableSegment {
                damaged.append((name, database, error.reason))
            } catch let error as DatabaseError where error.isDamage {
                damaged.append((name, database, error.unusable))
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                throw .inUse(folder: folder.path)
            } catch {
                throw SpoolError(error)
            }
        }
        for segment in damaged { recover(segment.name, segment.database, segment.reason, at: time) }
    }

    /// - Parameter database: set once the file is open, even if it is unusable.
    private func examine(_ name: String, _ database: inout DatabaseQueue?) throws -> SegmentContent {
        let (size, noted) = (folder.size(name) ?? 0, folder.noted(name) ?? 0)
        if size == 0, noted == 0, folder.size(name + "-wal") ?? 0 == 0 { return SegmentContent() }
        // SQLite would take the file for a new one.
        guard size >= 512 else {
            throw UnusableSegment(reason: size == 0 ? "it is empty or missing" : "it is shorter than a page")
        }
        let opened = try DatabaseQueue.segment(folder.file(name))
        database = opened
        return try opened.write { try $0.examine(noted: noted) }
    }

    /// Copies the batches that SQLite can read of a damaged segment into the current segment, and renames the damaged files.
    ///
    /// If the process ends before it renames the files, the batches are copied again, which changes nothing. If the disk has
    /// no room, the files keep their names until the next start.
    func recover(_ name: String, _ database: DatabaseQueue?, _ reason: String, at time: Date = .now) {
        var damage = SpoolDamage(reason: reason, file: name)
        let isReadable = database == nil && folder.size(name) ?? 0 > 0
        let database = isReadable ? try? .segment(folder.file(name), isDamaged: true) : database
        // Close it only after the files are renamed: SQLite deletes its log by name, and an operator might want to look at
        // the log.
        defer { try? database?.close() }
        do throws(SpoolError) {
            var damaged = database.map { DamagedSegment($0) }
            while let rows = damaged?.next(), !rows.isEmpty {
                try append(rows)
                damage.brought += rows.count
            }
            damage.damaged = damaged?.damaged ?? 0
            damage.missing = max(0, (folder.noted(name) ?? damaged?.span ?? 0) - damage.damaged - damage.brought)
            damage.file = try folder.putAside(name, at: time)
        } catch .diskFull {
            damage.reason += "; the disk has no room for the rest, which is recovered at a start when there is room"
        } catch {
            damage.reason += "; the rest is recovered at the next start: \(error)"
        }
        report(damage)
    }
}
