internal import CensusCore
internal import CensusStore

/// What the cookie of a person who has shown a key says: whose key, and until when. It is signed, and holds no secret.
struct ConsoleSession: Equatable {
    static let cookie = "census_session"
    /// How long a session lasts.
    static let length: Duration = .seconds(12 * 3_600)

    var key: KeyHash
    var endsAt: Timestamp

    init(key: KeyHash, endsAt: Timestamp) {
        self.key = key
        self.endsAt = endsAt
    }

    /// The session in a request's `Cookie` headers; nil when there is none that is ours and still good.
    init?(in headers: [String], secret: Secret, now: Timestamp) {
        let values = headers.flatMap { $0.utf8.split(separator: UInt8(ascii: ";")) }.compactMap { pair in
            let pair = String(Substring(pair)).trimmed
            return pair.hasPrefix(ConsoleSession.cookie + "=")
                ? String(pair.dropFirst(ConsoleSession.cookie.count + 1)) : nil
        }
        // Of two, one may have been planted.
        guard values.count == 1, let value = values.first else { return nil }
        self.init(value, secret: secret, now: now)
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
        "\(cookie)=\(value); Path=/console; Max-Age=\(seconds); HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
    }
}

extension String {
    fileprivate var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(start)
    }
}

extension [UInt8] {
    /// Nil when it is not pairs of hexadecimal digits.
    init?(hexadecimal text: Substring) {
        let digits = [UInt8](text.utf8)
        guard digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = digits[index...index + 1]
            // `UInt8` takes a sign.
            guard pair.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
                let byte = UInt8(String(decoding: pair, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(byte)
        }
        self = bytes
    }
}
