internal import CensusCore
internal import Foundation
internal import GRDB

/// One SQLite file of the spool. It takes batches until it is full; after that, batches are only removed.
struct Segment: Sendable {
    /// The name of its file, such as `00000042.sqlite`.
    let name: String
    /// A row's id is its number plus this.
    let base: Int64
    var content = SegmentContent()
    /// Nil while the file is closed.
    var database: DatabaseQueue?

    var lastID: Int64 { base + content.last }

    /// - Returns: the number of the row with an id; nil if the row is in another segment.
    func number(of id: Int64) -> Int64? { id >= base + content.first && id <= lastID ? id - base : nil }
}

/// How much a segment holds.
struct SegmentContent: Hashable, Sendable {
    /// Valid row numbers: far more than any spool reaches. A larger number is damaged.
    static let numbers: Range<Int64> = 1..<1 << 53
    /// How many rows a segment takes, unless one transaction has more.
    static let mostRows: Int64 = 4_096

    /// The smallest number when the file was opened, and the largest assigned one.
    var first: Int64 = 1
    var last: Int64 = 0
    /// Batches that wait for the store.
    var waiting = 0
    var setAside = 0
    /// Bytes of both.
    var bytes = 0
    /// Whether the file might still have traces of removed batches.
    var isDirty = false

    var count: Int { waiting + setAside }

    /// - Parameter limit: in bytes of content; an empty segment takes more in one transaction.
    func takes(_ rows: [NewRow], of limit: Int) -> Bool {
        last == 0 || last + Int64(rows.count) <= SegmentContent.mostRows && bytes + rows.bytes <= limit
    }
}

/// A batch to be written.
struct NewRow: Sendable {
    var device: Data
    /// The version of the program that first wrote it.
    var program: String
    var payload: Data

    var bytes: Int { NewRow.bytes(payload: payload.count) }

    /// Returns the size that a row counts as: its payload, and an estimate of its overhead.
    static func bytes(payload: Int) -> Int { payload + 128 }
}

extension [NewRow] {
    var bytes: Int { reduce(0) { $0 + $1.bytes } }
}

extension Pseudonym {
    var data: Data { Data(bytes) }
}
