import CensusCore
import CensusStore
import Foundation
import GRDB
import PostgresTesting
import Testing

@testable import Spool

/// Files damaged by a disk, a power cut or a person: the spool returns what SQLite can read and counts the rest.
@Suite struct `Damaged spools` {
    /// Random damage to the files of a killed process, checked against a record beside the spool and a plain reader of
    /// SQLite files.
    @Test(arguments: UInt64(0)..<16)
    func `a damaged spool returns what SQLite can read and counts the rest`(seed: UInt64) async throws {
        var random = Seeded(seed)
        let life = try await SpoolLife(&random)
        for round in 0..<6 {
            let hurt = try life.folder.cut()
            var hits: Set<String> = []
            var comment = "seed \(seed), round \(round): "
            for _ in 0..<random.below(4) { comment += try hurt.damage(&random, &hits) }
            let readable = try hurt.readableBatches()
            let spool = try hurt.open()
            let damage = spool.takeDamage()
            let found = try await spool.allBatches()
            #expect(found.intact.isSubset(of: life.added), "\(comment)nothing is invented")
            let unread = readable.intersection(life.waiting).subtracting(found.intact).count
            #expect(
                unread == 0,
                "\(comment)\(unread) of \(readable.count) readable are missing, \(found.intact.count) are there")
            for (name, batches) in life.batches where !hits.contains(name) {
                #expect(batches.isSubset(of: found.intact), "\(comment)\(name) was not touched")
            }
            let lost = life.waiting.subtracting(found.intact).count
            let told = damage.reduce(0) { $0 + $1.lost } + found.damaged
            #expect(told >= lost, "\(comment)\(lost) lost, \(told) counted")
            #expect(!hits.isEmpty || damage.isEmpty && found.intact == life.waiting, "\(comment)nothing was damaged")
            #expect(spool.level.lost == damage.reduce(0) { $0 + $1.lost })
            // The spool still accepts batches.
            let next = try BatchRows.sample("next")
            #expect(try await spool.add([next]) == [true], "\(comment)")
            spool.close()
            let again = try hurt.open()
            #expect(try await again.allBatches().intact == found.intact.union([next.bytes]), "\(comment)")
            #expect(again.takeDamage() == [], "\(comment)")
            again.close()
        }
    }

    @Test func `a file with a damaged page is kept under a timestamp, and its other batches are recovered`()
        async throws
    {
        let folder = TestSpool()
        let spool = try folder.open()
        let batches = try (0..<200).map { try BatchRows.sample("event \($0)", device: "device \($0)") }
        _ = try await spool.add(batches)
        spool.close()
        let file = folder.path + "/00000001.sqlite"
        try SpoolBytes.spoilPage(of: file, holding: batches[100])
        let before = try Data(contentsOf: URL(filePath: file))

        let again = try folder.open()
        let damage = try #require(again.takeDamage().first)
        let found = try await again.allBatches()
        #expect(found.intact.count == damage.brought)
        #expect(damage.brought > 150 && damage.brought < 200)
        #expect(damage.brought + damage.lost == 200)
        #expect(damage.reason.contains("SQLite can't use it"))
        #expect(damage.file.wholeMatch(of: /00000001\.sqlite\.damaged-[0-9]{8}T[0-9]{6}Z/) != nil, "\(damage.file)")
        #expect(try Data(contentsOf: URL(filePath: folder.path + "/" + damage.file)) == before)
        #expect(again.damagedFiles == 1)
        try Data().write(to: URL(filePath: folder.path + "/" + damage.file + "-wal"))
        #expect(again.damagedFiles == 1, "a file counts once, with its log")
        #expect(again.level.batches == damage.brought)
        again.close()
        #expect(try folder.open().takeDamage() == [])
    }

    @Test func `an open spool recovers from a damaged page without a restart`() async throws {
        let folder = TestSpool()
        let spool = try folder.open()
        let batches = try (0..<300).map { try BatchRows.sample("event \($0)", device: "device \($0)", padding: 16_000) }
        for batch in batches { #expect(try await spool.add([batch]) == [true]) }
        let file = folder.path + "/00000001.sqlite"
        try SpoolBytes.spoilPage(of: file, holding: batches[50])
        await #expect(throws: SpoolError.self) { try await spool.allBatches() }
        let found = try await spool.allBatches()
        let damage = try #require(spool.takeDamage().first)
        #expect(found.intact.count == 300 - damage.lost)
        #expect(damage.lost > 0 && damage.lost < 30)
        #expect(spool.level.batches == 300 - damage.lost)
        #expect(try await spool.add([try .sample("next")]) == [true])
        spool.close()
    }

    @Test func `a file that isn't a spool or has a newer layout is kept unchanged under another name`()
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
            try makesOther(file)
            let bytes = try Data(contentsOf: URL(filePath: file))
            let spool = try folder.open()
            let damage = try #require(spool.takeDamage().first)
            #expect(damage.brought == 0 && damage.lost == 0)
            #expect(try Data(contentsOf: URL(filePath: folder.path + "/" + damage.file)) == bytes)
            #expect(try await spool.add([try .sample("event")]) == [true])
            spool.close()
        }
        let folder = TestSpool()
        let spool = try folder.open()
        let batch = try BatchRows.sample("event")
        _ = try await spool.add([batch])
        try await spool.execute("pragma user_version = 7")
        spool.close()
        let next = try folder.open()
        #expect(next.takeDamage().first?.reason.contains("layout 7") == true)
        #expect(try await next.allBatches().intact == [batch.bytes], "its batches are readable anyway")
    }

    @Test func `the batches of a segment that is missing, empty or without its log count as lost`() async throws {
        for harm: @Sendable (String) throws -> Void in [
            { try FileManager.default.removeItem(atPath: $0) },
            { try Data().write(to: URL(filePath: $0)) },
            { try FileManager.default.removeItem(atPath: $0 + "-wal") },
            { try Data(count: 100).write(to: URL(filePath: $0 + "-wal")) },
        ] {
            let folder = TestSpool()
            let spool = try folder.open()
            for number in 0..<20 {
                _ = try await spool.add([try .sample("event \(number)", padding: number * 700)])
                if number == 9 { try await spool.remove(spool.oldest(count: 5).map(\.id)) }
            }
            let cut = try folder.cut()
            spool.close()
            try harm(cut.path + "/00000001.sqlite")
            let again = try cut.open()
            let damage = try #require(again.takeDamage().first)
            #expect(try await again.allBatches().intact.count + damage.lost >= 15)
            #expect(damage.lost <= 20)
            again.close()
            #expect(try cut.open().takeDamage() == [])
        }
    }

    @Test func `an interrupted recovery returns batches twice rather than losing them`() async throws {
        let folder = TestSpool()
        let spool = try folder.open()
        let batches = try (0..<200).map { try BatchRows.sample("event \($0)") }
        _ = try await spool.add(batches)
        spool.close()
        try SpoolBytes.spoilPage(of: folder.path + "/00000001.sqlite", holding: batches[100])
        let half = try folder.open()
        let damage = try #require(half.takeDamage().first)
        half.close()
        // The state after a process that ended before it renamed the file.
        for suffix in ["", "-batches"] {
            try FileManager.default.moveItem(
                atPath: "\(folder.path)/\(damage.file)\(suffix)", toPath: "\(folder.path)/00000001.sqlite\(suffix)")
        }
        let again = try folder.open()
        #expect(again.takeDamage().map(\.lost) == [damage.lost])
        #expect(again.level.batches == 2 * damage.brought)
        #expect(try await again.allBatches().intact.count == damage.brought)
        again.close()
    }

    /// SQLite reads the rows of that page twice, and those of another page not at all.
    @Test func `a page that is in the file's tree twice doesn't hide the loss of another`() async throws {
        let folder = TestSpool()
        let spool = try folder.open()
        _ = try await spool.add((0..<200).map { try .sample("event \($0)") })
        let root = try #require(try await spool.value(of: "select rootpage from sqlite_schema where name = 'batch'"))
        spool.close()
        let file = folder.path + "/00000001.sqlite"
        let start = try #require(Int(root).map { ($0 - 1) * 4_096 })
        let page = try Data(contentsOf: URL(filePath: file)).dropFirst(start).prefix(4_096).map(\.self)
        // An inner page: its cells begin with the number of another page, and their offsets follow its 12-byte header.
        try #require(page[0] == 5)
        let cells = [12, 14].map { Int(page[$0]) << 8 | Int(page[$0 + 1]) }
        try SpoolBytes.overwrite(file, at: start + cells[0], with: Array(page[cells[1]..<cells[1] + 4]))
        let again = try folder.open()
        let damage = try #require(again.takeDamage().first)
        let found = try await again.allBatches().intact.count
        #expect(found < 200)
        #expect(damage.brought == found)
        #expect(damage.lost == 200 - found)
        again.close()
    }

    /// SQLite has no checksums, so it can return changed bytes.
    @Test func `a batch whose bytes have changed is counted and not recovered`() async throws {
        let folder = TestSpool()
        let spool = try folder.open()
        _ = try await spool.add([try .sample("first"), try .sample("second")])
        try await spool.execute("update batch set payload = zeroblob(200) where id = 2; pragma user_version = 7")
        spool.close()
        let again = try folder.open()
        #expect(try await again.allBatches().intact.count == 1)
        #expect(again.takeDamage().first?.damaged == 1)
    }
}

