package import CensusCore

/// A value in a record of another tool.
package enum RecordValue: Sendable {
    case json(JSONDocument, JSONDocument.Index)
    case text(String)
    case members([String: RecordValue])

    /// - Throws: ``JSONError``.
    package init(json: [UInt8]) throws(JSONError) {
        self = .json(try JSONDocument(json, maximumDepth: 64, allowsHalfSurrogates: true), JSONDocument.root)
    }

    /// The JSON that a text consists of: tables have objects and arrays as texts. Nil if it is something else.
    init?(inText text: String) {
        guard text.utf8.first == UInt8(ascii: "{") || text.utf8.first == UInt8(ascii: "["),
            let value = try? RecordValue(json: Array(text.utf8))
        else { return nil }
        self = value
    }

    /// The value at a path; nil if it is missing or null.
    subscript(path: RecordPath) -> RecordValue? { self[path, 0] }

    private subscript(path: RecordPath, level: Int) -> RecordValue? {
        if let value = member(path.rests[level]) { return value }
        guard level + 1 < path.rests.count else { return nil }
        return member(path.names[level])?[path, level + 1]
    }

    private func member(_ name: String) -> RecordValue? {
        switch self {
        case .members(let members): members[name]
        case .text: nil
        case .json(let document, let index): document.member(named: name, of: index).map { .json(document, $0) }
        }
    }

    /// The members of an object, in no order; nil if it is something else.
    var allMembers: [(name: String, value: RecordValue)]? {
        switch self {
        case .members(let members): return members.map { ($0.key, $0.value) }
        case .text: return nil
        case .json(let document, let index):
            guard document.kind(at: index) == .object else { return nil }
            return document.members(of: index).compactMap { key, value in
                document.string(at: key).map { ($0, .json(document, value)) }
            }
        }
    }

    /// Whether there is a member at a path, which can be null.
    func has(_ path: RecordPath) -> Bool { has(path, 0) }

    private func has(_ path: RecordPath, _ level: Int) -> Bool {
        if self[path, level] != nil { return true }
        guard let members = allMembers else { return false }
        if members.contains(where: { $0.name == path.rests[level] }) { return true }
        return level + 1 < path.rests.count && member(path.names[level])?.has(path, level + 1) == true
    }

    /// The paths of its members and of theirs, such as `payload.size`.
    func paths(depth: Int = 3) -> [String] {
        (allMembers ?? []).flatMap { name, value in
            [name] + (depth > 1 ? value.paths(depth: depth - 1).map { "\(name).\($0)" } : [])
        }
    }

    /// The elements of an array; nil if it is something else.
    var elements: [RecordValue]? {
        guard case .json(let document, let index) = self, document.kind(at: index) == .array else { return nil }
        return document.elements(of: index).map { .json(document, $0) }
    }

    /// A text, or a number or flag as one; nil if it is empty or something else.
    var scalar: String? {
        switch self {
        case .members: return nil
        case .text(let text): return text.isEmpty ? nil : text
        case .json(let document, let index):
            switch document.kind(at: index) {
            case .string: return document.string(at: index).flatMap { $0.isEmpty ? nil : $0 }
            case .number, .true, .false: return String(decoding: document.source(at: index), as: UTF8.self)
            case .null, .array, .object: return nil
            }
        }
    }

    /// A text; nil if it is something else.
    var text: String? {
        switch self {
        case .members: nil
        case .text(let text): text
        case .json(let document, let index): document.string(at: index)
        }
    }

    /// What it is, for a sentence.
    var form: String {
        switch self {
        case .members: return "an object"
        case .text: return "a text"
        case .json(let document, let index):
            return switch document.kind(at: index) {
            case .null: "null"
            case .true, .false: "true or false"
            case .number: "a number"
            case .string: "a text"
            case .array: "an array"
            case .object: "an object"
            }
        }
    }

    /// The JSON in it, if it is a text with an object or array; otherwise itself.
    var unwrapped: RecordValue { scalar.flatMap(RecordValue.init(inText:)) ?? self }

    /// How many there are: a number, a flag, or either as a text; nil if it is something else.
    var count: Int? {
        guard let scalar else {
            guard case .json(let document, let index) = self else { return allMembers == nil ? 0 : nil }
            return document.kind(at: index) == .null || document.kind(at: index) == .string ? 0 : nil
        }
        return switch scalar.lowercased() {
        case "true": 1
        case "false": 0
        default: Int(scalar) ?? Double(scalar).flatMap { Int(exactly: $0) }
        }
    }
}

/// Where a value is in a record: `app_info.version`. A member whose own name has dots is found, too.
struct RecordPath: Hashable, Sendable, ExpressibleByStringLiteral {
    let names: [String]
    /// The path from each of its names on.
    let rests: [String]

    init(_ path: String) {
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        self.names = names
        rests = names.indices.map { names[$0...].joined(separator: ".") }
    }

    init(stringLiteral path: String) { self.init(path) }
}

extension RecordPath: CustomStringConvertible {
    var description: String { rests[0] }
}
