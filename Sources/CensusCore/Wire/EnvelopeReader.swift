/// Reads the fields around the events; what is wrong with them is wrong with the batch.
struct EnvelopeReader {
    let document: JSONDocument
    let limits: Limits

    func object(_ name: StaticString) throws(EnvelopeError) -> JSONDocument.Index {
        guard let index = document.member(name, of: JSONDocument.root), document.kind(at: index) == .object else {
            throw .malformed("`\(name)` must be an object", at: "/\(name)")
        }
        return index
    }

    func string(
        _ name: StaticString, of object: JSONDocument.Index, at pointer: String
    ) throws(EnvelopeError) -> String {
        guard let text = try optionalString(name, of: object, at: pointer), !text.isEmpty else {
            throw .malformed("`\(name)` must be a string that is not empty", at: "\(pointer)/\(name)")
        }
        return text
    }

    func optionalString(
        _ name: StaticString, of object: JSONDocument.Index, at pointer: String
    ) throws(EnvelopeError) -> String? {
        guard let index = document.member(name, of: object) else { return nil }
        guard let text = document.string(at: index) else {
            throw .malformed("`\(name)` must be a string", at: "\(pointer)/\(name)")
        }
        guard !text.utf8.contains(0) else {
            throw .malformed("`\(name)` holds U+0000", at: "\(pointer)/\(name)")
        }
        guard text.isAtMost(limits.stringLength) else {
            throw .malformed("`\(name)` is longer than \(limits.stringLength) characters", at: "\(pointer)/\(name)")
        }
        return text
    }

    func time(
        _ name: StaticString, of object: JSONDocument.Index, at pointer: String
    ) throws(EnvelopeError) -> Timestamp {
        guard let time = try optionalTime(name, of: object, at: pointer) else {
            throw .malformed("`\(name)` must be an RFC 3339 time with a zone", at: "\(pointer)/\(name)")
        }
        return time
    }

    func optionalTime(
        _ name: StaticString, of object: JSONDocument.Index, at pointer: String
    ) throws(EnvelopeError) -> Timestamp? {
        guard let index = document.member(name, of: object) else { return nil }
        guard let text = document.string(at: index), let time = Timestamp(rfc3339: text) else {
            throw .malformed("`\(name)` must be an RFC 3339 time with a zone", at: "\(pointer)/\(name)")
        }
        return time
    }

    func optionalInteger(
        _ name: StaticString, of object: JSONDocument.Index, at pointer: String
    ) throws(EnvelopeError) -> Int64? {
        guard let index = document.member(name, of: object) else { return nil }
        guard let number = document.integer(at: index), number >= 0 else {
            throw .malformed("`\(name)` must be a whole number, not negative", at: "\(pointer)/\(name)")
        }
        return number
    }
}

extension String {
    /// Counts Unicode scalars, as PostgreSQL does; cheap for short strings.
    func isAtMost(_ limit: Int) -> Bool {
        utf8.count <= limit || unicodeScalars.count <= limit
    }
}