/// A spool in use, and a record of it that doesn't depend on files.
private struct SpoolLife {
    /// The files as a killed process leaves them.
    let folder: TestSpool
    var added: Set<[UInt8]> = []
    /// Acknowledged, and not removed since.
    var waiting: Set<[UInt8]> = []
    /// The same batches, by segment.
    var batches: [String: Set<[UInt8]>] = [:]

    init(_ random: inout Seeded) async throws {
        let folder = TestSpool()
        var spool = try folder.open(segmentBytes: random.pick([4 << 20, 100_000, 20_000]))
        for number in 0..<20 + random.below(60) {
            switch random.below(12) {
            case 0:
                let oldest = try await spool.oldest(after: Int64(random.below(number + 1)), count: 1 + random.below(20))
                try await spool.remove(oldest.map(\.id))
                for batch in oldest { waiting.remove(try batch.content.get().bytes) }
            case 1:
                if let oldest = try await spool.oldest().first { try await spool.setAside(oldest.id, "a reason") }
            case 2:
                try await spool.compact()
            case 3 where random.chance(30):
                spool.close()
                spool = try folder.open(segmentBytes: 50_000)
                #expect(spool.takeDamage() == [])
            default:
                let group = try (0..<random.pick([1, 1, 1, 10])).map { part in
                    try BatchRows.random("event \(number)-\(part)", events: random.pick([1, 1, 1, 2, 5, 40]), &random)
                }
                #expect(try await spool.add(group).allSatisfy { $0 })
                added.formUnion(group.map(\.bytes))
                waiting.formUnion(group.map(\.bytes))
            }
        }
        self.folder = try folder.cut()
        spool.close()
        for name in try self.folder.segments() {
            batches[name] = try self.folder.cut().readableBatches(of: name)
        }
        #expect(batches.values.reduce(into: []) { $0.formUnion($1) } == waiting)
    }
}

