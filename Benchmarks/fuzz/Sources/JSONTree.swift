/// Parsed JSON that can be changed and written again; keys and values keep their spelling.
indirect enum JSONTree: Sendable {
    case object([(key: [UInt8], value: JSONTree)])
    case array([JSONTree])
    /// A string, number or word; after a mutation it can be anything.
    case token([UInt8])

    /// Reads JSON that is known to be valid.
    init(_ bytes: [UInt8]) {
        var position = 0
        self = JSONTree.read(bytes, &position)
    }

    private static func read(_ bytes: [UInt8], _ position: inout Int) -> JSONTree {
        skip(bytes, &position)
        switch bytes[position] {
        case UInt8(ascii: "{"):
            var members: [(key: [UInt8], value: JSONTree)] = []
            while next(bytes, &position, end: UInt8(ascii: "}")) {
                let key = token(bytes, &position)
                skip(bytes, &position)
                position += 1
                members.append((key, read(bytes, &position)))
            }
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [JSONTree] = []
            while next(bytes, &position, end: UInt8(ascii: "]")) { elements.append(read(bytes, &position)) }
            return .array(elements)
        default: return .token(token(bytes, &position))
        }
    }

    /// Skips a bracket or comma.
    private static func next(_ bytes: [UInt8], _ position: inout Int, end: UInt8) -> Bool {
        skip(bytes, &position)
        if bytes[position] != end { position += 1 }
        skip(bytes, &position)
        guard bytes[position] == end else { return true }
        position += 1
        return false
    }

    private static func token(_ bytes: [UInt8], _ position: inout Int) -> [UInt8] {
        let start = position
        if bytes[position] == UInt8(ascii: "\"") {
            position += 1
            while bytes[position] != UInt8(ascii: "\"") {
                position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
            }
            position += 1
        } else {
            let ends = Array(",]} \n\r\t".utf8)
            while position < bytes.count, !ends.contains(bytes[position]) { position += 1 }
        }
        return Array(bytes[start..<position])
    }

    private static func skip(_ bytes: [UInt8], _ position: inout Int) {
        while position < bytes.count, bytes[position] <= UInt8(ascii: " ") { position += 1 }
    }

    func write(to output: inout [UInt8]) {
        switch self {
        case .token(let bytes): output.append(contentsOf: bytes)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (position, element) in elements.enumerated() {
                if position > 0 { output.append(UInt8(ascii: ",")) }
                element.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (position, member) in members.enumerated() {
                if position > 0 { output.append(UInt8(ascii: ",")) }
                output.append(contentsOf: member.key)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }
}
