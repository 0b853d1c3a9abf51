/// An address to which messages may be posted.
///
/// Read by our own strict grammar, so that no other reader can find another host in it than the one that was checked.
package struct WebhookURL: Hashable, Sendable, CustomStringConvertible {
    package let isSecure: Bool
    /// A name in lower case, or an IPv4 address as it was written. An IPv6 address stands without brackets.
    package let host: String
    /// Nil: the scheme's.
    package let port: Int?
    /// What follows; begins with a slash and may hold secrets.
    private let path: String
    private let query: String?

    package struct Fault: Error, Hashable, CustomStringConvertible {
        package var description: String
    }

    private static let longest = 2_000
    /// RFC 3986, except what no part of a path or a query needs.
    private static let allowed = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?@!$&'()*+,;=%".utf8)

    /// - Parameter allowsInsecure: http is accepted, too.
    /// - Throws: a sentence that says what is wrong without repeating the address.
    package init(_ text: String, allowsInsecure: Bool = false) throws(Fault) {
        guard text.utf8.count <= WebhookURL.longest else {
            throw Fault(description: "the address is longer than \(WebhookURL.longest) bytes")
        }
        let rest: Substring
        if let secure = text.afterPrefix("https://") {
            (self.isSecure, rest) = (true, secure)
        } else if let insecure = text.afterPrefix("http://") {
            guard allowsInsecure else {
                throw Fault(
                    description:
                        "the address begins with http: messages would travel in the clear; --allow-insecure allows it")
            }
            (self.isSecure, rest) = (false, insecure)
        } else {
            throw Fault(description: "the address must begin with https://")
        }
        guard !rest.contains("#") else { throw Fault(description: "the address has a fragment (#): leave it out") }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard !authority.contains("@") else {
            throw Fault(
                description: "the address names a user (@): put what the receiver must know into the path or query")
        }
        (self.host, self.port) = try WebhookURL.hostAndPort(authority)
        let target = rest.dropFirst(authority.count)
        guard target.utf8.allSatisfy(WebhookURL.allowed.contains) else {
            throw Fault(description: "the path or query has a character that must be percent-encoded")
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
                throw Fault(description: "the address in brackets is not an IPv6 address")
            }
        } else {
            name = authority.prefix { $0 != ":" }
            host = name.lowercased()
            guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(isOfName) else {
                throw Fault(
                    description:
                        "the host must be a name of letters, digits, hyphens and dots (xn--… for others), or an "
                        + "IP address")
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

    /// All of it, for the request and for storing.
    package var text: String { origin + path + (query.map { "?" + $0 } ?? "") }

    /// The part of ``text`` before the path.
    private var origin: String {
        "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host)\(port.map { ":\($0)" } ?? "")"
    }

    /// What people may see: without the query, and with long parts of the path cut, as receivers put secrets there.
    package var masked: String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { part in
            part.count <= WebhookURL.longestShown ? String(part) : part.prefix(4) + "…"
        }
        return origin + parts.joined(separator: "/") + (query == nil ? "" : "?…")
    }

    private static let longestShown = 16

    /// Masked, so that no log and no error shows all of it by accident.
    package var description: String { masked }
}

extension String {
    /// The rest after a prefix in any case.
    fileprivate func afterPrefix(_ prefix: String) -> Substring? {
        self.prefix(prefix.count).lowercased() == prefix ? dropFirst(prefix.count) : nil
    }
}
