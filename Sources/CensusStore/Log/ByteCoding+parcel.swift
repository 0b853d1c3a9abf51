internal import CensusCore

// What a parcel holds beside numbers and bytes.

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

    mutating func readUnsigned() throws(Malformed) -> Int {
        guard let number = Int(exactly: try readNumber()) else { throw Malformed() }
        return number
    }
}
