internal import CensusCore
internal import Postgres

// The types in a batch other than numbers and bytes.

extension ByteWriter {
    mutating func write(_ texts: [String]) {
        write(UInt64(texts.count))
        for text in texts { write(Array(text.utf8)) }
    }
}

extension ByteReader {
    mutating func readTexts() throws(Malformed) -> [String] {
        var texts: [String] = []
        for _ in 0..<(try readNumber()) { texts.append(String(decoding: try readBytes(), as: UTF8.self)) }
        return texts
    }

    mutating func readPseudonym() throws(Malformed) -> Pseudonym {
        guard let pseudonym = Pseudonym(bytes: try readPlain(16)) else { throw Malformed() }
        return pseudonym
    }

    mutating func readRows(of columns: Int) throws(Malformed) -> CopyRows {
        let count = try readUnsigned()
        guard let rows = CopyRows(columns: columns, count: count, bytes: try readBytes()) else { throw Malformed() }
        return rows
    }
}

extension Arrival {
    func write(to writer: inout ByteWriter) {
        writer.write(earliestAt.microseconds)
        writer.write(occurredFrom.microseconds)
        writer.write(UInt64(reads.count))
        for (quarter, count) in reads.sorted(by: { $0.key < $1.key }) {
            writer.write(quarter.microseconds)
            writer.write(count.reads)
            writer.write(count.failed)
        }
    }

    /// Reads what ``write(to:)`` wrote.
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(
            earliestAt: Timestamp(microseconds: try reader.readSigned()),
            occurredFrom: Timestamp(microseconds: try reader.readSigned()))
        for _ in 0..<(try reader.readNumber()) {
            let quarter = Timestamp(microseconds: try reader.readSigned())
            reads[quarter] = ReadCount(reads: try reader.readSigned(), failed: try reader.readSigned())
        }
    }
}
