internal import CensusCore
internal import CensusStore

/// What the cookie of a person who has shown a key says: whose key, and until when. It is signed, and contains no secret.
struct ConsoleSession: Equatable {
    /// Over TLS the browser itself sees to it that no other host, path or plain connection set the cookie (RFC 6265bis, `__Host-`).
    /// It takes such a name over TLS only, so on a machine's own plain address the cookie has another.
    static func cookie(isSecure: Bool) -> String { isSecure ? "__Host-census_session" : "census_session" }

    /// How long a session lasts.
    static let length: Duration = .seconds(12 * 3_600)

    var key: KeyHash
    var endsAt: Timestamp

    init(key: KeyHash, endsAt: Timestamp) {
        self.key = key
        self.endsAt = endsAt
    }

    /// The sessions in a request's `Cookie` headers that are ours and still valid.
    ///
    /// Besides a person's own cookie there may be others of the same name, planted by a page of a neighbouring host.
    ///
    /// - Parameter isSecure: whether the browser came over TLS: then only the name counts that nobody else can set.
    static func all(in headers: [String], isSecure: Bool, secret: Secret, now: Timestamp) -> [ConsoleSession] {
        let name = cookie(isSecure: isSecure) + "="
        return headers.flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }.compactMap { pair in
            let pair = String(Substring(pair)).trimmed
            guard pair.hasPrefix(name) else { return nil }
            return ConsoleSession(String(pair.dropFirst(name.count)), secret: secret, now: now)
        }
    }

    /// - Parameter value: as ``value(secret:)`` makes it.
    init?(_ value: String, secret: Secret, now: Timestamp) {
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let hash = [UInt8](hexadecimal: parts[0]), hash.count == 32,
            let seconds = Int64(parts[1]), let code = [UInt8](hexadecimal: parts[2]),
            secret.isSessionCode(code, of: "\(parts[0]).\(parts[1])")
        else { return nil }
        self.init(key: KeyHash(hash), endsAt: Timestamp(seconds: seconds))
        guard now < endsAt else { return nil }
    }

    /// What the cookie holds.
    func value(secret: Secret) -> String {
        let text = "\(key.bytes.hexadecimal).\(endsAt.microseconds / 1_000_000)"
        return "\(text).\(secret.sessionCode(of: text).hexadecimal)"
    }

    /// The header `Set-Cookie`.
    ///
    /// - Parameter isSecure: whether the browser may send it over TLS only.
    func header(secret: Secret, isSecure: Bool) -> String {
        ConsoleSession.header(value(secret: secret), seconds: ConsoleSession.length.components.seconds, isSecure)
    }

    /// The header that ends a session.
    static func end(isSecure: Bool) -> String { header("", seconds: 0, isSecure) }

    private static func header(_ value: String, seconds: Int64, _ isSecure: Bool) -> String {
        "\(cookie(isSecure: isSecure))=\(value); Path=\(isSecure ? "/" : "/console"); Max-Age=\(seconds); HttpOnly; "
            + "SameSite=Strict\(isSecure ? "; Secure" : "")"
    }
}

extension String {
    fileprivate var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(start)
    }
}
