/// Reads the fields around the events. If one is invalid, the whole batch is refused.
struct EnvelopeReader {
    let document: JSONDocument
    let limits: Limits

    func object(_ name: StaticString) throws(EnvelopeError) -> JSONDocument.Index {
        guard let index = document.member(name, of: JSONDocument.root) else {
            throw .malformed(document.missing(name, of: JSONDocument.root), at: "/\(name)")
        }
        guard document.kind(at: index) == .object else {
            throw .malformed("`\(name)` must be an object", at: "/\(name)")
        }
        return index
    }

    func string(
        _ name: StaticString, of object: JSONDocument.Index, at pointer: String
    ) throws(EnvelopeError) -> String {
        guard let text = try optionalString(name, of: object, at: pointer) else {
            throw .malformed(document.missing(name, of: object), at: "\(pointer)/\(name)")
        }
        guard !text.isEmpty else {
            throw .malformed("`\(name)` must be a non-empty string", at: "\(pointer)/\(name)")
        }
        return text
    }

    /// The raw id of a device or installation.
    func rawID(of object: JSONDocument.Index, at pointer: String) throws(EnvelopeError) -> String {
        let id = try string("id", of: object, at: pointer)
        if let fault = RawID.fault(of: id, limits: limits) {
            throw .malformed("`id` \(fault)", at: "\(pointer)/id")
        }
        return id
    }

    func optionalString(
        _ name: StaticString, of object: JSONDocument.Index, at pointer: String
    ) throws(EnvelopeError) -> String? {
        guard let text = try optional(name, of: object, at: pointer, "a string", document.string) else { return nil }
        guard !text.holdsNull else {
            throw .malformed("`\(name)` contains U+0000; remove it", at: "\(pointer)/\(name)")
        }
        guard text.fits(limits) else {
            throw .malformed("`\(name)` is longer than \(limits.ofStrings)", at: "\(pointer)/\(name)")
        }
        return text
    }

    func time(
        _ name: StaticString, of object: JSONDocument.Index, at pointer: String
    ) throws(EnvelopeError) -> Timestamp {
        guard let time = try optionalTime(name, of: object, at: pointer) else {
            throw .malformed(document.missing(name, of: object), at: "\(pointer)/\(name)")
        }
        return time
    }

    func optionalTime(
        _ name: StaticString, of object: JSONDocument.Index, at pointer: String
    ) throws(EnvelopeError) -> Timestamp? {
        try optional(name, of: object, at: pointer, "an RFC 3339 time with a time zone") { index in
            document.string(at: index).flatMap(Timestamp.init(rfc3339:))
        }
    }

    func optionalBoolean(
        _ name: StaticString, of object: JSONDocument.Index, at pointer: String
    ) throws(EnvelopeError) -> Bool? {
        try optional(name, of: object, at: pointer, "true or false", document.boolean)
    }

    func optionalInteger(
        _ name: StaticString, of object: JSONDocument.Index, at pointer: String
    ) throws(EnvelopeError) -> Int64? {
        try optional(name, of: object, at: pointer, "a non-negative integer") { index in
            document.integer(at: index).flatMap { $0 >= 0 ? $0 : nil }
        }
    }

    private func optional<Value>(
        _ name: StaticString, of object: JSONDocument.Index, at pointer: String, _ form: StaticString,
        _ read: (JSONDocument.Index) -> Value?
    ) throws(EnvelopeError) -> Value? {
        guard let index = document.member(name, of: object) else { return nil }
        guard let value = read(index) else {
            throw .malformed("`\(name)` must be \(form)", at: "\(pointer)/\(name)")
        }
        return value
    }
}

extension String {
    /// Whether it has at most this many Unicode scalars, which PostgreSQL counts as characters. Cheap for short strings.
    func isAtMost(_ limit: Int) -> Bool {
        utf8.count <= limit || unicodeScalars.count <= limit
    }

    /// Whether it is within the limits of characters and of bytes.
    func fits(_ limits: Limits) -> Bool {
        utf8.count <= limits.stringBytes && isAtMost(limits.stringLength)
    }
}

extension Limits {
    /// The limits of strings, in words.
    var ofStrings: String { "\(stringLength) characters or \(stringBytes) bytes of UTF-8" }
}
