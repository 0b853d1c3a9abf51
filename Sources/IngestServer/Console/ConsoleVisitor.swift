internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import NIOCore

/// Somebody who is allowed to see pages.
enum ConsoleVisitor {
    /// Logged in with a key: sees the key's app.
    case key(Visitor)
    /// Logged in by a proxy, or anybody if the console is open: sees all apps.
    case all

    var seesAll: Bool {
        switch self {
        case .key: false
        case .all: true
        }
    }

    /// The reader whose turn in the queue it takes. All visitors without a key share one.
    var reader: KeyHash {
        switch self {
        case .key(let visitor): visitor.hash
        case .all: .nobody
        }
    }

    func sees(_ app: String) -> Bool {
        switch self {
        case .key(let visitor): visitor.key.appID.hasBytes(of: app)
        case .all: true
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
        if options.access == .open { return .all }
        if let name = options.loginHeader, isTrusted(peer) {
            // Of two values, one might be the client's.
            let values = request.headers[values: name]
            if values.count == 1, values.first?.isEmpty == false { return .all }
        }
        let sessions = ConsoleSession.all(
            in: request.headers[values: .cookie], isSecure: isSecure(request, from: peer), secret: secret, now: now())
        for session in sessions {
            do {
                return .key(try await authenticator.visitor(with: session.key, [.read]))
            } catch let problem as Problem where problem.status == .forbidden {
                // The key was revoked.
                continue
            }
        }
        return nil
    }

    /// Whether the browser uses TLS, according to a trusted proxy.
    func isSecure(_ request: Request, from peer: SocketAddress?) -> Bool {
        isTrusted(peer) && request.headers[.xForwardedProto]?.lowercased() == "https"
    }

    private func isTrusted(_ peer: SocketAddress?) -> Bool {
        guard let address = peer?.ipAddress else { return false }
        return options.trustedProxies.contains(address)
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
