/// One row of a table, read from a leaf page of its tree (sqlite.org/fileformat2.html, sections 1.6 and 2.1).
struct LeafCell {
    enum Value {
        case null
        case integer(Int64)
        case text(Range<Int>)
        case blob(Range<Int>)
        case other
    }

    let rowID: Int64
    /// The columns' values; ranges are in the record's bytes.
    let values: [Value]
    private let length: Int
    private let local: ArraySlice<UInt8>
    private let overflow: UInt32

    /// Longer rows are not ours: a batch is 8 MiB at most.
    private static let longest = 64 << 20

    /// The cells that a page's pointers point to; none when it is not a table's leaf. Bytes within a sender's data that only
    /// look like a cell are none.
    static func all(on page: [UInt8], isFirst: Bool) -> [LeafCell?] {
        let start = isFirst ? 100 : 0
        guard page.count > start + 8, page[start] == 0x0D else { return [] }
        let count = Int(page[start + 3]) << 8 | Int(page[start + 4])
        guard start + 8 + 2 * count <= page.count else { return [] }
        return (0..<count).map { index in
            let pointer = start + 8 + 2 * index
            let offset = Int(page[pointer]) << 8 | Int(page[pointer + 1])
            return offset < start + 8 + 2 * count ? nil : LeafCell(page, at: offset)
        }
    }

    private init?(_ page: [UInt8], at start: Int) {
        var offset = start
        guard let length = page.varint(&offset).flatMap({ Int(exactly: $0) }), length > 0, length <= LeafCell.longest,
            let rowID = page.varint(&offset)
        else { return nil }
        self.rowID = rowID
        self.length = length
        let most = page.count - 35
        let least = (page.count - 12) * 32 / 255 - 23
        let kept = least + (length - least) % (page.count - 4)
        let localCount = length <= most ? length : kept <= most ? kept : least
        let end = offset + localCount + (length > most ? 4 : 0)
        guard localCount > 0, end <= page.count else { return nil }
        local = page[offset..<offset + localCount]
        overflow = length > most ? page.number(at: offset + localCount) : 0
        guard let values = LeafCell.values(Array(local), of: length) else { return nil }
        self.values = values
    }

    private static func values(_ record: [UInt8], of length: Int) -> [Value]? {
        var offset = 0
        guard let end = record.varint(&offset).flatMap({ Int(exactly: $0) }), end <= record.count, end <= 64 else {
            return nil
        }
        var values: [Value] = []
        var body = end
        while offset < end {
            guard let type = record.varint(&offset), type >= 0, type <= Int64(longest) * 2 + 13 else { return nil }
            let count: Int
            switch type {
            case 0, 8, 9, 10, 11: count = 0
            case 7: count = 8
            case 1...6: count = [1, 2, 3, 4, 6, 8][Int(type) - 1]
            default: count = Int(type - 12) / 2
            }
            switch type {
            case 0: values.append(.null)
            case 1...6:
                guard body + count <= record.count else { return nil }
                let first = Int64(Int8(bitPattern: record[body]))
                values.append(.integer(record[(body + 1)..<(body + count)].reduce(first) { $0 << 8 | Int64($1) }))
            case 8, 9: values.append(.integer(type - 8))
            case 12...:
                values.append(type.isMultiple(of: 2) ? .blob(body..<body + count) : .text(body..<body + count))
            default: values.append(.other)
            }
            body += count
        }
        return offset == end && body == length ? values : nil
    }

    /// All of the row's bytes, as far as they can be read.
    func record(in image: DatabaseImage, inLog: Bool) -> [UInt8] {
        var bytes = Array(local)
        bytes.reserveCapacity(length)
        var next = overflow
        while bytes.count < length, next > 0 {
            let page = image.page(next, inLog: inLog)
            guard page.count > 4 else { break }
            next = page.number(at: 0)
            bytes += page[4...].prefix(length - bytes.count)
        }
        return bytes
    }

    var hasOverflow: Bool { overflow > 0 }
}

extension [UInt8] {
    /// SQLite's variable-length number, the highest bits first.
    fileprivate func varint(_ offset: inout Int) -> Int64? {
        var number: UInt64 = 0
        for position in 0..<9 {
            guard offset >= 0, offset < count else { return nil }
            let byte = self[offset]
            offset += 1
            if position == 8 { return Int64(bitPattern: number << 8 | UInt64(byte)) }
            number = number << 7 | UInt64(byte & 0x7F)
            if byte & 0x80 == 0 { return Int64(bitPattern: number) }
        }
        return nil
    }
}
