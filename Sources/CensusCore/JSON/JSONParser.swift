/// Parses bytes into the nodes of a ``JSONDocument``, without recursion, so that a setting limits the depth and not the stack.
///
/// Not copyable, because retaining and releasing its arrays for each byte took fifteen times as long as the parsing.
struct JSONParser: ~Copyable {
    private let bytes: [UInt8]
    private let maximumDepth: Int
    private let allowsHalfSurrogates: Bool
    private var position = 0
    private var nodes: [JSONDocument.Node] = []
    /// The open arrays and objects, outermost first.
    private var open: [Int] = []
    /// For each open container, its linked keys so far.
    private var known: [KnownMembers] = []
    /// A buffer for a name with its escapes resolved.
    private var scratch: [UInt8] = []

    /// The chain of an object's keys for lookups: its first key, then the first key of each known name, linked by
    /// ``JSONDocument/Node/next``.
    private struct KnownMembers {
        /// A bit for each of ``JSONNames/all``.
        var names: UInt64 = 0
        /// Nil before the first member.
        var latest: Int?
    }

    init(_ bytes: [UInt8], maximumDepth: Int, allowsHalfSurrogates: Bool) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.allowsHalfSurrogates = allowsHalfSurrogates
    }

    mutating func parse() throws(JSONError) -> [JSONDocument.Node] {
        guard bytes.count < Int(UInt32.max) else { throw failure("the document is larger than 4 GiB") }
        if let invalid = JSONString.firstInvalidByte(in: bytes) {
            position = invalid
            throw failure("the text is not valid UTF-8")
        }
        nodes.reserveCapacity(bytes.count < JSONParser.many ? bytes.count / 12 + 1 : mostNodes)
        skipSpace()
        try value()
        while let container = open.last {
            try continueContainer(container)
        }
        skipSpace()
        guard position == bytes.count else { throw failure("unexpected content after the document") }
        return nodes
    }

    /// From this many bytes on, counting nodes first pays off, because an array that doubles briefly takes three times its
    /// size.
    private static let many = 64 << 10

    /// An upper bound of the number of nodes: every value and key follows one of four characters, which can also occur in
    /// strings. Reserved but unused capacity takes no memory.
    private var mostNodes: Int {
        bytes.withUnsafeBufferPointer { bytes in
            var count = 1
            for byte in bytes {
                switch byte {
                case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"): count += 1
                default: break
                }
            }
            return count
        }
    }

    /// Parses the next entry of the innermost container, or its end.
    private mutating func continueContainer(_ container: Int) throws(JSONError) {
        let isObject = nodes[container].kind == .object
        let closing = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        let isFirst = nodes.count == container + 1
        skipSpace()
        if peek() == closing {
            position += 1
            nodes[container].end = UInt32(position)
            nodes[container].next = UInt32(nodes.count)
            open.removeLast()
            known.removeLast()
            return
        }
        if !isFirst {
            guard take(UInt8(ascii: ",")) else {
                throw failure(isObject ? "expected ',' or '}'" : "expected ',' or ']'")
            }
            skipSpace()
        }
        if isObject {
            guard peek() == UInt8(ascii: "\"") else { throw failure("expected a key in double quotes") }
            try string()
            noteKey()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw failure("expected ':'") }
            skipSpace()
        }
        try value()
    }

    private mutating func value() throws(JSONError) {
        switch peek() {
        case UInt8(ascii: "{"): try container(.object)
        case UInt8(ascii: "["): try container(.array)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try literal("true", .true)
        case UInt8(ascii: "f"): try literal("false", .false)
        case UInt8(ascii: "n"): try literal("null", .null)
        case nil: throw failure("unexpected end of the document")
        case .some(UInt8(ascii: "-")), .some(0x30...0x39): try number()
        default: throw failure("expected a value")
        }
    }

    private mutating func container(_ kind: JSONDocument.Kind) throws(JSONError) {
        guard open.count < maximumDepth else {
            throw JSONError(reason: .tooDeep(limit: maximumDepth), offset: position, pointer: pointer())
        }
        open.append(nodes.count)
        known.append(KnownMembers())
        nodes.append(.init(kind: kind, start: UInt32(position), end: 0, next: 0))
        position += 1
    }

    /// Links the key that was just parsed to those before it, if lookups need it.
    private mutating func noteKey() {
        let (key, object) = (nodes.count - 1, known.count - 1)
        nodes[key].next = JSONDocument.Node.none
        nodes[key].name = knownName(nodes[key])
        let bit = JSONNames.bit(of: nodes[key].name)
        if let latest = known[object].latest {
            // If a key is repeated, the first one wins.
            guard bit != 0, known[object].names & bit == 0 else { return }
            nodes[latest].next = UInt32(key)
        }
        known[object].names |= bit
        known[object].latest = key
    }

    private mutating func knownName(_ key: JSONDocument.Node) -> UInt8 {
        let name = Int(key.start)..<Int(key.end)
        guard key.isEscaped else {
            return bytes.withUnsafeBufferPointer { JSONNames.number(of: UnsafeBufferPointer(rebasing: $0[name])) }
        }
        guard JSONString.unescape(bytes, name, atMost: JSONNames.longest, into: &scratch) else {
            return JSONNames.other
        }
        return scratch.withUnsafeBufferPointer { JSONNames.number(of: $0) }
    }

    private mutating func literal(_ word: StaticString, _ kind: JSONDocument.Kind) throws(JSONError) {
        let start = position
        for offset in 0..<word.utf8CodeUnitCount {
            guard take(word.utf8Start[offset]) else { throw failure("expected '\(word)'") }
        }
        append(kind, from: start)
    }

    private mutating func number() throws(JSONError) {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) {
            guard digits() > 0 else { throw failure("expected a digit") }
        }
        if take(UInt8(ascii: ".")) {
            guard digits() > 0 else { throw failure("expected a digit after '.'") }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard digits() > 0 else { throw failure("expected a digit in the exponent") }
        }
        append(.number, from: start)
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = peek(), (0x30...0x39).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func string() throws(JSONError) {
        position += 1
        let start = position
        var isEscaped = false
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\""):
                nodes.append(
                    .init(
                        kind: .string, isEscaped: isEscaped, start: UInt32(start), end: UInt32(position),
                        next: UInt32(nodes.count + 1)))
                position += 1
                return
            case UInt8(ascii: "\\"):
                isEscaped = true
                let half = allowsHalfSurrogates ? JSONString.halfSurrogateLength(in: bytes, at: position) : nil
                guard let length = JSONString.escapeLength(in: bytes, at: position) ?? half else {
                    throw failure("invalid escape, or half of a surrogate pair")
                }
                position += length
            case 0..<0x20: throw failure("unescaped control character in a string")
            default: position += 1
            }
        }
        throw failure("unterminated string")
    }

    private mutating func append(_ kind: JSONDocument.Kind, from start: Int) {
        nodes.append(.init(kind: kind, start: UInt32(start), end: UInt32(position), next: UInt32(nodes.count + 1)))
    }

    @inline(__always)
    private func peek() -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    @inline(__always)
    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func failure(_ sentence: String) -> JSONError {
        JSONError(reason: .malformed(sentence), offset: position, pointer: pointer())
    }

    /// The longest name in a pointer, in bytes as spelled.
    private static let longestName = 40

    /// RFC 6901: the innermost open container, or its nearest ancestor before a long name. No field of ours is that long, and
    /// responses should repeat little of what was sent. Computed only for failures, so it can be slow.
    private func pointer() -> String {
        var path = ""
        for (outer, inner) in zip(open, open.dropFirst()) {
            if nodes[outer].kind == .object {
                let key = nodes[inner - 1]
                guard key.end - key.start <= JSONParser.longestName else { return path }
                let name = JSONString.unescaped(bytes[Int(key.start)..<Int(key.end)])
                path += "/" + JSONPointer.escaped(name)
            } else {
                var position = 0
                var element = outer + 1
                while element < inner {
                    element = Int(nodes[element].next)
                    position += 1
                }
                path += "/\(position)"
            }
        }
        return path
    }
}
