/// Reads the fields around the events, and notes every mistake in them. With one mistake, the whole batch is refused.
///
/// A field of an object that is missing itself is nil, and no further mistake.
struct EnvelopeReader {
    let document: JSONDocument
    let limits: Limits
    private var mistakes: [EnvelopeError] = []

    init(document: JSONDocument, limits: Limits) {
        self.document = document
        self.limits = limits
    }

    /// The first mistake, with all of them; nil: there is none.
    var error: EnvelopeError? {
        guard var first = mistakes.first else { return nil }
        first.all = mistakes
        return first
    }

    mutating func note(_ message: String, at pointer: String) { mistakes.append(.malformed(message, at: pointer)) }

    mutating func object(_ name: StaticString) -> JSONDocument.Index? { member(name, .object, "an object") }

    mutating func array(_ name: StaticString) -> JSONDocument.Index? { member(name, .array, "an array") }

    private mutating func member(
        _ name: StaticString, _ kind: JSONDocument.Kind, _ form: StaticString
    ) -> JSONDocument.Index? {
        guard let index = document.member(name, of: JSONDocument.root) else {
            note(document.missing(name, of: JSONDocument.root), at: "/\(name)")
            return nil
        }
        guard document.kind(at: index) == kind else {
            note("`\(name)` must be \(form)", at: "/\(name)")
            return nil
        }
        return index
    }

    mutating func string(_ name: StaticString, of object: JSONDocument.Index?, at pointer: String) -> String? {
        guard let object else { return nil }
        guard document.member(name, of: object) != nil else {
            note(document.missing(name, of: object), at: "\(pointer)/\(name)")
            return nil
        }
        guard let text = optionalString(name, of: object, at: pointer) else { return nil }
        guard !text.isEmpty else {
            note("`\(name)` must be a non-empty string", at: "\(pointer)/\(name)")
            return nil
        }
        return text
    }

    /// The raw id of a device or installation.
    mutating func rawID(of object: JSONDocument.Index?, at pointer: String) -> String? {
        guard let id = string("id", of: object, at: pointer) else { return nil }
        if let fault = RawID.fault(of: id, limits: limits) { note("`id` \(fault)", at: "\(pointer)/id") }
        return id
    }

    /// In any case: Apple writes iOS.
    mutating func platform(of object: JSONDocument.Index?, at pointer: String) -> Platform? {
        guard let name = string("platform", of: object, at: pointer) else { return nil }
        if let platform = Platform(rawValue: name) ?? Platform(rawValue: name.lowercased()) { return platform }
        let known = Platform.allCases.map(\.rawValue).joined(separator: ", ")
        note("`platform` must be one of \(known)", at: "\(pointer)/platform")
        return nil
    }

    mutating func optionalString(_ name: StaticString, of object: JSONDocument.Index?, at pointer: String) -> String? {
        guard let text = optional(name, of: object, at: pointer, "a string", document.string) else { return nil }
        guard !text.holdsNull else {
            note("`\(name)` contains U+0000; remove it", at: "\(pointer)/\(name)")
            return nil
        }
        guard text.fits(limits) else {
            note("`\(name)` is longer than \(limits.ofStrings)", at: "\(pointer)/\(name)")
            return nil
        }
        return text
    }

    mutating func time(_ name: StaticString, of object: JSONDocument.Index?, at pointer: String) -> Timestamp? {
        if let object, document.member(name, of: object) == nil {
            note(document.missing(name, of: object), at: "\(pointer)/\(name)")
        }
        return optionalTime(name, of: object, at: pointer)
    }

    mutating func optionalTime(_ name: StaticString, of object: JSONDocument.Index?, at pointer: String) -> Timestamp? {
        optional(name, of: object, at: pointer, "an RFC 3339 time with a time zone", document.time)
    }

    mutating func optionalBoolean(_ name: StaticString, of object: JSONDocument.Index?, at pointer: String) -> Bool? {
        optional(name, of: object, at: pointer, "true or false", document.boolean)
    }

    mutating func optionalInteger(_ name: StaticString, of object: JSONDocument.Index?, at pointer: String) -> Int64? {
        optional(name, of: object, at: pointer, "a non-negative integer") { [document] index in
            document.integer(at: index).flatMap { $0 >= 0 ? $0 : nil }
        }
    }

    private mutating func optional<Value>(
        _ name: StaticString, of object: JSONDocument.Index?, at pointer: String, _ form: StaticString,
        _ read: (JSONDocument.Index) -> Value?
    ) -> Value? {
        guard let object, let index = document.member(name, of: object) else { return nil }
        guard let value = read(index) else {
            note("`\(name)` must be \(form)", at: "\(pointer)/\(name)")
            return nil
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