extension BatchSpool {
    /// The readable batches, and the number of damaged ones.
    fileprivate func allBatches() async throws -> (intact: Set<[UInt8]>, damaged: Int) {
        var (intact, damaged): (Set<[UInt8]>, Int) = ([], 0)
        var position: Int64 = 0
        while case let page = try oldest(after: position), let last = page.last {
            for spooled in page {
                if let batch = try? spooled.content.get() { intact.insert(batch.bytes) } else { damaged += 1 }
            }
            position = last.id
        }
        return (intact, damaged)
    }
}

extension BatchRows {
    /// A batch that shares no random bytes with another.
    fileprivate static func random(_ name: String, events: Int, _ random: inout Seeded) throws -> BatchRows {
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
        return BatchRows(batch, appNumber: 7, secret: try .test, received: received)
    }
}

extension TestSpool {
    func segments() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".sqlite") }.sorted()
    }

    /// The batches that SQLite can read in a copy of all segments, forward or backward.
    fileprivate func readableBatches() throws -> Set<[UInt8]> {
        let copy = try cut()
        return try copy.segments().reduce(into: []) { $0.formUnion(try copy.readableBatches(of: $1)) }
    }

    fileprivate func readableBatches(of segment: String) throws -> Set<[UInt8]> {
        var batches: Set<[UInt8]> = []
        guard let database = try? DatabaseQueue(path: "\(path)/\(segment)") else { return [] }
        for order in ["asc", "desc"] {
            try? database.inDatabase { db in
                let rows = try Row.fetchCursor(db, sql: "select payload from batch order by id \(order)")
                while let row = try rows.next() {
                    guard let payload = Data.fromDatabaseValue(row[0]) else { continue }
                    if let batch = try? BatchRows(bytes: Array(payload)) { batches.insert(batch.bytes) }
                }
            }
        }
        try? database.close()
        return batches
    }

    /// Damages one of SQLite's files.
    ///
    /// - Returns: a description of the damage.
    fileprivate func damage(_ random: inout Seeded, _ hits: inout Set<String>) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            .filter { $0.hasSuffix(".sqlite") || $0.hasSuffix("-wal") }
        guard !names.isEmpty else { return "" }
        let name = random.pick(names)
        let file = "\(path)/\(name)"
        guard let bytes = try? [UInt8](Data(contentsOf: URL(filePath: file))), !bytes.isEmpty else { return "" }
        hits.insert(name.replacing("-wal", with: ""))
        let (start, length) = name.hasSuffix("-wal") ? (32, 4_120) : (0, 4_096)
        switch random.below(8) {
        case 0:
            let end = random.below(bytes.count)
            try Data(bytes[..<end]).write(to: URL(filePath: file))
            return "\(name) cut at \(end) of \(bytes.count); "
        case 1:
            try FileManager.default.removeItem(atPath: file)
            return "\(name) removed; "
        case 2:
            let page = random.below(bytes.count / length + 1) * length + start
            let range = min(page, bytes.count - 1)..<min(page + length, bytes.count)
            let isNoise = random.chance(50)
            try SpoolBytes.overwrite(
                file, at: range.lowerBound, with: range.map { _ in isNoise ? UInt8(random.below(256)) : 0 })
            return "\(name) \(range) is \(isNoise ? "noise" : "zero"); "
        default:
            let position = random.chance(25) ? random.below(min(132, bytes.count)) : random.below(bytes.count)
            try SpoolBytes.overwrite(file, at: position, with: [bytes[position] ^ UInt8(1 << random.below(8))])
            return "\(name) byte \(position) flipped; "
        }
    }
}

private enum SpoolBytes {
    static func overwrite(_ file: String, at offset: Int, with bytes: [UInt8]) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    /// Overwrites the page on which a batch begins.
    static func spoilPage(of file: String, holding batch: BatchRows) throws {
        let place = try #require(try Data(contentsOf: URL(filePath: file)).range(of: Data(batch.bytes.prefix(17))))
        try overwrite(file, at: place.lowerBound / 4_096 * 4_096, with: [UInt8](repeating: 0xFF, count: 4_096))
    }
}
