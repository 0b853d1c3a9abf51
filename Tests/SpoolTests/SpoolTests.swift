import CensusCore
import CensusStore
import Foundation
import GRDB
import Testing

@testable import Spool

@Suite struct `Spools` {
    @Test func `a spool returns batches unchanged and in order until they are removed`() async throws {
        let spool = try TestSpool().open()
        let batches = try (0..<10).map { try BatchRows.sample("event \($0)") }
        #expect(try await spool.add(Array(batches[..<4])) == [true, true, true, true])
        #expect(try await spool.add(Array(batches[4...])).allSatisfy { $0 })
        let oldest = try await spool.oldest()
        #expect(try oldest.map { try $0.content.get().bytes } == batches.map(\.bytes))
        #expect(oldest.map(\.id) == oldest.map(\.id).sorted())
        #expect(spool.level.batches == 10)

        try await spool.remove(oldest[..<3].map(\.id))
        #expect(try await spool.oldest().map(\.id) == oldest[3...].map(\.id))
        #expect(try await spool.oldest(after: oldest[4].id, count: 2).map(\.id) == oldest[5..<7].map(\.id))
        #expect(try await spool.oldest(bytes: 1).map(\.id) == [oldest[3].id])
    }

    /// When ``BatchSpool/add(_:)`` returns, the files hold the batch even if the process ends at once.
    @Test func `accepted batches survive a power cut, and removed ones stay removed`() async throws {
        let folder = TestSpool()
        let spool = try folder.open()
        for number in 0..<5 {
            _ = try await spool.add([try .sample("event \(number)")])
            let rescued = try folder.cut().open()
            #expect(rescued.level.batches == number + 1)
            #expect(rescued.level.bytes == spool.level.bytes)
            #expect(try await rescued.oldest().last?.content.get().bytes == BatchRows.sample("event \(number)").bytes)
        }
        let oldest = try await spool.oldest()
        let left = try oldest[2...].map { try $0.content.get().bytes }
        try await spool.remove(oldest[..<2].map(\.id))
        #expect(try await folder.cut().open().oldest().map { try $0.content.get().bytes } == left)
        spool.close()
        #expect(try await folder.open().oldest().map { try $0.content.get().bytes } == left)
    }

    /// The log that a process leaves if it is killed in the middle of a commit.
    @Test func `a truncated log opens with the batches that were completely written`() async throws {
        let folder = TestSpool()
        let spool = try folder.open()
        _ = try await spool.add([try .sample("first")])
        let whole = try folder.cut()
        _ = try await spool.add([try .sample("second", padding: 20_000)])
        let log = "/00000001.sqlite-wal"
        let bytes = try Data(contentsOf: URL(filePath: folder.path + log))
        let before = try Data(contentsOf: URL(filePath: whole.path + log)).count
        for end in stride(from: before, to: bytes.count, by: 1_999) {
            let torn = try whole.cut()
            try bytes.prefix(end).write(to: URL(filePath: torn.path + log))
            let again = try torn.open()
            #expect(try await again.oldest().count == 1, "cut at \(end) of \(bytes.count)")
            #expect(again.takeDamage() == [])
            again.close()
        }
    }

    @Test func `batches pass through many small segments in order, and none is left`() async throws {
        let folder = TestSpool()
        var spool = try folder.open(segmentBytes: 20_000)
        var waiting: [[UInt8]] = []
        var seen: Set<Int64> = []
        for number in 0..<120 {
            let batch = try BatchRows.sample("event \(number)", padding: number % 5 * 1_000)
            #expect(try await spool.add([batch]) == [true])
            waiting.append(batch.bytes)
            if number == 60 {
                spool.close()
                spool = try folder.open(segmentBytes: 20_000)
                seen = []
            }
            guard number % 3 == 0 else { continue }
            let oldest = try await spool.oldest(count: 2)
            try await spool.remove(oldest.map(\.id))
            #expect(seen.isDisjoint(with: oldest.map(\.id)))
            seen.formUnion(oldest.map(\.id))
            #expect(try oldest.map { try $0.content.get().bytes } == Array(waiting.prefix(oldest.count)))
            waiting.removeFirst(oldest.count)
            #expect(spool.level.batches == waiting.count)
        }
        #expect(try folder.segments().count > 5)
        #expect(try folder.byteCount < spool.level.bytes * 2 + 20_000 + (5 << 20), "drained files are gone")
        while case let oldest = try await spool.oldest(), !oldest.isEmpty {
            #expect(try oldest.map { try $0.content.get().bytes } == Array(waiting.prefix(oldest.count)))
            waiting.removeFirst(oldest.count)
            try await spool.remove(oldest.map(\.id))
        }
        #expect(waiting.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        #expect(spool.level == SpoolLevel(limit: 64 << 20))
    }

