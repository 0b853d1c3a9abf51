import CensusStore
import Foundation
import GRDB
import Testing

@testable import Spool

/// A disk that is full or broken: nothing is lost, and it goes on when there is room.
@Suite struct `Disks of a spool` {
    @Test func `without room it says so, keeps what it has, and takes more when there is room`() async throws {
        let folder = TestSpool()
        let spool = try folder.open()
        _ = try await spool.add([try .sample("first")])
        try await spool.mayGrow(to: 40)
        let large = try Parcel.sample("large", padding: 100_000)
        await #expect(throws: SpoolError.diskFull) { try await spool.add([large]) }
        #expect(spool.level.condition == .failing(.diskFull))
        #expect(!spool.level.takesMore)
        #expect(spool.level.batches == 1)
        #expect(try await folder.cut().open().oldest().count == 1)
        #expect(try await spool.add([try .sample("small")]) == [true])
        #expect(spool.level.takesMore)

        await #expect(throws: SpoolError.diskFull) { try await spool.add([large]) }
        try await spool.mayGrow(to: 1 << 20)
        await spool.probe()
        #expect(spool.level.takesMore)
        #expect(try await spool.add([large]) == [true])
        #expect(try await spool.oldest().count == 3)
        let check = try await spool.database.read { try String.fetchOne($0, sql: "pragma integrity_check") }
        #expect(check == "ok")
        #expect(try folder.cut().open().level.bytes == spool.level.bytes)
    }

    @Test func `a commit is synced, whatever the library's defaults`() async throws {
        let spool = try TestSpool().open()
        let settings = try await spool.database.writeWithoutTransaction { db in
            try ["synchronous", "secure_delete", "cache_size", "journal_mode", "locking_mode"].map { name in
                try String.fetchOne(db, sql: "pragma \(name)") ?? ""
            }
        }
        #expect(settings == ["2", "1", "-2048", "wal", "exclusive"])
    }
}

extension ParcelSpool {
    /// Lets the file have so many pages, as a disk would.
    fileprivate func mayGrow(to pages: Int) async throws {
        _ = try await database.writeWithoutTransaction { try Int.fetchOne($0, sql: "pragma max_page_count = \(pages)") }
    }
}

/// On a disk of 40 MiB that is really full; only root may make one.
@Suite(.enabled(if: SmallDisk.isPossible, "a small disk takes root and the right to mount")) struct `Small disks` {
    /// Fills the disk with parcels until it takes no more.
    private func fill(_ spool: ParcelSpool, with parcel: Parcel) async throws -> Int {
        var kept = 0
        while kept < 5_000 {
            do throws(SpoolError) {
                kept += try await spool.add(Array(repeating: parcel, count: 50)).count { $0 }
            } catch {
                #expect(error == .diskFull)
                break
            }
        }
        return kept
    }

    /// Once its log held pages for which the file had no room, neither could move, and nothing ever left the spool.
    @Test func `what has filled its disk can be emptied without help`() async throws {
        let disk = try SmallDisk(megabytes: 40)
        defer { disk.remove() }
        let spool = try ParcelSpool(folder: disk.path + "/spool", limit: 640 << 20, program: "1.2.3")
        let parcel = try Parcel.sample("event", padding: 20_000)
        let kept = try await fill(spool, with: parcel)
        #expect(kept > 100 && kept < 5_000)
        #expect(!spool.level.takesMore)
        var position: Int64 = 0
        var removed = 0
        while case let parcels = try await spool.oldest(after: position), let last = parcels.last {
            for spooled in parcels { #expect(try spooled.content.get().bytes == parcel.bytes) }
            try await spool.remove(parcels.map(\.id))
            position = last.id
            removed += parcels.count
        }
        #expect(removed == kept)
        try await spool.compact()
        #expect(spool.level.takesMore)
        #expect(try await spool.add([parcel]) == [true])
    }

    @Test func `on a disk that others have filled nothing is taken or lost, and it serves again when there is room`()
        async throws
    {
        let disk = try SmallDisk(megabytes: 40)
        defer { disk.remove() }
        let spool = try ParcelSpool(folder: disk.path + "/spool", limit: 640 << 20, program: "1.2.3")
        let parcel = try Parcel.sample("event", padding: 20_000)
        #expect(try await spool.add([parcel]) == [true])
        let other = disk.path + "/other"
        try disk.fill(other)
        for _ in 0..<20 { await #expect(throws: SpoolError.diskFull) { try await spool.add([parcel]) } }
        await spool.probe()
        #expect(!spool.level.takesMore)
        #expect(try await spool.oldest().count == 1)

        try FileManager.default.removeItem(atPath: other)
        await spool.probe()
        #expect(spool.level.takesMore)
        #expect(try await spool.add([parcel]) == [true])
        spool.close()
        let again = try ParcelSpool(folder: disk.path + "/spool", limit: 640 << 20, program: "1.2.3")
        let parcels = try await again.oldest()
        #expect(parcels.count == 2)
        for spooled in parcels { #expect(try spooled.content.get().bytes == parcel.bytes) }
        again.close()
    }
}
