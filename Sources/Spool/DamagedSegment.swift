internal import CensusStore
internal import Foundation
internal import GRDB

/// Reads what SQLite can still read of a damaged segment, row by row.
///
/// Each batch ends with a digest of its bytes, so a row is either as it was written, or counts as damaged.
struct DamagedSegment {
    private let database: DatabaseQueue
    private let select: String
    /// The number to continue from; nil at the end.
    private var position: Int64? = SegmentContent.numbers.lowerBound
    private var numbers: ClosedRange<Int64>?
    private var digests: Set<Data> = []
    /// How many rows have bytes that differ from those written.
    private(set) var damaged = 0

    init(_ database: DatabaseQueue) {
        self.database = database
        // Not by GRDB's functions, which trust the file. Versions without segments called the table `parcel`.
        let table = try? database.inDatabase { db in
            try String.fetchOne(db, sql: "select name from sqlite_schema where name = 'parcel'")
        }
        select = "select id, program, payload from \(table ?? "batch") where id >= ? order by id limit ?"
    }

    /// The largest possible number of rows between the first and the last that was read.
    var span: Int { numbers.map { Int($0.upperBound - $0.lowerBound) + 1 } ?? 0 }

    /// - Returns: the next rows, a few MiB; none at the end.
    mutating func next() -> [NewRow] {
        var rows: [NewRow] = []
        var bytes = 0
        while bytes < 4 << 20, let begun = position {
            do {
                try database.inDatabase { db in
                    let found = try Row.fetchCursor(db, sql: select, arguments: [begun, -1])
                    while bytes < 4 << 20 {
                        guard let row = try found.next() else { return position = nil }
                        guard let row = read(row) else { continue }
                        rows.append(row)
                        bytes += row.bytes
                    }
                }
            } catch {
                position = position.flatMap(firstReadable)
            }
        }
        return rows
    }

    private mutating func read(_ row: Row) -> NewRow? {
        let payload = Data.fromDatabaseValue(row["payload"]) ?? Data()
        if let number = Int64.fromDatabaseValue(row["id"]), SegmentContent.numbers.contains(number) {
            position = position.map { max($0, number + 1) }
            numbers = min(numbers?.lowerBound ?? number, number)...max(numbers?.upperBound ?? number, number)
        }
        guard let batch = try? BatchRows(bytes: Array(payload)) else {
            damaged += 1
            return nil
        }
        // Through a damaged page SQLite can reach a row twice.
        guard digests.insert(payload.suffix(8)).inserted else { return nil }
        return NewRow(
            device: batch.device.data, program: String.fromDatabaseValue(row["program"]) ?? "unknown", payload: payload)
    }

    /// Returns the next number from which SQLite can read, after one from which it can't.
    private func firstReadable(after number: Int64) -> Int64? {
        // Try as many numbers as a segment has, to find readable rows between damaged pages.
        let near = number + SegmentContent.mostRows
        if let first = (number + 1...near).first(where: canRead) { return first }
        // The single file of earlier versions might have lost more, and its numbers begin anywhere.
        var (last, step) = (near, Int64(1))
        while last + step < SegmentContent.numbers.upperBound, !canRead(from: last + step) {
            last += step
            step *= 2
        }
        guard last + step < SegmentContent.numbers.upperBound else { return nil }
        var first = last + step
        while first - last > 1 {
            let middle = last + (first - last) / 2
            if canRead(from: middle) { first = middle } else { last = middle }
        }
        return first
    }

    private func canRead(from number: Int64) -> Bool {
        (try? database.inDatabase { db in
            _ = try Row.fetchOne(db.cachedStatement(sql: select), arguments: [number, 1])
        }) != nil
    }
}
