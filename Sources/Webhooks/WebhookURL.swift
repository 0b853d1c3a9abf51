/// The URL of a webhook.
///
/// Parsed with our own strict grammar, so that no other parser finds a different host in it than the one that was checked.
package struct WebhookURL: Hashable, Sendable, CustomStringConvertible {
    package let isSecure: Bool
    /// A name in lower case, or an IP address as it was written; IPv6 without brackets.
    package let host: String
    /// Nil for the scheme's default.
    package let port: Int?
    /// Begins with a slash, and can contain secrets.
    private let path: String
    private let query: String?

    package struct Fault: Error, Hashable, CustomStringConvertible {
        package var description: String
    }

    private static let longest = 2_000
    /// The characters of RFC 3986 that a path or query can need.
    private static let allowed = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?@!$&'()*+,;=%".utf8)

    /// - Throws: a description of the fault that doesn't repeat the URL.
    package init(_ text: String, allowsInsecure: Bool = false) throws(Fault) {
        guard text.utf8.count <= WebhookURL.longest else {
            throw Fault(description: "the URL is longer than \(WebhookURL.longest) bytes")
        }
        let rest: Substring
        if let secure = text.afterPrefix("https://") {
            (self.isSecure, rest) = (true, secure)
        } else if let insecure = text.afterPrefix("http://") {
            guard allowsInsecure else {
                throw Fault(
                    description:
                        "the URL begins with http://, so messages are unencrypted; --allow-insecure allows that")
            }
            (self.isSecure, rest) = (false, insecure)
        } else {
            throw Fault(description: "the URL must begin with https://")
        }
        guard !rest.contains("#") else { throw Fault(description: "the URL has a fragment (#); leave it out") }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else {
            throw Fault(
                description: "the URL has a user name (@); put what the receiver needs into the path or query")
        }
        (self.host, self.port) = try WebhookURL.hostAndPort(authority)
        let target = rest.dropFirst(authority.count)
        guard target.utf8.allSatisfy(WebhookURL.allowed.contains) else {
            throw Fault(description: "the path or query contains a character that must be percent-encoded")
        }
        let path = target.prefix { $0 != "?" }
        self.path = path.isEmpty ? "/" : String(path)
        self.query = path.count == target.count ? nil : String(target.dropFirst(path.count + 1))
    }

    private static func hostAndPort(_ authority: Substring) throws(Fault) -> (String, Int?) {
        let name: Substring
        let host: String
        if authority.first == "[" {
            name = authority.prefix { $0 != "]" }
            host = String(name.dropFirst())
            guard authority.dropFirst(name.count).first == "]", let address = IPAddress(host), address.isIPv6 else {
                throw Fault(description: "the host in brackets is not an IPv6 address")
            }
        } else {
            name = authority.prefix { $0 != ":" }
            host = name.lowercased()
            guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(isOfName) else {
                throw Fault(
                    description:
                        "the host must be an IP address, or a name of letters, digits, hyphens and dots (xn--… for "
                        + "international names)")
            }
        }
        let after = authority.dropFirst(name.count + (authority.first == "[" ? 1 : 0))
        if after.isEmpty { return (host, nil) }
        let digits = after.dropFirst()
        guard after.first == ":", digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(digits),
            (1...65_535).contains(port)
        else { throw Fault(description: "the port must be a number from 1 to 65535") }
        return (host, port)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains(byte)
    }

    /// The whole URL, for requests and for storing.
    package var text: String { origin + path + (query.map { "?" + $0 } ?? "") }

    /// The part of ``text`` before the path.
    private var origin: String {
        "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host)\(port.map { ":\($0)" } ?? "")"
    }

    /// The URL for people: without the query, and with long parts of the path cut, because receivers put secrets there.
    package var masked: String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { part in
            part.count <= WebhookURL.longestShown ? String(part) : part.prefix(4) + "…"
        }
        return origin + parts.joined(separator: "/") + (query == nil ? "" : "?…")
    }

    private static let longestShown = 16

    /// Masked, so that no log or error reveals the secrets by accident.
    package var description: String { masked }
}

extension String {
    /// Returns the rest after a prefix, whatever its case.
    fileprivate func afterPrefix(_ prefix: String) -> Substring? {
        self.prefix(prefix.count).lowercased() == prefix ? dropFirst(prefix.count) : nil
    }
}
