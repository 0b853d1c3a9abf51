import CensusCore
import CensusStore
import Foundation
import GRDB
import PostgresTesting
import Testing

@testable import Spool

/// Files that a disk, a power cut or a person has damaged: the spool opens, has what can be read, and says what is lost.
@Suite struct `Damaged spools` {
    /// Any byte of its files may be another, or gone. What lies on no page that was hit comes back; nothing else does.
    @Test(arguments: UInt64(0)..<24)
    func `whatever is damaged it opens, and has every parcel that is on no damaged page`(
        seed: UInt64
    ) async throws {
        var random = Seeded(seed)
        let original = try await TestSpool.withParcels(&random)
        for round in 0..<6 {
            let hurt = try original.folder.cut()
            let damage = try hurt.damage(&random)
            let touched = damage.touches(original.parcels)
            let comment: Comment = "seed \(seed), round \(round): \(damage.description)"
            let spool = try hurt.open()
            let mendings = spool.takeMendings()
            let found = try await spool.allParcels()
            for (number, parcel) in original.parcels.enumerated() where !touched.contains(number) {
                #expect(found.intact.contains(parcel.bytes), "\(comment), parcel \(number)")
            }
            let known = Set(original.parcels.map(\.bytes))
            #expect(found.intact.isSubset(of: known), comment)
            // What is lost is said, and counted where neither the first rows nor the last number are lost. A log that is cut
            // between two commits, and a file that is away with its log, are as if there had been no more.
            let lost = original.parcels.indices.filter { !found.intact.contains(original.parcels[$0].bytes) }
            let first = original.parcels.indices.first { found.intact.contains(original.parcels[$0].bytes) }
            if !lost.isEmpty, !damage.cuts {
                #expect(!mendings.isEmpty || found.damaged > 0, "\(comment): \(lost.count) lost")
                let counted = lost.count { $0 > first ?? .max }
                let told = mendings.reduce(0) { $0 + $1.lost } + found.damaged
                if damage.hitsParcelsOnly(original.parcels), !damage.hitsLog {
                    #expect(told >= counted, "\(comment): \(counted) lost, \(told) told")
                }
            }
            #expect(spool.level.lost == mendings.reduce(0) { $0 + $1.lost })
            // And it serves.
            let next = try Parcel.sample("next")
            #expect(try await spool.add([next]) == [true], comment)
            spool.close()
            let again = try hurt.open()
            #expect(try await again.allParcels().intact.contains(next.bytes), comment)
            #expect(again.takeMendings() == [], comment)
            again.close()
        }
    }

    @Test func `one damaged page is put aside with its file under the time, and the rest waits for the store`()
        async throws
    {
        let folder = TestSpool()
        let spool = try folder.open()
        let parcels = try (0..<200).map { try Parcel.sample("event \($0)", device: "device \($0)") }
        _ = try await spool.add(parcels)
        try await spool.compact()
        spool.close()
        let file = folder.path + "/spool.sqlite"
        let start = try #require(SpoolBytes.positions(of: file, holding: parcels[100].pieces[0]).first)
        try SpoolBytes.overwrite(file, at: start / 4_096 * 4_096, with: [UInt8](repeating: 0xFF, count: 4_096))
        let before = try Data(contentsOf: URL(filePath: file))

        let again = try folder.open()
        let mending = try #require(again.takeMendings().first)
        let found = try await again.allParcels()
        #expect(found.intact.count == mending.brought)
        #expect(mending.brought > 150 && mending.brought < 200)
        #expect(mending.brought + mending.lost == 200)
        #expect(mending.reason.contains("SQLite can't use it"))
        #expect(mending.file.wholeMatch(of: /spool\.sqlite\.damaged-[0-9]{8}T[0-9]{6}Z/) != nil, "\(mending.file)")
        #expect(try Data(contentsOf: URL(filePath: folder.path + "/" + mending.file)) == before)
        #expect(again.damagedFiles == 1)
        try Data().write(to: URL(filePath: folder.path + "/" + mending.file + "-wal"))
        #expect(again.damagedFiles == 1, "a file counts once, with its log")
        #expect(again.level.batches == mending.brought)
        again.close()
        #expect(try folder.open().takeMendings() == [])
    }

