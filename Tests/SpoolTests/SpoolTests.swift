import CensusCore
import CensusStore
import Foundation
import Spool
import Testing

@Suite struct `Spools` {
    @Test func `parcels come out as they went in, in their order, until they are removed`() async throws {
        let spool = try TestSpool().open()
        let parcels = try (0..<10).map { try Parcel.sample("event \($0)") }
        #expect(try await spool.add(Array(parcels[..<4])) == [true, true, true, true])
        #expect(try await spool.add(Array(parcels[4...])).allSatisfy { $0 })
        let oldest = try await spool.oldest()
        #expect(try oldest.map { try $0.content.get().bytes } == parcels.map(\.bytes))
        #expect(oldest.map(\.id) == oldest.map(\.id).sorted())
        #expect(spool.level.batches == 10)

        try await spool.remove(oldest[..<3].map(\.id))
        #expect(try await spool.oldest().map(\.id) == oldest[3...].map(\.id))
        #expect(try await spool.oldest(after: oldest[4].id, count: 2).map(\.id) == oldest[5..<7].map(\.id))
        #expect(try await spool.oldest(bytes: 1).map(\.id) == [oldest[3].id])
    }

    /// The files as they stand when ``Spool/add(_:)`` returns hold the parcel, whatever happens to the process.
    @Test func `what was taken survives a cut, and what was removed does not come back`() async throws {
        let folder = TestSpool()
        let spool = try folder.open()
        for number in 0..<5 {
            _ = try await spool.add([try .sample("event \(number)")])
            let rescued = try folder.cut().open()
            #expect(rescued.level.batches == number + 1)
            #expect(rescued.level.bytes == spool.level.bytes)
            #expect(try await rescued.oldest().last?.content.get().bytes == Parcel.sample("event \(number)").bytes)
        }
        let oldest = try await spool.oldest()
        try await spool.remove(oldest[..<2].map(\.id))
        #expect(try await folder.cut().open().oldest().map(\.id) == oldest[2...].map(\.id))
        spool.close()
        #expect(try await folder.open().oldest().map(\.id) == oldest[2...].map(\.id))
    }

    @Test func `a log that was cut anywhere opens with the parcels whose writing had ended`() async throws {
        let folder = TestSpool()
        let spool = try folder.open()
        _ = try await spool.add([try .sample("first")])
        let whole = try folder.cut()
        _ = try await spool.add([try .sample("second", padding: 20_000)])
        let log = folder.path + "/spool.sqlite-wal"
        let size = try Data(contentsOf: URL(filePath: log)).count
        let before = try Data(contentsOf: URL(filePath: whole.path + "/spool.sqlite-wal")).count
        for end in stride(from: before, to: size, by: 1_999) {
            let torn = try folder.cut()
            let file = try FileHandle(forWritingTo: URL(filePath: torn.path + "/spool.sqlite-wal"))
            try file.truncate(atOffset: UInt64(end))
            try file.close()
            #expect(try await torn.open().oldest().count == 1, "cut at \(end) of \(size)")
        }
    }

    @Test func `past its limit it takes what still fits, and more when something has left`() async throws {
        let spool = try TestSpool().open(limit: 40_000)
        let large = try Parcel.sample("large", padding: 10_000)
        let small = try Parcel.sample("small")
        #expect(try await spool.add([large, large, small]) == [true, false, true])
        #expect(spool.level.condition == .full)
        #expect(!spool.level.takesMore)
        #expect(spool.level.bytes <= 40_000)
        let id = try #require(try await spool.oldest().first?.id)
        try await spool.remove([id])
        #expect(spool.level.takesMore)
        #expect(try await spool.add([large]) == [true])
    }

    @Test func `many that come at once do not pass the limit`() async throws {
        let spool = try TestSpool().open(limit: 50_000)
        let parcel = try Parcel.sample("event")
        let taken = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { try await spool.add([parcel]).count { $0 } } }
            return try await group.reduce(0, +)
        }
        #expect(taken == spool.level.batches)
        #expect(taken < 200 && spool.level.bytes <= 50_000)
    }

    @Test func `a second one in the same folder is refused, until the first is closed`() throws {
        let folder = TestSpool()
        let spool = try folder.open()
        #expect(throws: SpoolError.inUse(folder: folder.path)) { try folder.open() }
        spool.close()
        _ = try folder.open()
    }

    @Test func `only its owner may read folder and files, and an open folder is refused`() async throws {
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

    @Test func `memory and files stay small while much goes through`() async throws {
        let folder = TestSpool()
        let spool = try folder.open(limit: 64 << 20)
        let parcels = try (0..<100).map { try Parcel.sample("event \($0)", padding: 50_000) }
        for _ in 0..<2 {
            #expect(try await spool.add(parcels).allSatisfy { $0 })
            #expect(try folder.byteCount < spool.level.bytes * 5 / 4 + (16 << 20))
            while case let oldest = try await spool.oldest(), !oldest.isEmpty {
                #expect(oldest.count < 100)
                try await spool.remove(oldest.map(\.id))
            }
            try await spool.compact()
            #expect(try folder.byteCount < 64 << 10)
            #expect(spool.level.bytes == 0)
        }
    }
}
