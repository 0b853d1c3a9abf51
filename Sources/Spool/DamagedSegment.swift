internal import CensusStore
internal import Foundation
internal import GRDB

/// What SQLite can still read of a damaged segment, row by row.
///
/// Each batch ends with a digest of its bytes: what SQLite returns is either as it was written, or counted as damaged.
struct DamagedSegment {
    /// How often reading may fail in a row until the rest is given up: more often than a segment has rows.
    private static let mostMisses = 16_384

    private let database: DatabaseQueue
    /// The number from which to go on.
    private var position: Int64 = 1
    private var misses = 0
    private var numbers: ClosedRange<Int64>?
    private var digests: Set<Data> = []
    /// Rows whose bytes are not those that were written.
    private(set) var damaged = 0

    init(_ database: DatabaseQueue) { self.database = database }

    /// How many rows there are at most between the first and the last that was read.
    var span: Int { numbers.map { Int($0.upperBound - $0.lowerBound) + 1 } ?? 0 }

    /// - Returns: the next rows, some MiB of them; none at the end.
    mutating func next() -> [NewRow] {
        var rows: [NewRow] = []
        var bytes = 0
        while misses < DamagedSegment.mostMisses {
            do {
                try database.inDatabase { db in
                    // Not by GRDB's means, which trust the file. Versions without segments called it `parcel`.
                    let table = try String.fetchOne(db, sql: "select name from sqlite_schema where name = 'parcel'")
                    let found = try Row.fetchCursor(
                        db, sql: "select id, program, payload from \(table ?? "batch") where id >= ? order by id",
                        arguments: [position])
                    while bytes < 4 << 20, let row = try found.next() {
                        misses = 0
                        guard let row = read(row) else { continue }
                        rows.append(row)
                        bytes += row.bytes
                    }
                }
                return rows
            } catch {
                guard (error as? DatabaseError)?.isDamage == true else { break }
                // Past the damaged page, however many rows were on it. A seek to its last row would still come to it.
                position += misses < 4_096 ? 1 : Int64(misses / 64)
                misses += 1
            }
        }
        return rows
    }

    private mutating func read(_ row: Row) -> NewRow? {
        let payload = Data.fromDatabaseValue(row["payload"]) ?? Data()
        let number = Int64.fromDatabaseValue(row["id"]) ?? 0
        if SegmentContent.numbers.contains(number) {
            position = max(position, number + 1)
            numbers = min(numbers?.lowerBound ?? number, number)...max(numbers?.upperBound ?? number, number)
        }
        guard let batch = try? Parcel(bytes: Array(payload)) else {
            damaged += 1
            return nil
        }
        // By way of a damaged page SQLite may come to a row twice.
        guard digests.insert(payload.suffix(8)).inserted else { return nil }
        return NewRow(
            device: batch.device.data, program: String.fromDatabaseValue(row["program"]) ?? "unknown", payload: payload)
    }
}