    @Test func `a page that is damaged while the spool is in use is found and mended without a start`() async throws {
        let folder = TestSpool()
        let spool = try folder.open()
        let parcels = try (0..<300).map { try Parcel.sample("event \($0)", device: "device \($0)", padding: 16_000) }
        #expect(try await spool.add(parcels).allSatisfy { $0 })
        try await spool.compact()
        let file = folder.path + "/spool.sqlite"
        let start = try #require(SpoolBytes.positions(of: file, holding: parcels[50].pieces[0]).first)
        try SpoolBytes.overwrite(file, at: start / 4_096 * 4_096, with: [UInt8](repeating: 0xFF, count: 4_096))
        await #expect(throws: SpoolError.self) { try await spool.allParcels() }
        let found = try await spool.allParcels()
        let mending = try #require(spool.takeMendings().first)
        #expect(found.intact.count == mending.brought)
        #expect(mending.brought + mending.lost == 300)
        #expect(mending.lost > 0 && mending.lost < 30)
        #expect(spool.level.batches == mending.brought)
        #expect(try await spool.add([try .sample("next")]) == [true])
        spool.close()
    }

    @Test func `a file that is no spool, one of a newer layout, and none at all are put aside and left as they are`()
        async throws
    {
        let text =
            Data("this is not a database, and longer than its header would have to be: ".utf8) + Data(count: 4_096)
        for makesOther: @Sendable (String) throws -> Void in [
            { try text.write(to: URL(filePath: $0)) },
            { try Data([0x53]).write(to: URL(filePath: $0)) },
            { file in
                let other = try DatabaseQueue(path: file)
                try other.write { try $0.execute(sql: "create table other (id integer primary key, name text)") }
                try other.close()
            },
        ] {
            let folder = TestSpool()
            try folder.open().close()
            let file = folder.path + "/spool.sqlite"
            try FileManager.default.removeItem(atPath: file)
            try makesOther(file)
            let bytes = try Data(contentsOf: URL(filePath: file))
            let spool = try folder.open()
            let mending = try #require(spool.takeMendings().first)
            #expect(mending.brought == 0 && mending.lost == 0)
            #expect(try Data(contentsOf: URL(filePath: folder.path + "/" + mending.file)) == bytes)
            #expect(try await spool.add([try .sample("event")]) == [true])
            spool.close()
        }
        let folder = TestSpool()
        let spool = try folder.open()
        let parcel = try Parcel.sample("event")
        _ = try await spool.add([parcel])
        try await spool.database.write { try $0.execute(sql: "pragma user_version = 7") }
        spool.close()
        let next = try folder.open()
        #expect(next.takeMendings().first?.reason.contains("layout 7") == true)
        #expect(try await next.allParcels().intact == [parcel.bytes], "its parcels can be read all the same")
    }

    @Test func `a log whose file is missing, and a file of no length, give back what the log has`() async throws {
        for isEmpty in [true, false] {
            let folder = TestSpool()
            let spool = try folder.open()
            let parcels = try (0..<20).map { try Parcel.sample("event \($0)", padding: $0 * 700) }
            for parcel in parcels { _ = try await spool.add([parcel]) }
            let cut = try folder.cut()
            spool.close()
            let file = cut.path + "/spool.sqlite"
            try FileManager.default.removeItem(atPath: file)
            if isEmpty { try Data().write(to: URL(filePath: file)) }
            let again = try cut.open()
            #expect(try await again.allParcels().intact == Set(parcels.map(\.bytes)))
            #expect(again.takeMendings().first?.lost == 0)
            again.close()
        }
    }

    @Test func `a start that was cut off while it brought what is whole goes on where it was`() async throws {
        let folder = TestSpool()
        let spool = try folder.open()
        let parcels = try (0..<50).map { try Parcel.sample("event \($0)") }
        _ = try await spool.add(parcels)
        spool.close()
        // As it is left when the process ends between the two.
        let file = folder.path + "/spool.sqlite"
        try FileManager.default.moveItem(atPath: file, toPath: file + ".unread-20261122T064957Z")
        let half = try folder.open()
        #expect(try await half.allParcels().intact.count == 50)
        half.close()
        try FileManager.default.moveItem(
            atPath: file + ".damaged-20261122T064957Z", toPath: file + ".unread-20261122T064957Z")
        let again = try folder.open()
        #expect(try await again.allParcels().intact == Set(parcels.map(\.bytes)))
        #expect(again.level.batches == 50, "none of them twice")
        #expect(again.takeMendings().map(\.brought) == [0])
    }