    /// For a process that has no right to open the files, or finds them in use.
    @Test func `another process can count the batches of a spool`() async throws {
        let folder = TestSpool()
        let spool = try folder.open(segmentBytes: 2_000)
        #expect(SpoolFolder.batches(in: folder.path) == 0)
        for number in 0..<9 { _ = try await spool.add([try .sample("event \(number)", padding: 600)]) }
        #expect(SpoolFolder.batches(in: folder.path) == 9)
        let oldest = try await spool.oldest(count: 2).map(\.id)
        try await spool.setAside(try #require(oldest.first), "for a test")
        #expect(SpoolFolder.batches(in: folder.path) == 9)
        try await spool.remove(oldest)
        let level = spool.level
        #expect(level.batches + level.setAside == 9 - oldest.count)
        #expect(SpoolFolder.batches(in: folder.path) == 9 - oldest.count)
        try Data(count: 4_096).write(to: URL(filePath: "\(folder.path)/spool.sqlite"))
        #expect(SpoolFolder.batches(in: folder.path) == 10 - oldest.count, "an earlier version's file has no count")
    }

    @Test func `removing batches keeps those that arrive meanwhile`() async throws {
        let spool = try TestSpool().open()
        _ = try await spool.add([try .sample("first"), try .sample("second")])
        let oldest = try await spool.oldest()
        _ = try await spool.add([try .sample("third")])
        try await spool.remove(oldest.map(\.id))
        let left = try await spool.oldest(after: try #require(oldest.last?.id))
        #expect(try left.map { try $0.content.get().bytes } == [BatchRows.sample("third").bytes])
        // An id is never used again.
        try await spool.remove(left.map(\.id))
        _ = try await spool.add([try .sample("fourth")])
        #expect(try await spool.oldest(after: try #require(left.last?.id)).count == 1)
    }

    /// Versions without segments had one file, whose ids could be large.
    @Test(arguments: [true, false]) func `the single file of an earlier version drains first`(isKilled: Bool)
        async throws
    {
        let folder = TestSpool()
        try folder.open().close()
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.execute(sql: "pragma locking_mode = exclusive; pragma journal_mode = wal")
        }
        let old = try DatabaseQueue(path: folder.path + "/spool.sqlite", configuration: configuration)
        let batches = try (0..<50).map { try BatchRows.sample("event \($0)", device: "device \($0)") }
        try await old.write { db in
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
                    pragma user_version = 1;
                    insert into sqlite_sequence (name, seq) values ('parcel', 1800000000000000)
                    """)
            for batch in batches {
                try db.execute(
                    sql: "insert into parcel (device, program, payload, set_aside) values (?, '1.0', ?, 'a reason')",
                    arguments: [batch.device.data, Data(batch.bytes)])
            }
        }
        let used = isKilled ? try folder.cut() : folder
        try old.close()
        let spool = try used.open()
        let later = try BatchRows.sample("later")
        _ = try await spool.add([later])
        #expect(try await spool.erase([batches[7].device]) == 1)
        #expect(try !used.holds(batches[7].device))
        var drained: [[UInt8]] = []
        var position: Int64 = 0
        while case let oldest = try await spool.oldest(after: position, count: 20), let last = oldest.last {
            drained += try oldest.map { try $0.content.get().bytes }
            position = last.id
            try await spool.remove(oldest.map(\.id))
        }
        #expect(drained == (batches[..<7] + batches[8...] + [later]).map(\.bytes))
        #expect(spool.takeDamage() == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: used.path) == [])
        spool.close()
    }

    @Test func `a spool at its limit accepts what still fits, and more when a batch has left`() async throws {
        let spool = try TestSpool().open(limit: 40_000)
        let large = try BatchRows.sample("large", padding: 10_000)
        let small = try BatchRows.sample("small")
        #expect(try await spool.add([large, large, small]) == [true, false, true])
        #expect(spool.level.condition == .full)
        #expect(!spool.level.takesMore)
        #expect(spool.level.bytes <= 40_000)
        let id = try #require(try await spool.oldest().first?.id)
        try await spool.remove([id])
        #expect(spool.level.takesMore)
        #expect(try await spool.add([large]) == [true])
    }

    @Test func `concurrent batches don't exceed the limit`() async throws {
        let spool = try TestSpool().open(limit: 50_000)
        let batch = try BatchRows.sample("event")
        let taken = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { try await spool.add([batch]).count { $0 } } }
            return try await group.reduce(0, +)
        }
        #expect(taken == spool.level.batches)
        #expect(taken < 200 && spool.level.bytes <= 50_000)
    }

    @Test func `a second spool in the same folder is rejected until the first is closed`() throws {
        let folder = TestSpool()
        let spool = try folder.open()
        #expect(throws: SpoolError.inUse(folder: folder.path)) { try folder.open() }
        spool.close()
        _ = try folder.open()
    }

    @Test func `a folder that is named like a segment is left alone`() async throws {
        let folder = TestSpool()
        try folder.open().close()
        let strange = folder.path + "/00000005.sqlite"
        try FileManager.default.createDirectory(atPath: strange, withIntermediateDirectories: false)
        for id in ["one", "two"] {
            let spool = try folder.open()
            _ = try await spool.add([try .sample(id)])
            spool.close()
        }
        let spool = try folder.open()
        #expect(spool.level.batches == 2)
        #expect(SpoolFolder.damagedFiles(in: folder.path) == 0)
        #expect(FileManager.default.fileExists(atPath: strange))
    }

    @Test func `only the owner can read folder and files, and a shared folder is rejected`() async throws {
        let folder = TestSpool()
        let spool = try folder.open()
        _ = try await spool.add([try .sample("event")])
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(folder.path) == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            #expect(try mode("\(folder.path)/\(name)") == 0o600, "\(name)")
        }
        let other = TestSpool()
        try FileManager.default.createDirectory(
            atPath: other.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        #expect(throws: SpoolError.notPrivate(folder: other.path)) { try other.open() }
    }

    @Test func `files and pages of batches stay small while many batches pass through`() async throws {
        let folder = TestSpool()
        let spool = try folder.open(limit: 64 << 20)
        let batches = try (0..<100).map { try BatchRows.sample("event \($0)", padding: 50_000) }
        for _ in 0..<2 {
            #expect(try await spool.add(batches).allSatisfy { $0 })
            #expect(try folder.byteCount < spool.level.bytes * 5 / 4 + (16 << 20))
            while case let oldest = try await spool.oldest(), !oldest.isEmpty {
                #expect(oldest.count < 100)
                try await spool.remove(oldest.map(\.id))
            }
            try await spool.compact()
            #expect(try folder.byteCount == 0)
            #expect(spool.level.bytes == 0)
        }
    }
}
