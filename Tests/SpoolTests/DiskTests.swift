import CensusStore
import Foundation
import GRDB
import Testing

@testable import Spool

/// On a full or broken disk the spool loses nothing, and it goes on when there is space.
@Suite struct `Spool disks` {
    @Test func `a spool on a full disk keeps its batches, and accepts more when there is space`() async throws {
        let folder = TestSpool()
        let spool = try folder.open()
        _ = try await spool.add([try .sample("first")])
        try await spool.execute("pragma max_page_count = 40")
        let large = try BatchRows.sample("large", padding: 100_000)
        await #expect(throws: SpoolError.diskFull) { try await spool.add([large]) }
        #expect(spool.level.condition == .failing(.diskFull))
        #expect(!spool.level.takesMore)
        #expect(spool.level.batches == 1)
        #expect(try await folder.cut().open().oldest().count == 1)
        #expect(try await spool.add([try .sample("small")]) == [true])
        #expect(spool.level.takesMore)

        await #expect(throws: SpoolError.diskFull) { try await spool.add([large]) }
        try await spool.execute("pragma max_page_count = 1000000")
        await spool.probe()
        #expect(spool.level.takesMore)
        #expect(try await spool.add([large]) == [true])
        #expect(try await spool.oldest().count == 3)
        #expect(try await spool.value(of: "pragma integrity_check") == "ok")
        #expect(try folder.cut().open().level.bytes == spool.level.bytes)
    }

    /// The batch might be in the log, under ids that the next segment gives to other batches.
    @Test func `a leftover of a failed sync doesn't remove later batches`() async throws {
        let folder = TestSpool()
        let spool = try folder.open(segmentBytes: 1)
        let batches = try (0..<3).map { try BatchRows.sample("event \($0)") }
        for batch in batches { _ = try await spool.add([batch]) }
        let unacknowledged = try BatchRows.sample("unacknowledged", device: "unacknowledged")
        let file = try DatabaseQueue(path: folder.path + "/00000001.sqlite")
        try await file.write { db in
            try db.execute(
                sql: "insert into batch (id, device, program, payload) values (2, ?, '1.2.3', ?)",
                arguments: [unacknowledged.device.data, Data(unacknowledged.bytes)])
        }
        try file.close()
        let first = try await spool.oldest()
        #expect(try first.map { try $0.content.get().bytes } == [batches[0].bytes])
        try await spool.remove(first.map(\.id))
        #expect(try await spool.oldest().map { try $0.content.get().bytes } == [batches[1].bytes])
        #expect(spool.level.batches == 2)
        #expect(try folder.segments().count == 2)
        #expect(try !folder.holds(unacknowledged.device))
    }

    @Test func `a commit is synced regardless of the library's defaults`() async throws {
        let spool = try TestSpool().open()
        _ = try await spool.add([try .sample("event")])
        var settings: [String?] = []
        for name in ["synchronous", "secure_delete", "cache_size", "journal_mode", "locking_mode"] {
            settings.append(try await spool.value(of: "pragma \(name)"))
        }
        #expect(settings == ["2", "1", "-2048", "wal", "exclusive"])
    }
}

/// On a disk of 40 MiB that is really full. Only root can mount one.
@Suite(.enabled(if: SmallDisk.isPossible, "a small disk takes root and the right to mount")) struct `Small disks` {
    /// Adds batches until the disk is full.
    private func fill(_ spool: BatchSpool, with batch: BatchRows) async throws -> Int {
        var kept = 0
        while kept < 5_000 {
            do throws(SpoolError) {
                kept += try await spool.add(Array(repeating: batch, count: 50)).count { $0 }
            } catch {
                #expect(error == .diskFull)
                break
            }
        }
        return kept
    }

    /// When the log held pages that didn't fit into the file, neither could shrink, and no batch ever left the spool.
    @Test func `a spool that has filled its disk drains without help`() async throws {
        let disk = try SmallDisk(megabytes: 40)
        defer { disk.remove() }
        let spool = try BatchSpool(folder: disk.path + "/spool", limit: 640 << 20, program: "1.2.3")
        let batch = try BatchRows.sample("event", padding: 20_000)
        let kept = try await fill(spool, with: batch)
        #expect(kept > 100 && kept < 5_000)
        #expect(!spool.level.takesMore)
        var position: Int64 = 0
        var removed = 0
        while case let batches = try await spool.oldest(after: position), let last = batches.last {
            for spooled in batches { #expect(try spooled.content.get().bytes == batch.bytes) }
            try await spool.remove(batches.map(\.id))
            position = last.id
            removed += batches.count
        }
        #expect(removed == kept)
        try await spool.compact()
        #expect(spool.level.takesMore)
        #expect(try await spool.add([batch]) == [true])
    }

    @Test func `a spool on a disk that others filled loses nothing, and accepts batches again when there is space`()
        async throws
    {
        let disk = try SmallDisk(megabytes: 40)
        defer { disk.remove() }
        let spool = try BatchSpool(folder: disk.path + "/spool", limit: 640 << 20, program: "1.2.3")
        let batch = try BatchRows.sample("event", padding: 20_000)
        #expect(try await spool.add([batch]) == [true])
        let other = disk.path + "/other"
        try disk.fill(other)
        for _ in 0..<20 { await #expect(throws: SpoolError.diskFull) { try await spool.add([batch]) } }
        await spool.probe()
        #expect(!spool.level.takesMore)
        #expect(try await spool.oldest().count == 1)

        try FileManager.default.removeItem(atPath: other)
        await spool.probe()
        #expect(spool.level.takesMore)
        #expect(try await spool.add([batch]) == [true])
        spool.close()
        let again = try BatchSpool(folder: disk.path + "/spool", limit: 640 << 20, program: "1.2.3")
        let batches = try await again.oldest()
        #expect(batches.count == 2)
        for spooled in batches { #expect(try spooled.content.get().bytes == batch.bytes) }
        again.close()
    }
}
