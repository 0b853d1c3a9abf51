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

    /// The value at a path such as `app_info.version`; nil if it is missing or null. A member whose own name has dots is found,
    /// too.
    subscript(path: String) -> RecordValue? {
        if let value = member(path) { return value }
        guard let dot = path.firstIndex(of: ".") else { return nil }
        return member(String(path[..<dot]))?[String(path[path.index(after: dot)...])]
    }

    private func member(_ name: String) -> RecordValue? {
        switch self {
        case .members(let members): members[name]
        case .text: nil
        case .json(let document, _): node(named: name).map { .json(document, $0) }
        }
    }

    private func node(named name: String) -> JSONDocument.Index? {
        guard case .json(let document, let index) = self, document.kind(at: index) == .object else { return nil }
        let value = document.members(of: index).first { document.string(at: $0.key)?.hasBytes(of: name) == true }?.value
        return value.flatMap { document.kind(at: $0) == .null ? nil : $0 }
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

    /// How many there are: a number, a flag, or either as a text; nil if it is something else.
    var count: Int? {
        guard let scalar else {
            guard case .json(let document, let index) = self else { return allMembers == nil ? 0 : nil }
            return document.kind(at: index) == .null || document.kind(at: index) == .string ? 0 : nil
        }
        return switch scalar {
        case "true": 1
        case "false": 0
        default: Int(scalar) ?? Double(scalar).flatMap { Int(exactly: $0) }
        }
    }
}
