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

    @Test func `a file that is no spool, or a newer one, is refused and left as it is`() async throws {
        let folder = TestSpool()
        let spool = try folder.open()
        _ = try await spool.add([try .sample("event")])
        try await spool.database.write { try $0.execute(sql: "pragma user_version = 2") }
        spool.close()
        let error = SpoolError.otherLayout(folder: folder.path, number: 2)
        #expect(throws: error) { try folder.open() }
        #expect(error.description.contains("run the version that made it"))

        let file = URL(filePath: folder.path + "/spool.sqlite")
        let text =
            Data("this is not a database, and longer than its header would have to be: ".utf8) + Data(count: 4_096)
        try text.write(to: file)
        #expect(throws: SpoolError.self) { try folder.open() }
        #expect(try Data(contentsOf: file) == text)
    }
}

extension Spool {
    /// Lets the file have so many pages, as a disk would.
    fileprivate func mayGrow(to pages: Int) async throws {
        _ = try await database.writeWithoutTransaction { try Int.fetchOne($0, sql: "pragma max_page_count = \(pages)") }
    }
}

/// On a disk of 2 MiB that is really full; only root may make one.
@Suite(.enabled(if: SmallDisk.isPossible, "a small disk takes root and the right to mount")) struct `Small disks` {
    @Test func `a full disk takes nothing, loses nothing, and serves again when there is room`() async throws {
        let disk = try SmallDisk()
        defer { disk.remove() }
        let spool = try Spool(folder: disk.path + "/spool", limit: 64 << 20, program: "1.2.3")
        let parcel = try Parcel.sample("event", padding: 20_000)
        var kept = 0
        while kept < 100 {
            do throws(SpoolError) {
                kept += try await spool.add([parcel]).count { $0 }
            } catch {
                #expect(error == .diskFull || error.description.contains("SQLite cannot use"))
                break
            }
        }
        #expect(kept > 3 && kept < 100)
        #expect(!spool.level.takesMore)
        for _ in 0..<20 { await #expect(throws: SpoolError.self) { try await spool.add([parcel]) } }
        await spool.probe()
        #expect(!spool.level.takesMore)
        #expect(try await spool.oldest(count: 1_000).count == kept)

        try disk.resize(megabytes: 8)
        await spool.probe()
        #expect(spool.level.takesMore)
        #expect(try await spool.add([parcel]) == [true])
        spool.close()
        let again = try Spool(folder: disk.path + "/spool", limit: 64 << 20, program: "1.2.3")
        let parcels = try await again.oldest(count: 1_000)
        #expect(parcels.count == kept + 1)
        for spooled in parcels { #expect(try spooled.content.get().bytes == parcel.bytes) }
        try await again.remove(parcels.map(\.id))
        try await again.compact()
        again.close()
    }
}
