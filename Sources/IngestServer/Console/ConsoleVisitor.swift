internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import NIOCore

/// Somebody who is allowed to see pages.
enum ConsoleVisitor {
    /// Logged in with a key: sees the key's app.
    case key(Visitor, ConsoleSession)
    /// Logged in by a trusted proxy: sees all apps.
    case person(String, mayAct: Bool)
    /// Anybody, because the console is open: sees all apps.
    case anybody

    var seesAll: Bool {
        switch self {
        case .key: false
        case .person, .anybody: true
        }
    }

    /// The reader whose turn in the queue it takes. All visitors without a key share one.
    var reader: KeyHash {
        switch self {
        case .key(let visitor, _): visitor.hash
        case .person, .anybody: .nobody
        }
    }

    /// The name that signs its acts; nil if it may not act.
    var actor: String? {
        switch self {
        case .key(let visitor, _) where visitor.key.role == .manage: visitor.signature
        case .person(let name, mayAct: true): name
        case .key, .person, .anybody: nil
        }
    }

    /// Identifies the session or person that a form is for; nil if there is neither.
    fileprivate var formOwner: String? {
        switch self {
        case .key(let visitor, let session): "key \(visitor.hash.bytes.hexadecimal) \(session.endsAt.microseconds)"
        case .person(let name, _): "person \(name)"
        case .anybody: nil
        }
    }

    func sees(_ app: String) -> Bool {
        switch self {
        case .key(let visitor, _): visitor.key.appID.hasBytes(of: app)
        case .person, .anybody: true
        }
    }
}

extension KeyHash {
    /// The hash for visitors without a key.
    static let nobody = KeyHash([UInt8](repeating: 0, count: 32))
}

/// Identifies visitors, and rejects posts that don't come from the console's own pages.
struct ConsoleAccess: Sendable {
    let options: ConsoleOptions
    let authenticator: Authenticator
    let secret: Secret
    let now: @Sendable () -> Timestamp

    /// - Returns: nil if the visitor must log in.
    /// - Throws: ``Problem``: 429 if a key is used too often, 503 if the store is needed and unavailable.
    func visitor(of request: Request, from peer: SocketAddress?) async throws -> ConsoleVisitor? {
        if options.access == .open { return .anybody }
        if let name = options.loginHeader, isTrusted(peer), let person = ConsoleAccess.only(name, of: request) {
            let role = options.roleHeader.flatMap { ConsoleAccess.only($0, of: request) }
            // Only an exact role lets somebody act: a misspelt one must not.
            return .person(person, mayAct: role == Key.Role.manage.rawValue && ActWords.accepts(person))
        }
        let sessions = ConsoleSession.all(
            in: request.headers[values: .cookie], isSecure: isSecure(request, from: peer), secret: secret, now: now())
        for session in sessions {
            do {
                return .key(try await authenticator.visitor(with: session.key, ConsoleAccess.roles), session)
            } catch let problem as Problem where problem.status == .forbidden {
                // The key was revoked.
                continue
            }
        }
        return nil
    }

    /// The roles of the keys that open the console.
    static let roles: [Key.Role] = [.read, .manage]

    /// The header's only value; nil if it is empty or missing. Of two values, one might be the client's.
    private static func only(_ name: HTTPField.Name, of request: Request) -> String? {
        let values = request.headers[values: name]
        guard values.count == 1, let value = values.first, !value.isEmpty else { return nil }
        return value
    }

    /// Whether the browser uses TLS, according to a trusted proxy.
    func isSecure(_ request: Request, from peer: SocketAddress?) -> Bool {
        isTrusted(peer) && request.headers[.xForwardedProto]?.lowercased() == "https"
    }

    private func isTrusted(_ peer: SocketAddress?) -> Bool {
        guard let address = peer?.ipAddress else { return false }
        return options.trustedProxies.contains(address)
    }

    /// The token of a visitor's forms, which no other site and no other visitor knows. It lasts as long as the session, or as a
    /// session would.
    ///
    /// - Returns: nil if the visitor may not act.
    func formToken(of visitor: ConsoleVisitor) -> String? {
        guard visitor.actor != nil, let owner = visitor.formOwner else { return nil }
        let end = (now() + ConsoleSession.length).microseconds / 1_000_000
        return "\(end).\(secret.formCode(of: "\(end) \(owner)").hexadecimal)"
    }

    /// Whether a form's token is the visitor's, and is not too old.
    func isFormToken(_ token: String?, of visitor: ConsoleVisitor) -> Bool {
        let parts = (token ?? "").split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let end = Int64(parts[0]), now() < Timestamp(seconds: end),
            let code = [UInt8](hexadecimal: parts[1]), let owner = visitor.formOwner
        else { return false }
        return secret.isFormCode(code, of: "\(parts[0]) \(owner)")
    }

    /// - Throws: ``Problem``: 403 for a post that might come from another site's page. Browsers send the origin of a post.
    static func requireOwnPage(_ request: Request) throws {
        let site = request.headers[values: .secFetchSite]
        if !site.isEmpty {
            guard site == ["same-origin"] else { throw otherSite }
            return
        }
        let origins = request.headers[values: .origin]
        guard origins.count == 1, let origin = origins.first, let host = request.authority,
            origin.lowercased() == "http://\(host.lowercased())"
                || origin.lowercased() == "https://\(host.lowercased())"
        else { throw otherSite }
    }

    private static let otherSite = Problem(
        .forbidden, "other_site", "the form did not come from this console; open its page again and resubmit it")
}

extension HTTPField.Name {
    static let secFetchSite = HTTPField.Name(validated: "Sec-Fetch-Site")
    static let xForwardedProto = HTTPField.Name(validated: "X-Forwarded-Proto")
}
