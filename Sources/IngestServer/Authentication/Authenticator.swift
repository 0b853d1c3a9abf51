internal import CensusStore
internal import HTTPTypes

/// Admits requests that have a key with the right role.
struct Authenticator: Sendable {
    let keys: KeyRing
    let limiter: RateLimiter

    /// - Throws: ``Problem``: 401 without a key, 403 for an invalid key, 429 for a key over its rate limit.
    func require(_ roles: [Key.Role], of request: Request, noting caller: Caller) async throws -> Visitor {
        if let visitor = request.visitor { return visitor }
        guard let key = request.headers[.authorization].flatMap(Authenticator.bearer) else { throw Authenticator.noKey }
        return try await visitor(with: key.hash, roles, noting: caller)
    }

    /// Admits a request whose key is in memory and valid.
    ///
    /// - Returns: nil if only ``require(_:of:noting:)`` can decide.
    /// - Throws: ``Problem``: 429 for a key over its rate limit.
    func known(_ role: Key.Role, of request: Request) throws -> Visitor? {
        guard let key = request.headers[.authorization].flatMap(Authenticator.bearer) else { return nil }
        let hash = key.hash
        guard let record = keys.known(hash), !record.isRevoked, record.role == role else { return nil }
        request.caller.note(hash)
        try limiter.admit(hash)
        return Visitor(key: record, hash: hash)
    }

    /// - Parameter caller: is given the key, even if it is over its rate limit.
    /// - Throws: ``Problem``: 403 for an invalid key, 429 for a key over its rate limit.
    func visitor(with hash: KeyHash, _ roles: [Key.Role], noting caller: Caller? = nil) async throws -> Visitor {
        let record: KeyRecord?
        do throws(StoreError) {
            record = try await keys.record(of: hash)
        } catch {
            throw Problem(error)
        }
        guard let record else {
            throw Problem(.forbidden, "unknown_key", "this server doesn't know the key; check the key and the address")
        }
        guard !record.isRevoked else { throw Problem(.forbidden, "revoked_key", "this key was revoked; use another") }
        guard roles.contains(record.role) else {
            let needed = roles.map(\.rawValue).joined(separator: " or ")
            throw Problem(
                .forbidden, "wrong_role",
                "this path needs a key with the role \(needed); an operator makes one with `keys add --role \(roles.first?.rawValue ?? "")`"
            )
        }
        caller?.note(hash)
        try limiter.admit(hash)
        return Visitor(key: record, hash: hash)
    }

    /// The key in `Bearer KEY` (RFC 6750, section 2.1). Parsed by bytes, because every request has one, and characters take ten
    /// times as long.
    static func bearer(_ header: String) -> Key? {
        let space = UInt8(ascii: " ")
        let words = header.utf8.drop { $0 == space }
        let scheme = words.prefix { $0 != space }
        // In any case: bit 0x20 tells the cases of a letter apart, and no other byte becomes one of these letters.
        guard scheme.elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 }) else { return nil }
        let rest = words[scheme.endIndex...].drop { $0 == space }
        let key = rest.prefix { $0 != space }
        guard !key.isEmpty, rest[key.endIndex...].allSatisfy({ $0 == space }) else { return nil }
        return Key(text: String(Substring(key)))
    }

    private static let noKey = Problem(
        .unauthorized, "no_key", "the request has no key; send it as Authorization: Bearer KEY",
        headers: [.wwwAuthenticate: "Bearer"])
}

/// The sender of a request with a valid key.
struct Visitor: Sendable {
    var key: KeyRecord
    var hash: KeyHash

    /// The name that signs its acts.
    var signature: String { key.holder ?? "key \(hash.name)" }
}
