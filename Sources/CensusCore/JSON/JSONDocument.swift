/// A JSON document, parsed strictly by RFC 8259 into a flat list of nodes over its bytes.
///
/// Foundation's decoder accepts UTF-16, a byte order mark and trailing commas, and one number out of range makes it fail a
/// whole array (docs/decisions/0002-request-decoding.md). Here a number or string is converted only on request, so that one bad
/// event doesn't affect the others, and every node has a position.
///
/// If an object repeats a key, the first one wins.
public struct JSONDocument: Sendable {
    public enum Kind: UInt8, Sendable {
        case null, `false`, `true`, number, string, array, object
    }

    struct Node: Sendable {
        var kind: Kind
        /// Whether a string contains a backslash.
        var isEscaped = false
        /// For an object's key: its index in ``JSONNames``.
        var name = JSONNames.other
        /// The first byte; for a string, the one after the quote.
        var start: UInt32
        /// The byte after the last one; for a string, the closing quote.
        var end: UInt32
        /// The node after this one and everything in it; for an object's key, the next key in the chain for lookups, or
        /// ``none``.
        var next: UInt32

        /// The root, which is never a key.
        static let none: UInt32 = 0
    }

    /// The index of a node; 0 is the root.
    public typealias Index = Int

    let bytes: [UInt8]
    let nodes: [Node]

    /// - Parameters:
    ///   - maximumDepth: how deep arrays and objects may be nested, including the root.
    ///   - allowsHalfSurrogates: accepts escapes of half a surrogate pair, which JavaScript writes when it cuts an emoji in
    ///     two. Don't read a string that has one.
    /// - Throws: ``JSONError``, also for invalid UTF-8.
    public init(_ bytes: [UInt8], maximumDepth: Int = 16, allowsHalfSurrogates: Bool = false) throws(JSONError) {
        var parser = JSONParser(bytes, maximumDepth: maximumDepth, allowsHalfSurrogates: allowsHalfSurrogates)
        self.nodes = try parser.parse()
        self.bytes = bytes
    }

    public static let root: Index = 0

    public func kind(at index: Index) -> Kind { nodes[index].kind }

    /// The value of a member; nil if it is missing or `null`, or if the node is not an object.
    ///
    /// - Complexity: constant in the number of members for the names in ``JSONNames``.
    public func member(_ name: StaticString, of index: Index) -> Index? {
        guard nodes[index].kind == .object, nodes[index].next > index + 1 else { return nil }
        let number = JSONNames.number(of: name)
        guard number != JSONNames.other else { return keys(of: index).first { equals($0, name) }.flatMap(value) }
        var key = index + 1
        repeat {
            if nodes[key].name == number { return value(of: key) }
            key = Int(nodes[key].next)
        } while key != Node.none
        return nil
    }

    /// The value of a member whose name is known only at run time; nil if it is missing or `null`, or if the node is not an object.
    package func member(named name: String, of index: Index) -> Index? {
        guard nodes[index].kind == .object else { return nil }
        var name = name
        return name.withUTF8 { name in
            var key = index + 1
            while key < nodes[index].next {
                if equals(key, name) { return value(of: key) }
                key = Int(nodes[key + 1].next)
            }
            return nil
        }
    }

    /// Nil for `null`.
    private func value(of key: Index) -> Index? { nodes[key + 1].kind == .null ? nil : key + 1 }

    /// The keys of an object in their order; empty for anything else.
    func keys(of index: Index) -> some Sequence<Index> {
        let isObject = nodes[index].kind == .object
        return sequence(state: index + 1) { key in
            guard isObject, key < nodes[index].next else { return nil }
            defer { key = Int(nodes[key + 1].next) }
            return key
        }
    }

    /// The elements of an array; empty for anything else.
    public func elements(of index: Index) -> [Index] {
        guard nodes[index].kind == .array else { return [] }
        var found: [Index] = []
        var element = index + 1
        while element < nodes[index].next {
            found.append(element)
            element = Int(nodes[element].next)
        }
        return found
    }

    /// The members of an object in their order, including duplicates; empty for anything else.
    public func members(of index: Index) -> [(key: Index, value: Index)] {
        guard nodes[index].kind == .object else { return [] }
        var found: [(Index, Index)] = []
        var key = index + 1
        while key < nodes[index].next {
            found.append((key, key + 1))
            key = Int(nodes[key + 1].next)
        }
        return found
    }

    /// The bytes as they were sent, for storing refused events.
    public func source(at index: Index) -> ArraySlice<UInt8> {
        let node = nodes[index]
        let quote: UInt32 = node.kind == .string ? 1 : 0
        return bytes[Int(node.start - quote)..<Int(node.end + quote)]
    }

    /// A string with its escapes resolved; nil for anything else.
    public func string(at index: Index) -> String? {
        let node = nodes[index]
        guard node.kind == .string else { return nil }
        let raw = bytes[Int(node.start)..<Int(node.end)]
        return node.isEscaped ? JSONString.unescaped(raw) : String(decoding: raw, as: UTF8.self)
    }

    /// An integer of 64 bits, however it is spelled (`1`, `1.0`, `1e0`); nil for anything else.
    public func integer(at index: Index) -> Int64? {
        let node = nodes[index]
        guard node.kind == .number else { return nil }
        let raw = bytes[Int(node.start)..<Int(node.end)]
        // No honest client writes a 64-bit integer longer than this, and reading a million digits would take long.
        guard raw.count <= 64 else { return nil }
        return JSONNumber.integer(raw)
    }

    /// A time of RFC 3339; nil for anything else.
    func time(at index: Index) -> Timestamp? {
        let node = nodes[index]
        guard node.kind == .string else { return nil }
        guard !node.isEscaped else { return string(at: index).flatMap(Timestamp.init(rfc3339:)) }
        return bytes.withUnsafeBufferPointer { bytes in
            Timestamp(rfc3339: UnsafeBufferPointer(rebasing: bytes[Int(node.start)..<Int(node.end)]))
        }
    }

    public func boolean(at index: Index) -> Bool? {
        switch nodes[index].kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// Whether a key is one of the names in a set, which is given as ``JSONNames/bits(of:)``.
    func isAny(of names: UInt64, _ key: Index) -> Bool { names & JSONNames.bit(of: nodes[key].name) != 0 }

    func equals(_ key: Index, _ name: StaticString) -> Bool {
        equals(key, UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    private func equals(_ key: Index, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let node = nodes[key]
        let length = Int(node.end - node.start)
        if node.isEscaped {
            // An escape takes at most six bytes for one, so a longer key can't be equal.
            return length <= 6 * name.count && string(at: key)?.utf8.elementsEqual(name) == true
        }
        guard length == name.count else { return false }
        return bytes.withUnsafeBufferPointer { buffer in
            for offset in 0..<length where buffer[Int(node.start) + offset] != name[offset] { return false }
            return true
        }
    }
}

/// Why bytes are not a valid JSON document.
public struct JSONError: Error, Hashable, Sendable {
    public enum Reason: Hashable, Sendable {
        /// They violate the grammar of RFC 8259.
        case malformed(String)
        /// Arrays and objects are nested deeper than the limit.
        case tooDeep(limit: Int)
    }

    public let reason: Reason
    /// The byte, counted from 0, at which parsing stopped.
    public let offset: Int
    /// RFC 6901: the array or object that was being parsed.
    public let pointer: String
}