    /// A row's image that was sent within an event must not be taken for a row.
    @Test func `what looks like a row within a parcel is none`() async throws {
        let secret = try Secret.test
        let forged = try Parcel.sample("forged", device: "another")
        let folder = TestSpool()
        let spool = try folder.open()
        _ = try await spool.add([try .sample("first")])
        try await spool.database.write { db in
            try db.execute(
                sql: "insert into parcel (device, program, payload) values (zeroblob(16), '1', ?)",
                arguments: [(Array(repeating: 0, count: 300) + Parcel.sealed(forged.bytes)).data])
            try db.execute(sql: "pragma user_version = 7")
        }
        spool.close()
        let again = try folder.open()
        #expect(try await again.allParcels().intact.count == 1)
        #expect(
            try await again.oldest().allSatisfy { (try? $0.content.get().device) != secret.device("another", app: "x") }
        )
        #expect(again.takeMendings().first?.damaged == 1)
    }
}

extension ParcelSpool {
    /// What can be read in it, and how much of it can't.
    fileprivate func allParcels() async throws -> (intact: Set<[UInt8]>, damaged: Int) {
        var (intact, damaged): (Set<[UInt8]>, Int) = ([], 0)
        var position: Int64 = 0
        while case let page = try await oldest(after: position), let last = page.last {
            for spooled in page {
                if let parcel = try? spooled.content.get() { intact.insert(parcel.bytes) } else { damaged += 1 }
            }
            position = last.id
        }
        return (intact, damaged)
    }
}

extension TestSpool {
    /// A spool in the midst of its life: some of it in the file, some in the log, small parcels and large ones.
    fileprivate static func withParcels(_ random: inout Seeded) async throws -> (folder: TestSpool, parcels: [Parcel]) {
        let folder = TestSpool()
        let spool = try folder.open()
        var parcels: [Parcel] = []
        let count = 20 + random.below(80)
        let compactedAt = random.below(count + 1)
        for number in 0..<count {
            let parcel = try Parcel.random("event \(number)", events: random.pick([1, 1, 1, 2, 5, 40]), &random)
            parcels.append(parcel)
            _ = try await spool.add([parcel])
            if number == compactedAt { try await spool.compact() }
        }
        return (try folder.cut(), parcels)
    }
}

extension Parcel {
    /// None of whose bytes stand in another one.
    fileprivate static func random(_ name: String, events: Int, _ random: inout Seeded) throws -> Parcel {
        let list = (0..<events).map { number in
            let noise = (0..<12).map { _ in String(random.next(), radix: 36) }.joined()
            return #"{"id":"\#(name)-\#(number)","type":"widget_opened","at":"2026-11-21T09:00:00Z","#
                + #""widget":{"kind":"weather","configuration":"\#(noise)"}}"#
        }
        let json = """
            {"sent_at":"2026-11-21T10:00:00Z","app":{"id":"com.example.weather","version":"1.0"},
            "device":{"id":"\(name)","platform":"ios"},"installation":{"id":"\(name)"},
            "events":[\(list.joined(separator: ","))]}
            """
        guard let received = Timestamp(rfc3339: "2026-11-21T10:00:00Z") else { preconditionFailure("no time") }
        let batch = try BatchDecoder(limits: Limits()).decode(Array(json.utf8), received: received)
        return Parcel(batch, appNumber: 7, secret: try .test, received: received)
    }
}

/// What was done to the files of a spool, by the pages of the file and the frames of the log.
private struct Damage {
    var description = ""
    /// The bytes of each damaged page before and after it was.
    var pages: [[UInt8]] = []
    /// Whether the end of a file is gone, or all of it.
    var cuts = false
    var hitsLog = false

