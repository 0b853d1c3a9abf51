internal import CensusStore

/// Looks for parcels in a spool's files that SQLite can't read, or should not.
///
/// Each parcel carries its own digest: whichever page it is found on, and whatever happened to the rest of the file, it is
/// either unchanged or not taken. Removed parcels may turn up again if the log still has them; that changes nothing, since the
/// store has them.
struct Salvage {
    struct Find {
        var parcel: Parcel
        var payload: [UInt8]
        var program: String
    }

    private let main: RawFile?
    private let log: RawFile?
    private var whole: Set<Int64> = []
    private var broken: Set<Int64> = []
    private var last: Int64?

    init(main: String, log: String) {
        self.main = RawFile(main)
        self.log = RawFile(log)
    }

    /// Rows that were found but could not be read.
    var damaged: Int { broken.subtracting(whole).count }

    /// Numbers between the first row and the last that no row has: those on lost pages, and, if an older one was set aside, those
    /// that the store has.
    var missing: Int {
        // Numbers may be damaged, too: none can be larger than the last one given, or than a spool ever reaches.
        let largest = last ?? Salvage.largestNumber
        let seen = whole.union(broken).filter { $0 > 0 && $0 <= largest }
        guard let first = seen.min(), let end = last ?? seen.max() else { return 0 }
        return max(0, Int(end - first) + 1 - seen.count)
    }

    /// Far more than any spool will reach; a larger number is damaged.
    static let largestNumber: Int64 = 1 << 53

    /// Calls `body` with each parcel that can be read, with some of them more than once.
    mutating func forEach(_ body: (Find) throws -> Void) rethrows {
        for pageSize in DatabaseImage.pageSizes(main: main, log: log).sorted() {
            let image = DatabaseImage(main: main, log: log, pageSize: pageSize)
            try image.forEachPage { page, isFirst in
                for case .some(let cell) in LeafCell.all(on: page, isFirst: isFirst) {
                    noteSequence(cell, image)
                    guard let find = find(cell, image) else {
                        if cell.isOurs { broken.insert(cell.rowID) }
                        continue
                    }
                    whole.insert(cell.rowID)
                    try body(find)
                }
            }
        }
    }

    private func find(_ cell: LeafCell, _ image: DatabaseImage) -> Find? {
        guard cell.values.contains(where: { if case .blob(let range) = $0 { range.count > 40 } else { false } }) else {
            return nil
        }
        // A page may have been used again since: its newest image first, then the file's.
        for inLog in cell.hasOverflow ? [true, false] : [true] {
            let record = cell.record(in: image, inLog: inLog)
            for case .blob(let range) in cell.values where range.count > 40 && range.upperBound <= record.count {
                let payload = Array(record[range])
                guard let parcel = try? Parcel(bytes: payload) else { continue }
                return Find(parcel: parcel, payload: payload, program: cell.program(record))
            }
        }
        return nil
    }

    /// The row of `sqlite_sequence`, which has the last number that was given.
    private mutating func noteSequence(_ cell: LeafCell, _ image: DatabaseImage) {
        guard cell.values.count == 2, case .text(let name) = cell.values[0], case .integer(let number) = cell.values[1],
            number > 0, number < Salvage.largestNumber
        else { return }
        let record = cell.record(in: image, inLog: true)
        guard name.upperBound <= record.count, Array(record[name]) == Array("parcel".utf8) else { return }
        last = max(last ?? 0, number)
    }
}

extension LeafCell {
    /// Whether the row is made as those of the table `parcel`.
    fileprivate var isOurs: Bool {
        guard values.count == 5, case .null = values[0], case .blob(let device) = values[1], device.count == 16,
            case .text = values[2], case .blob = values[3]
        else { return false }
        return true
    }

    /// The version of the program that wrote the row.
    fileprivate func program(_ record: [UInt8]) -> String {
        guard isOurs, case .text(let range) = values[2], range.upperBound <= record.count else { return "unknown" }
        return String(decoding: record[range], as: UTF8.self)
    }
}
