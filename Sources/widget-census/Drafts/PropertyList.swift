/// A value of an Xcode project file, which is an old-style property list.
indirect enum PropertyList: Sendable {
    case text(String)
    case list([PropertyList])
    case table([String: PropertyList])

    /// Nil if the text is something else.
    init?(_ text: String) {
        var reader = PropertyListReader(text)
        guard let value = reader.value(depth: 0) else { return nil }
        self = value
    }

    subscript(key: String) -> PropertyList? {
        guard case .table(let table) = self else { return nil }
        return table[key]
    }

    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    var list: [PropertyList] {
        guard case .list(let list) = self else { return [] }
        return list
    }

    var table: [String: PropertyList] {
        guard case .table(let table) = self else { return [:] }
        return table
    }
}

private struct PropertyListReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func value(depth: Int) -> PropertyList? {
        skipSpace()
        guard depth < 64, let byte else { return nil }
        switch byte {
        case UInt8(ascii: "{"): return table(depth)
        case UInt8(ascii: "("): return list(depth)
        default: return text().map(PropertyList.text)
        }
    }

    private mutating func table(_ depth: Int) -> PropertyList? {
        position += 1
        var table: [String: PropertyList] = [:]
        while true {
            if take("}") { return .table(table) }
            guard let key = text(), take("="), let value = value(depth: depth + 1), take(";") else { return nil }
            table[key] = value
        }
    }

    private mutating func list(_ depth: Int) -> PropertyList? {
        position += 1
        var list: [PropertyList] = []
        while true {
            if take(")") { return .list(list) }
            guard let value = value(depth: depth + 1) else { return nil }
            list.append(value)
            if !take(",") { return take(")") ? .list(list) : nil }
        }
    }

    private mutating func take(_ sign: Character) -> Bool {
        skipSpace()
        guard byte == sign.asciiValue else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte {
            if byte <= 0x20 {
                position += 1
            } else if bytes[position...].starts(with: "//".utf8) {
                while let byte = self.byte, byte != UInt8(ascii: "\n") { position += 1 }
            } else if bytes[position...].starts(with: "/*".utf8) {
                position += 2
                while self.byte != nil, !bytes[position...].starts(with: "*/".utf8) { position += 1 }
                position = min(position + 2, bytes.count)
            } else {
                return
            }
        }
    }

    private mutating func text() -> String? {
        skipSpace()
        if byte == UInt8(ascii: "\"") { return quoted() }
        let start = position
        while let byte, !"{}()=;, \t\r\n\"".utf8.contains(byte) { position += 1 }
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    private mutating func quoted() -> String? {
        position += 1
        var text: [UInt8] = []
        while let byte, byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
            text.append(bytes[position])
            position += 1
        }
        guard byte != nil else { return nil }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }
}
