internal import CensusCore
internal import CensusStore

/// A session cookie: which key somebody logged in with, and until when it is valid. It is signed and contains no secret.
struct ConsoleSession: Equatable {
    /// The cookie's name. With the prefix `__Host-` (RFC 6265bis), browsers guarantee that no other host, path or plain
    /// connection set it. They accept the prefix only over TLS, so on a machine's own plain address the cookie has another
    /// name.
    static func cookie(isSecure: Bool) -> String { isSecure ? "__Host-census_session" : "census_session" }

    /// How long a session lasts.
    static let length: Duration = .seconds(12 * 3_600)

    var key: KeyHash
    var endsAt: Timestamp

    init(key: KeyHash, endsAt: Timestamp) {
        self.key = key
        self.endsAt = endsAt
    }

    /// The valid sessions of this server in a request's `Cookie` headers.
    ///
    /// Beside a person's own cookie there can be others with the same name, planted by a page of a neighbouring host.
    ///
    /// - Parameter isSecure: whether the browser uses TLS. If it does, only the name that nobody else can set counts.
    static func all(in headers: [String], isSecure: Bool, secret: Secret, now: Timestamp) -> [ConsoleSession] {
        let name = cookie(isSecure: isSecure) + "="
        return headers.flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }.compactMap { pair in
            let pair = String(Substring(pair)).trimmed
            guard pair.hasPrefix(name) else { return nil }
            return ConsoleSession(String(pair.dropFirst(name.count)), secret: secret, now: now)
        }
    }

    /// - Parameter value: from ``value(secret:)``.
    init?(_ value: String, secret: Secret, now: Timestamp) {
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let hash = [UInt8](hexadecimal: parts[0]), hash.count == 32,
            let seconds = Int64(parts[1]), let code = [UInt8](hexadecimal: parts[2]),
            secret.isSessionCode(code, of: "\(parts[0]).\(parts[1])")
        else { return nil }
        self.init(key: KeyHash(hash), endsAt: Timestamp(seconds: seconds))
        guard now < endsAt else { return nil }
    }

    /// The cookie's value.
    func value(secret: Secret) -> String {
        let text = "\(key.bytes.hexadecimal).\(endsAt.microseconds / 1_000_000)"
        return "\(text).\(secret.sessionCode(of: text).hexadecimal)"
    }

    /// The header `Set-Cookie`.
    ///
    /// - Parameter isSecure: whether the browser sends the cookie only over TLS.
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