    /// The parcels some of whose bytes stood on a damaged page.
    func touches(_ parcels: [Parcel]) -> Set<Int> {
        let damaged = pages.map { Data($0) }
        return Set(
            parcels.indices.filter { number in
                let pieces = parcels[number].pieces
                return damaged.contains { page in pieces.contains { page.range(of: $0) != nil } }
            })
    }

    /// Whether every page that was hit has a parcel or part of one.
    func hitsParcelsOnly(_ parcels: [Parcel]) -> Bool {
        let pieces = parcels.flatMap(\.pieces)
        return pages.allSatisfy { page in
            let page = Data(page)
            return pieces.contains { page.range(of: $0) != nil }
        }
    }
}

extension Parcel {
    /// What of it stands on each page, by SQLite's rule for rows that are longer than a page (fileformat2.html, section 1.6).
    fileprivate var pieces: [Data] {
        let payload = Data(bytes)
        let type = 12 + 2 * payload.count
        let header = 5 + (type < 128 ? 1 : type < 16_384 ? 2 : type < 2_097_152 ? 3 : 4)
        // The device, and the program's version: 1.2.3.
        let before = header + 16 + 5
        let row = before + payload.count
        let least = 4_084 * 32 / 255 - 23
        let kept = least + (row - least) % 4_092
        let local = row <= 4_061 ? row : kept <= 4_061 ? kept : least
        var pieces = [payload.prefix(local - before)]
        var start = local - before
        while start < payload.count {
            pieces.append(payload[start..<min(start + 4_092, payload.count)])
            start += 4_092
        }
        return pieces
    }
}

extension TestSpool {
    /// Does something to the file, its log or both.
    fileprivate func damage(_ random: inout Seeded) throws -> Damage {
        var damage = Damage()
        for _ in 0...random.below(3) {
            let isLog = random.chance(45)
            let file = path + (isLog ? "/spool.sqlite-wal" : "/spool.sqlite")
            guard let bytes = try? [UInt8](Data(contentsOf: URL(filePath: file))), !bytes.isEmpty else { continue }
            let (start, length) = isLog ? (32, 4_120) : (0, 4_096)
            func pages(_ range: Range<Int>) -> [[UInt8]] {
                stride(from: start, to: bytes.count, by: length)
                    .filter { $0 < range.upperBound && range.lowerBound < $0 + length }
                    .map { Array(bytes[$0..<min($0 + length, bytes.count)]) }
            }
            if isLog { damage.hitsLog = true }
            switch random.below(8) {
            case 0:
                let end = random.below(bytes.count)
                damage.description += "\(isLog ? "log" : "file") cut at \(end) of \(bytes.count); "
                damage.pages += pages(end..<bytes.count)
                damage.cuts = true
                try Data(bytes[..<end]).write(to: URL(filePath: file))
            case 1:
                damage.description += "\(isLog ? "log" : "file") removed; "
                damage.pages += pages(0..<bytes.count)
                damage.cuts = true
                try FileManager.default.removeItem(atPath: file)
            case 2:
                let page = random.below(bytes.count / length + 1) * length + start
                let range = min(page, bytes.count - 1)..<min(page + length, bytes.count)
                damage.description += "\(isLog ? "log" : "file") \(range) is noise; "
                damage.pages += pages(range)
                try SpoolBytes.overwrite(file, at: range.lowerBound, with: range.map { _ in UInt8(random.below(256)) })
            default:
                let position = random.chance(25) ? random.below(min(132, bytes.count)) : random.below(bytes.count)
                let flipped = bytes[position] ^ UInt8(1 << random.below(8))
                damage.description += "\(isLog ? "log" : "file") byte \(position) flipped; "
                damage.pages += pages(position..<position + 1)
                try SpoolBytes.overwrite(file, at: position, with: [flipped])
            }
        }
        return damage
    }
}

private enum SpoolBytes {
    static func overwrite(_ file: String, at offset: Int, with bytes: [UInt8]) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    /// Where some bytes begin.
    static func positions(of file: String, holding bytes: Data) throws -> [Int] {
        try Data(contentsOf: URL(filePath: file)).range(of: bytes).map { [$0.lowerBound] } ?? []
    }
}
